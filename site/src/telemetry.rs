//! The log: one line for an event, to standard error.

use std::{
    io::{self, IsTerminal},
    panic,
};

use anyhow::Context;
use tracing_subscriber::EnvFilter;

use crate::config::LogFormat;

/// Starts logging what the filter directives let through.
pub fn init(directives: &str, format: LogFormat) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(directives).with_context(|| {
        format!("RUST_LOG is \"{directives}\"; expected directives such as info or site=debug")
    })?;
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_target(false)
        .with_ansi(io::stderr().is_terminal())
        // A line that can't be written would be reported on standard error, and that report panics.
        .log_internal_errors(false)
        .with_writer(io::stderr);
    match format {
        LogFormat::Text => log.init(),
        LogFormat::Json => {
            log.json().flatten_event(true).init();
            // As an object, too.
            panic::set_hook(Box::new(
                |panic| tracing::error!(panic = %panic, "a fault of the site"),
            ));
        }
    }
    Ok(())
}
