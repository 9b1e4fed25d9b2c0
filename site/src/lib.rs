//! The public site of a game-server host.
//!
//! The [`copy`] holds every word; it is the props of the [`sections`]. [`views`] lay pages out and
//! ask [`fragments`] for the sections, which the [`sidecar`] renders; an [`edition`] holds every
//! page as final bytes; the [`publisher`] swaps a new edition in when the copy or the [`assets`]
//! change. The [`router`] answers requests from the current one, the [`server`] drives the
//! connections, [`app`] puts it all together. [`contact`] takes messages.
//!
//! Inside, errors are `anyhow` with context; at the HTTP edge each becomes a status and the error
//! view. A failure is logged once, where it is handled, and never with a visitor's data.

pub mod app;
pub mod assets;
pub mod builds;
pub mod compression;
pub mod config;
pub mod contact;
pub mod contract;
pub mod copy;
pub mod edition;
pub mod export;
pub mod form;
pub mod fragments;
pub mod headers;
pub mod kept;
pub mod messages;
pub mod metrics;
pub mod private;
pub mod publisher;
pub mod resource;
pub mod router;
pub mod routes;
pub mod routines;
pub mod sections;
pub mod server;
pub mod sidecar;
pub mod state;
pub mod status;
pub mod svg;
pub mod telemetry;
pub mod template;
pub mod unseen;
pub mod views;
