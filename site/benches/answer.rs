//! The hot path in two layers: what an edition answers, and the routes and middleware around that.

#![expect(clippy::unwrap_used, reason = "a benchmark that can't go on has failed")]

use std::{fs, hint::black_box, path::Path, sync::Arc};

use criterion::{BatchSize, Criterion};
use futures_util::FutureExt;
use poem::{
    Endpoint, Request,
    http::{
        HeaderMap, HeaderValue,
        header::{ACCEPT_ENCODING, IF_NONE_MATCH},
    },
};
use site::{
    app::{Site, app},
    assets::Assets,
    config::Endpoint as SidecarEndpoint,
    contact::{guard::Guard, outbox::Outbox},
    edition,
    publisher::{ContentSource, Publisher},
    sidecar::{FragmentKey, Sidecar},
};

fn main() {
    let state = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let site = runtime.block_on(published(state.path()));
    let app = app(Arc::clone(&site));
    let current = site.publisher.current();
    let edition = current.as_ref().unwrap();

    let mut browser = HeaderMap::new();
    browser.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip, deflate, br, zstd"));
    let mut returning = browser.clone();
    let kept = edition.resource("/").unwrap().answer(&browser).headers()["etag"].clone();
    returning.insert(IF_NONE_MATCH, kept);

    let mut criterion = Criterion::default().configure_from_args();
    for (visitor, headers) in [("first visit", &browser), ("revalidation", &returning)] {
        criterion.bench_function(&format!("edition, {visitor}"), |bencher| {
            bencher.iter(|| edition.resource(black_box("/")).unwrap().answer(black_box(headers)));
        });
        criterion.bench_function(&format!("app, {visitor}"), |bencher| {
            bencher.iter_batched(
                || request(headers),
                // The answer comes from memory: a page that waited for anything would end this.
                |request| app.call(request).now_or_never().unwrap().unwrap(),
                BatchSize::SmallInput,
            );
        });
    }
    criterion.final_summary();
}

fn request(headers: &HeaderMap) -> Request {
    let mut request = Request::builder().uri_str("/").finish();
    *request.headers_mut() = headers.clone();
    request
}

/// A site that serves the real pages, but for stand-ins in the place of rendered sections: how long
/// a page is makes no difference to an answer.
async fn published(state: &Path) -> Arc<Site> {
    let source = ContentSource::new(None);
    let bundle = Assets::load().unwrap().bundle().to_owned();
    let folder = state.join("fragments");
    fs::create_dir_all(&folder).unwrap();
    for section in edition::sections(&source.load().unwrap()) {
        let key = FragmentKey::new(&bundle, &section);
        fs::write(folder.join(key.as_str()), "<p>A section</p>").unwrap();
    }
    let sidecar = Sidecar::new(&SidecarEndpoint::Unix(state.join("ssr.sock"))).unwrap();
    let publisher = Publisher::new(source, sidecar.clone(), state).unwrap();
    publisher.publish().await.unwrap();
    let database = format!("sqlite://{}?mode=rwc", state.join("contact.db").display());
    let outbox = Outbox::new(&database).unwrap();
    Arc::new(Site::new(publisher, outbox, Guard::new(Vec::new()), sidecar, false))
}
