//! The site as a whole, with the real sidecar and a real database.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that can't go on has failed"
)]

mod budgets;
mod contact;
mod content;
mod contract;
mod invariants;
mod pages;
mod publishing;
mod support;
