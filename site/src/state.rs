//! What the handlers and the routines share.

use std::sync::Arc;

use tokio::sync::Notify;

use crate::{
    contact::{guard::Guard, outbox::Outbox},
    publisher::Publisher,
};

/// The parts of a running site.
pub struct App {
    /// Holds the pages.
    pub publisher: Arc<Publisher>,
    /// Takes the messages.
    pub outbox: Outbox,
    /// Decides who may send a message.
    pub guard: Guard,
    /// Wakes the delivery when a message has been stored.
    pub stored: Notify,
}

impl App {
    /// Puts the parts together.
    pub fn new(publisher: Arc<Publisher>, outbox: Outbox, guard: Guard) -> Self {
        Self { publisher, outbox, guard, stored: Notify::new() }
    }
}
