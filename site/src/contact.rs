//! A visitor's message: from the posted form to the outbox, and from there into the team's mailbox.

pub mod address;
pub mod arrivals;
pub mod delivery;
pub mod guard;
pub mod mailer;
pub mod message;
pub mod outbox;
