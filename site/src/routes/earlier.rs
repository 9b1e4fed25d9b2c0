//! Files of other builds than the one that is being served.

use std::sync::Arc;

use poem::{
    Request, Response, Result,
    error::NotFoundError,
    handler,
    http::StatusCode,
    web::{Data, Path},
};
use tokio::task::spawn_blocking;

use crate::{resource::of_a_route, state::App};

/// The file, as long as its build is kept; the edition has answered for its own before.
#[handler]
pub async fn file(
    Path(name): Path<String>,
    app: Data<&Arc<App>>,
    request: &Request,
) -> Result<Response> {
    let publisher = Arc::clone(&app.publisher);
    let found = spawn_blocking(move || publisher.builds().find(&name)).await;
    let found = found.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    let file = found.ok_or(NotFoundError)?;
    Ok(of_a_route(file.answer(request.method(), request.headers())))
}
