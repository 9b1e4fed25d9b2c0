//! The one route table, the middleware around it, and what runs beside it.

use std::{
    future::Future,
    sync::{Arc, atomic::AtomicU64},
    time::Duration,
};

use poem::{
    Endpoint, EndpointExt, Error, IntoResponse, Response, Route, RouteMethod,
    error::MethodNotAllowedError,
    get,
    http::{HeaderMap, StatusCode, header},
    middleware::CatchPanic,
};
use tokio::{
    net::TcpListener,
    sync::{Notify, Semaphore},
};

use crate::{
    contact::{guard::Guard, outbox::Outbox},
    publisher::Publisher,
    routes::{contact, development, health, pages},
    server,
    sidecar::Sidecar,
};

/// How long requests, and then a mail on its way, may go on after the site was told to stop.
pub const SHUTDOWN_GRACE: Duration = Duration::from_secs(10);
/// How many visitors' forms the sidecar renders at once; more are answered in plain HTML.
const RENDERS_AT_ONCE: usize = 4;

/// What the handlers share.
pub struct Site {
    /// Holds the pages.
    pub publisher: Publisher,
    /// Takes the messages.
    pub outbox: Outbox,
    /// Renders the form of a visitor who made a mistake.
    pub sidecar: Sidecar,
    /// Decides who may send a message.
    pub guard: Guard,
    /// Wakes the delivery when a message has been stored.
    pub stored: Notify,
    /// Admits to the sidecar.
    pub renders: Semaphore,
    /// How often plain HTML stood in for a form that the sidecar did not render in time.
    pub plain_forms: AtomicU64,
    /// Whether this is a development server.
    pub development: bool,
}

impl Site {
    /// Puts together what the handlers share.
    pub fn new(
        publisher: Publisher,
        outbox: Outbox,
        guard: Guard,
        sidecar: Sidecar,
        development: bool,
    ) -> Self {
        Self {
            publisher,
            outbox,
            guard,
            sidecar,
            stored: Notify::new(),
            renders: Semaphore::new(RENDERS_AT_ONCE),
            plain_forms: AtomicU64::new(0),
            development,
        }
    }
}

/// The route table and the middleware.
pub fn app(site: Arc<Site>) -> impl Endpoint<Output = Response> {
    let reading = "GET, HEAD";
    let mut routes = Route::new()
        .at("/", allow(reading, get(pages::serve)))
        .at("/pricing", allow(reading, get(pages::serve)))
        .at("/contact", allow("GET, HEAD, POST", get(pages::serve).post(contact::submit)))
        .at("/health", allow(reading, get(health::health)))
        .at("/*file", allow(reading, get(pages::serve)));
    if site.development {
        routes = routes
            .at("/_editions", get(development::editions))
            .at("/_preview", get(development::preview_index))
            .at("/_preview/:section/:index", get(development::preview_example));
    }
    let routes = with_error_view(routes.data(Arc::clone(&site)), Arc::clone(&site));
    pages::Shortcut { site, routes }
}

/// Answers a failed or panicking route with the error view.
pub fn with_error_view(
    routes: impl Endpoint + 'static,
    site: Arc<Site>,
) -> impl Endpoint<Output = Response> {
    let after_panic = Arc::clone(&site);
    routes
        .map_to_response()
        .catch_all_error(move |error| {
            let response = error_view(&site, error);
            async move { response }
        })
        .with(CatchPanic::new().with_handler(move |_| {
            error_view(
                &after_panic,
                Error::from_string("a handler panicked", StatusCode::INTERNAL_SERVER_ERROR),
            )
        }))
        .map_to_response()
}

/// Names the methods that a path knows when it is asked with another one (RFC 9110, section 15.5.6).
fn allow(methods: &'static str, endpoint: RouteMethod) -> impl Endpoint<Output = Response> {
    endpoint.after(move |result| async move {
        result.map_err(|error| {
            if !error.is::<MethodNotAllowedError>() {
                return error;
            }
            let refusal = StatusCode::METHOD_NOT_ALLOWED.with_header(header::ALLOW, methods);
            Error::from_response(refusal.into_response())
        })
    })
}

/// The error view with the error's status; its cause goes to the log, never to the visitor.
fn error_view(site: &Site, error: Error) -> Response {
    let status = error.status();
    if status.is_server_error() {
        tracing::error!(%error, "a route failed");
    }
    let allow = error.into_response().headers().get(header::ALLOW).cloned();
    let edition = site.publisher.current();
    let Some(edition) = edition.as_ref() else {
        return site.publisher.unavailable().answer(&HeaderMap::new());
    };
    let view = edition.error(status).map(|view| view.answer(&HeaderMap::new()));
    let mut response = view.unwrap_or_else(|error| {
        tracing::error!("the error view can't be laid out: {error:#}");
        status.into_response()
    });
    response.headers_mut().extend(allow.map(|methods| (header::ALLOW, methods)));
    response
}

/// Serves until told to stop, and publishes meanwhile.
pub async fn run(
    listener: TcpListener,
    site: Arc<Site>,
    shutdown: impl Future<Output = ()>,
) -> std::io::Result<()> {
    let publishing = Arc::clone(&site);
    let publisher = tokio::spawn(async move { publishing.publisher.run().await });
    // A page in development listens for news without end; a restart doesn't wait for it.
    let grace = if site.development { Duration::ZERO } else { SHUTDOWN_GRACE };
    let served = server::serve(listener, app(site), shutdown, grace).await;
    publisher.abort();
    served
}
