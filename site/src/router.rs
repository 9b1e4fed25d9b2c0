//! The one route table, and what stands in front of it.

use std::{
    future::ready,
    net::Ipv6Addr,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::Arc,
    time::Instant,
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
use tracing::Instrument;

use crate::{
    metrics::Trouble,
    resource::{Caching, of_a_route},
    routes::{
        contact, development, earlier,
        operator::{self, Delivers},
    },
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
        .at("/assets/:name", allow(READING, get(earlier::file)));
    if let Some(problems) = problems {
        routes = development::add(routes, problems);
    }
    with_error_views(Arc::clone(&app), routes.data(app))
}

/// What is answered to whoever watches over the site; `delivers` says whether mails are sent.
pub fn operator_router(app: Arc<App>, delivers: bool) -> impl Answers {
    let every = app.publisher.every_answer().clone();
    let routes = Route::new()
        .at("/health", allow(READING, get(operator::health)))
        .at("/ready", allow(READING, get(operator::ready)))
        .at("/metrics", allow(READING, get(operator::metrics)));
    let routes = routes.data(app).data(Delivers(delivers)).map_to_response();
    Routes(routes.after(move |answer: Result<Response>| {
        let mut answer = answer.unwrap_or_else(Error::into_response);
        every.complete(answer.headers_mut());
        ready(Ok(answer))
    }))
}

/// Routes with nothing before them.
struct Routes<E>(E);

impl<E: Endpoint<Output = Response>> Endpoint for Routes<E> {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        self.0.call(request).await
    }
}

impl<E: Endpoint<Output = Response>> Answers for Routes<E> {}

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

/// What a server answers with.
pub trait Answers: Endpoint<Output = Response> {
    /// The answer that needs no route, if there is one.
    fn at_hand(
        &self,
        _asked: (&Method, &str, Version),
        _headers: &HeaderMap,
    ) -> Option<http::Response<Bytes>> {
        None
    }
}

/// Answers from the edition first, then from the routes.
pub struct Front<E> {
    app: Arc<App>,
    routes: E,
}

impl<E: Endpoint<Output = Response>> Answers for Front<E> {
    /// What the edition holds, or the refusal of a request that doesn't name its host; nothing where
    /// each request is logged.
    fn at_hand(
        &self,
        asked: (&Method, &str, Version),
        headers: &HeaderMap,
    ) -> Option<http::Response<Bytes>> {
        if self.app.request_log { None } else { self.held(asked, headers) }
    }
}

/// What a visitor gets whose request brought about a panic, which has been logged by then.
fn after_a_panic(app: &App) -> http::Response<Bytes> {
    app.metrics.trouble(Trouble::Failed, "a panic, of which the log has a line");
    let edition = app.publisher.current();
    edition.error(StatusCode::INTERNAL_SERVER_ERROR).answer(&Method::GET, &HeaderMap::new())
}

impl<E: Endpoint<Output = Response>> Endpoint for Front<E> {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let asked = (request.method(), request.uri().path(), request.version());
        Ok(match self.at_hand(asked, request.headers()) {
            Some(answer) => of_a_route(answer),
            None => self.identified(request).await,
        })
    }
}

