//! The public site of a game-server host.
//!
//! Copy ([`content`]) becomes typed [`sections`]; the [`sidecar`] renders them to [`fragments`];
//! [`views`] lay pages out around those; an [`edition`] holds every page as final bytes; the
//! [`publisher`] swaps a new edition in when the copy or the [`assets`] change; [`app`] answers
//! requests from the current one, [`server`] drives the connections. [`contact`] takes messages.
//!
//! Inside, errors are `anyhow` with context; at the HTTP edge each becomes a status and the error
//! view. A failure is logged once, where it is handled, and never with a visitor's data.

pub mod app;
pub mod assets;
pub mod config;
pub mod contact;
pub mod content;
pub mod edition;
pub mod encodings;
pub mod export;
pub mod fragments;
pub mod messages;
pub mod publisher;
pub mod resource;
pub mod routes;
pub mod routines;
pub mod sections;
pub mod server;
pub mod sidecar;
pub mod telemetry;
pub mod views;
