//! The log: one line for an event, to standard error.

use std::io::{self, IsTerminal};

use anyhow::Context;
use tracing_subscriber::EnvFilter;

/// Starts logging what the filter directives let through.
pub fn init(directives: &str) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(directives).with_context(|| {
        format!("RUST_LOG is \"{directives}\"; expected directives such as info or site=debug")
    })?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_target(false)
        .with_ansi(io::stderr().is_terminal())
        .with_writer(io::stderr)
        .init();
    Ok(())
}
