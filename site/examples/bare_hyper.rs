//! The least that a server can do: the pages of the site, in the same bytes and with the same
//! headers, from hyper alone. `make bench` measures the site against it.
//!
//! It reads the variables that the site reads, and needs what a site has kept in `STATE_DIR`, or
//! a sidecar.

use std::{collections::HashMap, convert::Infallible, future::ready, sync::Arc};

use bytes::Bytes;
use http_body_util::Full;
use hyper::{
    Method, Request, Response, StatusCode,
    body::Incoming,
    header::{ACCEPT_ENCODING, HeaderMap, HeaderValue},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use site::{app, config::Config, edition::Edition, publisher::Audience, resource::Resource};
use tokio::net::TcpListener;

type Answer = Response<Full<Bytes>>;

/// A page, ready to be sent.
struct Page {
    br: Answer,
    gzip: Answer,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let config = Config::from_env()?;
    let publisher = Arc::new(app::publisher(&config, Audience::Command)?);
    publisher.publish().await?;
    let pages = Arc::new(pages(&publisher.current()));

    let listener = TcpListener::bind(config.listen()).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        let pages = Arc::clone(&pages);
        tokio::spawn(async move {
            let service =
                service_fn(|request| ready(Ok::<_, Infallible>(answer(&pages, &request))));
            // A client that breaks off is no failure of the server.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

fn pages(edition: &Edition) -> HashMap<String, Page> {
    let mut pages = HashMap::new();
    for (path, resource) in edition.resources() {
        let br = encoded(resource, "br");
        let gzip = encoded(resource, "gzip");
        pages.insert(path.to_owned(), Page { br, gzip });
    }
    pages
}

/// What the site answers to a visitor who accepts this encoding.
fn encoded(resource: &Resource, coding: &'static str) -> Answer {
    let mut request = HeaderMap::new();
    request.insert(ACCEPT_ENCODING, HeaderValue::from_static(coding));
    resource.answer(&Method::GET, &request).map(Full::new)
}

fn answer(pages: &HashMap<String, Page>, request: &Request<Incoming>) -> Answer {
    let Some(page) = pages.get(request.uri().path()) else {
        let mut nothing = Response::new(Full::default());
        *nothing.status_mut() = StatusCode::NOT_FOUND;
        return nothing;
    };
    let accepted = request.headers().get(ACCEPT_ENCODING).map_or(&b""[..], HeaderValue::as_bytes);
    let takes_br = accepted.windows(2).any(|pair| pair == b"br");
    if takes_br { page.br.clone() } else { page.gzip.clone() }
}
