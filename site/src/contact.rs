//! A visitor's message: from the posted form to the outbox.

pub mod message;
pub mod outbox;
