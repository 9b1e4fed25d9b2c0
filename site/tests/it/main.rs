//! The site as a whole, with the real sidecar and a real database.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that can't go on has failed"
)]
#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "visitors ask the site, and a process of its own gets the tests' environment"
)]

mod acknowledgements;
mod answers;
mod architecture;
mod budgets;
mod commands;
mod connections;
mod contact;
mod contract;
mod copy;
mod crash;
mod delivery;
mod development;
mod documentation;
mod export;
mod found;
mod hostile;
mod kept;
mod limits;
mod mail;
mod messages;
mod operator;
mod outbox;
mod pages;
mod privacy;
mod publishing;
mod restarts;
mod sidecar;
mod support;
