//! The site as a whole, with the real sidecar and a real database.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that can't go on has failed"
)]

mod budgets;
mod connections;
mod contact;
mod content;
mod contract;
mod crash;
mod delivery;
mod hostile;
mod invariants;
mod limits;
mod mail;
mod messages;
mod outbox;
mod pages;
mod privacy;
mod publishing;
mod support;
