//! Requests of any kind: none makes a panic, and every answer has what protects visitors.

#![no_main]

use std::{
    path::Path,
    sync::{Arc, LazyLock},
};

use libfuzzer_sys::fuzz_target;
use poem::{
    Endpoint, Request,
    http::{HeaderName, HeaderValue, Method, Uri},
};
use site::{
    config::{Handling, SidecarAddress},
    contact::{guard::Guard, outbox::Outbox},
    headers::EveryAnswer,
    publisher::{Audience, CopySource, Publisher},
    router::router,
    sidecar::Sidecar,
    state::App,
};
use tokio::runtime::{Builder, Runtime};

/// A site without an edition, a sidecar and a database: what is asked is all that varies.
static APP: LazyLock<(Runtime, Arc<App>)> = LazyLock::new(|| {
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let _inside = runtime.enter();
    let nowhere = Path::new("/nonexistent");
    let copy = concat!(env!("CARGO_MANIFEST_DIR"), "/../site/tests/site.toml");
    let sidecar = Sidecar::new(&SidecarAddress::Unix(nowhere.join("ssr.sock"))).expect("a client");
    let every = EveryAnswer::new(HeaderValue::from_static("max-age=0"));
    let source = CopySource::File(copy.into());
    let handling = Handling { mailed: false, retention_days: None };
    let publisher = Publisher::new(source, Audience::Visitors, handling, sidecar, nowhere, every).expect("built assets");
    let outbox = Outbox::new("sqlite:///nonexistent/contact.db").expect("an address");
    let app = App::new(Arc::new(publisher), outbox, Guard::new(vec!["0.0.0.0/0".parse().expect("a network")]));
    drop(_inside);
    (runtime, Arc::new(app))
});

fuzz_target!(|input: (u8, &str, Vec<(&str, &[u8])>, &[u8])| {
    let (method, uri, headers, body) = input;
    let methods = [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::OPTIONS];
    let Ok(uri) = uri.parse::<Uri>() else { return };
    let mut request = Request::builder()
        .method(methods[usize::from(method) % methods.len()].clone())
        .uri(uri)
        .body(body.to_vec());
    for (name, value) in headers {
        let name = name.parse::<HeaderName>();
        if let (Ok(name), Ok(value)) = (name, HeaderValue::from_bytes(value)) {
            request.headers_mut().append(name, value);
        }
    }
    let (runtime, app) = &*APP;
    let answer = runtime.block_on(router(Arc::clone(app), None).get_response(request));
    for name in ["x-content-type-options", "content-security-policy", "cache-control"] {
        assert!(answer.headers().contains_key(name), "{name}: {answer:?}");
    }
    assert_ne!(answer.status(), 500);
});
