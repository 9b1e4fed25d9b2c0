//! For whoever watches over the site.

use std::sync::{Arc, atomic::Ordering};

use poem::{
    IntoResponse, Response, handler,
    http::{StatusCode, header},
    web::{Data, Json},
};
use serde_json::json;

use crate::app::Site;

/// 200 once pages are being served, 503 before; says how often plain HTML stood in for a section.
#[handler]
pub fn health(site: Data<&Arc<Site>>) -> Response {
    let edition = site.publisher.current();
    let (status, bundle) = match edition.as_ref() {
        Some(edition) => (StatusCode::OK, Some(edition.assets().bundle())),
        None => (StatusCode::SERVICE_UNAVAILABLE, None),
    };
    Json(json!({
        "status": if bundle.is_some() { "ok" } else { "no edition yet" },
        "bundle": bundle,
        "plainForms": site.plain_forms.load(Ordering::Relaxed),
    }))
    .with_header(header::CACHE_CONTROL, "no-store")
    .with_status(status)
    .into_response()
}
