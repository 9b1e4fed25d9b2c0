//! Pages and files: whatever the current edition holds at the path.

use std::sync::Arc;

use poem::{Endpoint, Request, Response, Result, handler, http::Method, web::Data};

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

/// Answers a GET for what the edition holds before it comes to the routes: to find one's way
/// through them costs more than the answer.
pub struct Shortcut<E> {
    /// Holds the publisher.
    pub site: Arc<Site>,
    /// The routes, for everything else.
    pub routes: E,
}

impl<E: Endpoint<Output = Response>> Endpoint for Shortcut<E> {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        if request.method() == Method::GET
            && let Some(edition) = self.site.publisher.current().as_ref()
            && let Some(resource) = edition.resource(request.uri().path())
        {
            return Ok(resource.answer(request.headers()));
        }
        self.routes.call(request).await
    }
}
