//! For whoever watches over the site.

use std::sync::Arc;

use poem::{
    IntoResponse, Response, handler,
    http::{StatusCode, header},
    web::{Data, Json},
};
use serde_json::json;

use crate::state::App;

/// 200 once pages are being served, 503 before.
#[handler]
pub fn health(app: Data<&Arc<App>>) -> Response {
    let edition = app.publisher.current();
    let (status, word) = if edition.is_available() {
        (StatusCode::OK, "ok")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "no edition yet")
    };
    Json(json!({ "status": word, "bundle": edition.assets().bundle() }))
        .with_header(header::CACHE_CONTROL, "no-store")
        .with_status(status)
        .into_response()
}
