//! The one route table, and what stands in front of it.

use std::{future::ready, path::PathBuf, sync::Arc, time::Instant};

use poem::{
    Endpoint, EndpointExt, Error, IntoResponse, Request, Response, Result, Route, RouteMethod,
    error::{MethodNotAllowedError, NotFoundError},
    get, handler,
    http::{
        HeaderMap, HeaderValue, Method, StatusCode, Version,
        header::{ALLOW, HOST},
        uri::Authority,
    },
    middleware::CatchPanic,
};
use tracing::Instrument;

use crate::{
    metrics::Trouble,
    routes::{contact, development, earlier, operator},
    state::App,
};

/// The methods of what can only be read.
const READING: &str = "GET, HEAD";

/// Everything that the site answers; a development server, which shows the problems that it finds
/// in a folder, has a few routes more.
pub fn router(app: Arc<App>, problems: Option<PathBuf>) -> impl Endpoint<Output = Response> {
    let mut routes = Route::new()
        .at("/contact", allow("GET, HEAD, POST", get(no_page).post(contact::submit)))
        .at("/assets/:name", allow(READING, get(earlier::file)));
    if let Some(problems) = problems {
        routes = development::add(routes, problems);
    }
    with_error_views(Arc::clone(&app), routes.data(app))
}

/// What is answered to whoever watches over the site.
pub fn operator_router(app: Arc<App>) -> impl Endpoint<Output = Response> {
    let every = app.publisher.every_answer().clone();
    let routes = Route::new()
        .at("/health", get(operator::health))
        .at("/ready", get(operator::ready))
        .at("/metrics", get(operator::metrics));
    routes.data(app).map_to_response().after(move |mut answer: Result<Response>| {
        if let Ok(answer) = &mut answer {
            every.complete(answer.headers_mut());
        }
        ready(answer)
    })
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

/// Answers what the edition holds, hands the rest to the routes, and shows a failure or a panic of
/// any of it as the error view.
pub fn with_error_views(
    app: Arc<App>,
    routes: impl Endpoint + 'static,
) -> impl Endpoint<Output = Response> {
    let after_panic = Arc::clone(&app);
    let show_panic = move |_| {
        let edition = after_panic.publisher.current();
        edition.error(StatusCode::INTERNAL_SERVER_ERROR).answer(&Method::GET, &HeaderMap::new())
    };
    Front { app, routes: routes.map_to_response() }
        .with(CatchPanic::new().with_handler(show_panic))
        .map_to_response()
}

/// Answers from the edition first, then from the routes.
struct Front<E> {
    app: Arc<App>,
    routes: E,
}

impl<E: Endpoint<Output = Response>> Endpoint for Front<E> {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        if self.app.request_log {
            return Ok(self.logged(request).await);
        }
        match self.held(&request) {
            Ok(answer) => Ok(answer),
            Err(known) => Ok(self.routed(request, known).await),
        }
    }
}

impl<E: Endpoint<Output = Response>> Front<E> {
    /// What the edition answers; otherwise whether it has something at the path, for other methods.
    fn held(&self, request: &Request) -> Result<Response, bool> {
        let edition = self.app.publisher.current();
        let (method, headers) = (request.method(), request.headers());
        if !has_one_host(request) {
            return Ok(edition.error(StatusCode::BAD_REQUEST).answer(method, headers));
        }
        let resource = edition.resource(request.uri().path());
        if let (Some(resource), &(Method::GET | Method::HEAD)) = (resource, method) {
            let answer = resource.answer(method, headers);
            self.app.metrics.held(answer.status() == StatusCode::NOT_MODIFIED);
            return Ok(answer);
        }
        Err(resource.is_some())
    }

    /// What the routes answer, with an id that the log has, too.
    async fn routed(&self, request: Request, known: bool) -> Response {
        let (method, headers) = (request.method().clone(), request.headers().clone());
        let kind = match request.uri().path() {
            "/contact" if method == Method::POST => "form",
            path if path.starts_with("/assets/") => "earlier_file",
            _ => "other",
        };
        let id = format!("{:016x}", rand::random::<u64>());
        let begun = Instant::now();
        let answered = self.routes.call(request).instrument(tracing::info_span!("request", id));
        let mut response = answered.await.unwrap_or_else(|error| {
            // poem reports 404 where it has no route; what the edition holds refuses other methods.
            let error =
                if known && error.is::<NotFoundError>() { not_allowed(READING) } else { error };
            self.error_view(error, &method, &headers)
        });
        self.app.publisher.every_answer().complete(response.headers_mut());
        if let Ok(id) = HeaderValue::try_from(id) {
            response.headers_mut().insert("x-request-id", id);
        }
        self.app.metrics.answered(kind, response.status().as_u16());
        if kind == "form" {
            self.app.metrics.form_took(begun.elapsed());
        }
        response
    }

    /// The same with a line in the log: never the query, which may hold what somebody typed.
    async fn logged(&self, request: Request) -> Response {
        let begun = Instant::now();
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let response = match self.held(&request) {
            Ok(answer) => answer,
            Err(known) => self.routed(request, known).await,
        };
        let id = response.headers().get("x-request-id").and_then(|id| id.to_str().ok());
        let (status, took) = (response.status().as_u16(), begun.elapsed());
        tracing::info!(request.id = id, %method, path, status, ?took, "answered");
        response
    }

    /// The view with the error's status; its cause goes to the log, never to the visitor.
    fn error_view(&self, error: Error, method: &Method, headers: &HeaderMap) -> Response {
        let status = error.status();
        if status.is_server_error() {
            self.app.metrics.trouble(Trouble::Failed, &error.to_string());
        }
        let allow = error.into_response().headers_mut().remove(ALLOW);
        let mut response = self.app.publisher.current().error(status).answer(method, headers);
        response.headers_mut().extend(allow.map(|methods| (ALLOW, methods)));
        response
    }
}

/// Whether the request names its host as it must: once, and as a host (RFC 9112, section 3.2).
fn has_one_host(request: &Request) -> bool {
    let is_host = |host: &HeaderValue| {
        let authority = Authority::try_from(host.as_bytes());
        authority.is_ok_and(|host| !host.host().is_empty() && !host.as_str().contains('@'))
    };
    let mut hosts = request.headers().get_all(HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => is_host(host),
        (None, _) => request.version() < Version::HTTP_11,
        (Some(_), Some(_)) => false,
    }
}
