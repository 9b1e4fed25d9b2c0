//! The one route table, and what stands in front of it.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::Arc,
};

use bytes::Bytes;
use poem::{
    Endpoint, EndpointExt, Error, IntoResponse, Request, Response, Result, Route, RouteMethod,
    error::{MethodNotAllowedError, NotFoundError},
    get, handler,
    http::{
        self, HeaderMap, HeaderValue, Method, StatusCode, Version,
        header::{ALLOW, CACHE_CONTROL, HOST, LOCATION},
        uri::Authority,
    },
    middleware::CatchPanic,
};

use crate::{
    resource::{Caching, of_a_route},
    routes::{contact, development, health},
    state::App,
    views::{self, Page},
};

/// The methods of what can only be read.
const READING: &str = "GET, HEAD";

/// Everything that the site answers; a development server, which shows the problems that it finds
/// in a folder, has a few routes more.
pub fn router(app: Arc<App>, problems: Option<PathBuf>) -> Front<impl Endpoint<Output = Response>> {
    let mut routes = Route::new()
        .at("/contact", allow("GET, HEAD, POST", get(no_page).post(contact::submit)))
        .at("/health", allow(READING, get(health::health)));
    if let Some(problems) = problems {
        routes = development::add(routes, problems);
    }
    with_error_views(Arc::clone(&app), routes.data(app))
}

/// Reached only while there is no edition: otherwise GET is answered before the routes.
#[handler]
fn no_page() -> Result<()> {
    Err(NotFoundError.into())
}

/// Names the methods that a path knows when it is asked with another one (RFC 9110, section 15.5.6).
fn allow(methods: &'static str, endpoint: RouteMethod) -> impl Endpoint<Output = Response> {
    endpoint.after(move |result| async move {
        result.map_err(|error| {
            if error.is::<MethodNotAllowedError>() { not_allowed(methods) } else { error }
        })
    })
}

fn not_allowed(methods: &'static str) -> Error {
    let refusal = StatusCode::METHOD_NOT_ALLOWED.with_header(ALLOW, methods);
    Error::from_response(refusal.into_response())
}

/// Puts the edition before the routes, and shows a failure or a panic of either as the error view.
pub fn with_error_views(
    app: Arc<App>,
    routes: impl Endpoint + 'static,
) -> Front<impl Endpoint<Output = Response>> {
    let after_panic = Arc::clone(&app);
    let show_panic = move |_| of_a_route(after_a_panic(&after_panic));
    let routes = routes.map_to_response().with(CatchPanic::new().with_handler(show_panic));
    Front { app, routes: routes.map_to_response() }
}

/// Answers from the edition first, then from the routes.
pub struct Front<E> {
    app: Arc<App>,
    routes: E,
}

impl<E> Front<E> {
    /// The answer that needs no route: what the edition holds, or the refusal of a request that
    /// doesn't name its host.
    pub fn at_hand(
        &self,
        (method, path, version): (&Method, &str, Version),
        headers: &HeaderMap,
    ) -> Option<http::Response<Bytes>> {
        let answer = || {
            let edition = self.app.publisher.current();
            if !has_one_host(version, headers) {
                return Some(edition.error(StatusCode::BAD_REQUEST).answer(method, headers));
            }
            let is_read = matches!(*method, Method::GET | Method::HEAD);
            let resource = edition.resource(path).filter(|_| is_read)?;
            Some(resource.answer(method, headers))
        };
        catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|_| Some(after_a_panic(&self.app)))
    }
}

/// What a visitor gets whose request brought about a panic, which has been logged by then.
fn after_a_panic(app: &App) -> http::Response<Bytes> {
    let edition = app.publisher.current();
    edition.error(StatusCode::INTERNAL_SERVER_ERROR).answer(&Method::GET, &HeaderMap::new())
}

impl<E: Endpoint<Output = Response>> Endpoint for Front<E> {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let asked = (request.method(), request.uri().path(), request.version());
        if let Some(answer) = self.at_hand(asked, request.headers()) {
            return Ok(of_a_route(answer));
        }
        let held = {
            let edition = self.app.publisher.current();
            let held = edition.resource(request.uri().path()).is_some();
            if !held
                && edition.is_available()
                && let Some(page) = views::meant(request.uri().path())
            {
                return Ok(moved(page, request.uri().query()));
            }
            held
        };
        let (method, headers) = (request.method().clone(), request.headers().clone());
        self.routes.call(request).await.or_else(|error| {
            // poem reports 404 where it has no route; what the edition holds refuses other methods.
            let error =
                if held && error.is::<NotFoundError>() { not_allowed(READING) } else { error };
            Ok(self.error_view(error, &method, &headers))
        })
    }
}

impl<E> Front<E> {
    /// The view with the error's status; its cause goes to the log, never to the visitor.
    fn error_view(&self, error: Error, method: &Method, headers: &HeaderMap) -> Response {
        let status = error.status();
        if status.is_server_error() {
            tracing::error!(%error, "a route failed");
        }
        let allow = error.into_response().headers_mut().remove(ALLOW);
        let mut answer = self.app.publisher.current().error(status).answer(method, headers);
        answer.headers_mut().extend(allow.map(|methods| (ALLOW, methods)));
        of_a_route(answer)
    }
}

/// Leads to the one address of a page. The method stays, so that a form isn't lost (RFC 9110,
/// section 15.4.9).
fn moved(page: &Page, query: Option<&str>) -> Response {
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    StatusCode::PERMANENT_REDIRECT
        .with_header(LOCATION, format!("{}{query}", page.path))
        .with_header(CACHE_CONTROL, Caching::Fixed.value())
        .into_response()
}

/// Whether the request names its host as it must: once, and as a host (RFC 9112, section 3.2).
fn has_one_host(version: Version, headers: &HeaderMap) -> bool {
    let is_host = |host: &HeaderValue| {
        let authority = Authority::try_from(host.as_bytes());
        authority.is_ok_and(|host| !host.host().is_empty() && !host.as_str().contains('@'))
    };
    let mut hosts = headers.get_all(HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => is_host(host),
        (None, _) => version < Version::HTTP_11,
        (Some(_), Some(_)) => false,
    }
}