impl<E: Endpoint<Output = Response>> Front<E> {
    fn held(
        &self,
        (method, path, version): (&Method, &str, Version),
        headers: &HeaderMap,
    ) -> Option<http::Response<Bytes>> {
        let begun = Instant::now();
        let answer = || {
            let edition = self.app.publisher.current();
            // Without a path it asks for an authority, as only a proxy is asked (RFC 9112, section 3.2.3).
            if path.is_empty() || !has_one_host(version, headers) {
                self.app.metrics.answered("other", 400, begun.elapsed());
                return Some(edition.error(StatusCode::BAD_REQUEST).answer(method, headers));
            }
            let is_read = matches!(*method, Method::GET | Method::HEAD);
            let resource = edition.resource(path).filter(|_| is_read)?;
            let answer = resource.answer(method, headers);
            self.app.metrics.held(answer.status().as_u16(), begun.elapsed());
            Some(answer)
        };
        catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|_| Some(after_a_panic(&self.app)))
    }

    /// The answer with an id that all that is logged about the request has, too.
    async fn identified(&self, request: Request) -> Response {
        let id = format!("{:016x}", rand::random::<u64>());
        let answered = self.logged(request).instrument(tracing::info_span!("request", id));
        let mut response = answered.await;
        if let Ok(id) = HeaderValue::try_from(id) {
            response.headers_mut().insert("x-request-id", id);
        }
        response
    }

    /// The answer, and a line in the log if each request has one: never with the query, which may
    /// hold what somebody typed.
    async fn logged(&self, request: Request) -> Response {
        if !self.app.request_log {
            return self.found(request).await;
        }
        let begun = Instant::now();
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let asked = (&method, path.as_str(), request.version());
        let response = match self.held(asked, request.headers()) {
            Some(answer) => of_a_route(answer),
            None => self.found(request).await,
        };
        let (status, took) = (response.status().as_u16(), begun.elapsed());
        tracing::info!(%method, path, status, ?took, "answered");
        response
    }

    /// What isn't held: another way to write the address of a page, or what the routes answer.
    async fn found(&self, request: Request) -> Response {
        let begun = Instant::now();
        // Let go before the routes answer: whoever sends a form slowly keeps no edition alive.
        let (known, page) = {
            let edition = self.app.publisher.current();
            let known = edition.resource(request.uri().path()).is_some();
            let may_move = !known && edition.is_available();
            (known, views::meant(request.uri().path()).filter(|_| may_move))
        };
        let (kind, mut response) = match page {
            Some(page) => ("moved", moved(page, request.uri().query())),
            None => (kind(&request), self.routed(request, known).await),
        };
        self.app.publisher.every_answer().complete(response.headers_mut());
        self.app.metrics.answered(kind, response.status().as_u16(), begun.elapsed());
        response
    }

    /// What the routes answer; `known` says whether the edition holds the path.
    async fn routed(&self, request: Request, known: bool) -> Response {
        let (method, headers) = (request.method().clone(), request.headers().clone());
        self.routes.call(request).await.unwrap_or_else(|error| {
            // poem reports 404 where it has no route; what the edition holds refuses other methods.
            let error =
                if known && error.is::<NotFoundError>() { not_allowed(READING) } else { error };
            self.error_view(error, &method, &headers)
        })
    }

    /// The view with the error's status; its cause goes to the log, never to the visitor.
    fn error_view(&self, error: Error, method: &Method, headers: &HeaderMap) -> Response {
        let status = error.status();
        if status.is_server_error() {
            self.app.metrics.trouble(Trouble::Failed, &error.to_string());
        }
        let allow = error.into_response().headers_mut().remove(ALLOW);
        let mut answer = self.app.publisher.current().error(status).answer(method, headers);
        answer.headers_mut().extend(allow.map(|methods| (ALLOW, methods)));
        of_a_route(answer)
    }
}

/// What the routes are asked for, as the metrics name it.
fn kind(request: &Request) -> &'static str {
    match request.uri().path() {
        "/contact" if request.method() == Method::POST => "form",
        path if path.starts_with("/assets/") => "earlier_file",
        _ => "other",
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
        let Ok(authority) = Authority::try_from(host.as_bytes()) else { return false };
        let host = authority.host();
        let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        let port = authority.as_str().strip_prefix(host).map(|port| port.trim_start_matches(':'));
        !host.is_empty()
            && address.is_none_or(|address| address.parse::<Ipv6Addr>().is_ok())
            && port.is_some_and(|port| port.bytes().all(|digit| digit.is_ascii_digit()))
    };
    let mut hosts = headers.get_all(HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => is_host(host),
        (None, _) => version < Version::HTTP_11,
        (Some(_), Some(_)) => false,
    }
}
