//! What the handlers and the routines share.

use std::sync::Arc;

use tokio::sync::{Notify, watch};

use crate::{
    contact::{arrivals::Arrivals, guard::Guard, outbox::Outbox},
    metrics::Metrics,
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
    /// The forms that are being read.
    pub arrivals: Arrivals,
    /// Counts what happens.
    pub metrics: Arc<Metrics>,
    /// Wakes the delivery when a message has been stored.
    pub stored: Notify,
    /// Whether each request is logged.
    pub request_log: bool,
    /// Whether the site was told to stop.
    pub stopping: watch::Sender<bool>,
}

impl App {
    /// Puts the parts together.
    pub fn new(publisher: Arc<Publisher>, outbox: Outbox, guard: Guard) -> Self {
        Self {
            metrics: Arc::clone(publisher.metrics()),
            publisher,
            outbox,
            guard,
            arrivals: Arrivals::default(),
            stored: Notify::new(),
            request_log: false,
            stopping: watch::Sender::new(false),
        }
    }

    /// Ends when the site is told to stop.
    pub async fn stopped(&self) {
        // The sender lives as long as this does, so there is no error.
        let _ = self.stopping.subscribe().wait_for(|stopping| *stopping).await;
    }
}
