//! Pages and files: whatever the current edition holds at the path.

use std::sync::Arc;

use poem::{Request, Response, handler, web::Data};

use crate::app::Site;

/// Answers from memory; what the edition doesn't hold is not found.
#[handler]
pub fn serve(request: &Request, site: Data<&Arc<Site>>) -> Response {
    let edition = site.publisher.current();
    let Some(edition) = edition.as_ref() else {
        return site.publisher.unavailable().answer(request.headers());
    };
    edition.resource(request.uri().path()).unwrap_or(edition.not_found()).answer(request.headers())
}
