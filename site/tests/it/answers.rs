//! How the site answers whatever path, method, host and coding is asked for.

use std::io::Read;

use flate2::read::GzDecoder;
use poem::{
    Response,
    http::{Method, StatusCode, header},
};
use site::views::PAGES;

use crate::support::Harness;

/// One place gives these headers to whatever the site answers.
#[tokio::test]
async fn every_answer_has_what_protects_visitors() {
    let harness = Harness::published().await;
    let client = harness.client();
    let form = [("name", "Ada"), ("email", "ada@example.com"), ("message", "Hi"), ("website", "")];
    let assets = site::assets::Assets::load().unwrap();
    let (_, script) = assets.urls().next().unwrap();
    let answers = [
        client.get("/").send().await,
        client.head("/pricing").send().await,
        client.get("/").header("if-none-match", "*").send().await,
        client.get(script).send().await,
        client.get("/favicon.svg").send().await,
        client.get("/robots.txt").send().await,
        client.get("/no/such/page").send().await,
        client.post("/pricing").send().await,
        client.post("/contact").form(&form).send().await,
        client.post("/contact").header("accept", "application/json").form(&form).send().await,
        client.post("/contact").header("accept", "application/json").send().await,
        client.post("/contact").header("sec-fetch-site", "cross-site").send().await,
    ];
    for answer in answers {
        let answer = answer.0;
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("strict-transport-security", "max-age=63072000"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(answer.headers()[name], value, "{answer:?}");
        }
        for name in ["content-security-policy", "cache-control"] {
            assert!(answer.headers().contains_key(name), "{name}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn another_method_is_refused_with_the_methods_that_are_known() {
    let harness = Harness::published().await;
    let client = harness.client();
    for (method, path, allowed) in [
        (Method::POST, "/", "GET, HEAD"),
        (Method::PUT, "/pricing", "GET, HEAD"),
        (Method::DELETE, "/contact", "GET, HEAD, POST"),
        (Method::POST, "/favicon.ico", "GET, HEAD"),
    ] {
        let response = client.request(method, path).send().await;
        response.assert_status(StatusCode::METHOD_NOT_ALLOWED);
        response.assert_header(header::ALLOW, allowed);
        let body = response.0.into_body().into_string().await.unwrap();
        assert!(body.contains("Unexpected Application Error!"), "{body}");
        assert!(body.contains("405 Method Not Allowed"), "{body}");
    }
}

#[tokio::test]
async fn head_answers_like_get_without_a_body() {
    let harness = Harness::published().await;
    let client = harness.client();
    for path in ["/", "/pricing", "/contact", "/nowhere", "/robots.txt"] {
        let get = client.get(path).send().await.0;
        let head = client.head(path).send().await.0;
        assert_eq!(get.status(), head.status(), "{path}");
        let of = |answer: &Response| {
            let mut headers = answer.headers().clone();
            // What no page of the edition answers is another request each time.
            headers.remove("x-request-id");
            headers
        };
        assert_eq!(of(&get), of(&head), "{path}");
        assert!(head.into_body().into_bytes().await.unwrap().is_empty(), "{path}");
    }
}

#[tokio::test]
async fn a_panic_and_a_failure_show_the_error_view_and_nothing_of_the_cause() {
    let harness = Harness::published().await;
    let failing = poem::Route::new()
        .at("/panic", poem::endpoint::make_sync(|_| -> poem::Response { panic!("secret") }))
        .at(
            "/failure",
            poem::endpoint::make_sync(|_| {
                Err::<poem::Response, _>(poem::Error::from_string(
                    "secret",
                    StatusCode::BAD_GATEWAY,
                ))
            }),
        );
    let app = std::sync::Arc::clone(&harness.app);
    let failing = site::router::with_error_views(app, failing);
    let client = poem::test::TestClient::new(failing).default_header("host", "site");
    for (path, status) in [
        ("/panic", StatusCode::INTERNAL_SERVER_ERROR),
        ("/failure", StatusCode::INTERNAL_SERVER_ERROR),
    ] {
        let response = client.get(path).send().await;
        response.assert_status(status);
        let body = response.0.into_body().into_string().await.unwrap();
        assert!(body.contains("Unexpected Application Error!"), "{body}");
        assert!(body.contains(&status.to_string()), "{body}");
        assert!(!body.contains("secret"), "{body}");
    }
    let counted = harness.app.publisher.metrics().text().unwrap();
    assert!(counted.contains("site_troubles_total{kind=\"failed\"} 2"), "{counted}");
}

/// docs/behaviour.md, "Routes".
/// Each letter as a percent sign and its number.
fn spelled_by_numbers(path: &str) -> String {
    let spelled = |letter| if letter == b'/' { "/".into() } else { format!("%{letter:02x}") };
    path.bytes().map(spelled).collect::<Vec<String>>().concat()
}

#[tokio::test]
async fn every_other_spelling_of_a_path_leads_to_the_one_address_of_the_page() {
    let harness = Harness::published().await;
    let client = harness.client();
    for page in &PAGES {
        let path = page.path.trim_end_matches('/');
        let spellings = [
            format!("{path}/"),
            format!("{path}//"),
            format!("{path}/index.html"),
            format!("{path}/INDEX.html"),
            path.to_uppercase(),
            format!("{path}.html"),
            spelled_by_numbers(path),
        ];
        let doubled = spellings.iter().map(|spelling| format!("/{spelling}"));
        for spelling in doubled.chain(spellings.iter().cloned()) {
            // Of the home page these are no other spelling.
            if ["", "/", ".html", "/.html"].contains(&spelling.as_str()) {
                continue;
            }
            for method in [Method::GET, Method::HEAD, Method::POST] {
                let response = client.request(method, &spelling).query("a", &"b/c").send().await;
                response.assert_status(StatusCode::PERMANENT_REDIRECT);
                response.assert_header(header::LOCATION, format!("{}?a=b%2Fc", page.path));
            }
        }
    }
    for unknown in [
        "/pricing.htm",
        "/pricing/x",
        "/x/pricing",
        "//other.example/pricing",
        "/.html",
        "/%ffpricing",
        "/%2570ricing",
    ] {
        client.get(unknown).send().await.assert_status(StatusCode::NOT_FOUND);
    }
    let client = Harness::unpublished().await;
    client.client().get("/pricing/").send().await.assert_status(StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn every_encoding_decodes_to_the_same_bytes_and_has_a_validator_of_its_own() {
    let harness = Harness::published().await;
    for (path, resource) in harness.app.publisher.current().resources() {
        for (coding, body) in resource.compressed() {
            let mut decoded = Vec::new();
            match coding.name {
                "br" => brotli::BrotliDecompress(&mut body.as_ref(), &mut decoded).unwrap(),
                "gzip" => {
                    GzDecoder::new(body.as_ref()).read_to_end(&mut decoded).unwrap();
                }
                other => panic!("nothing decodes {other}"),
            }
            assert_eq!(decoded, resource.identity().as_ref(), "{path} in {}", coding.name);
        }
    }
    let client = harness.client();
    let mut tags = std::collections::HashSet::new();
    for coding in ["br", "gzip", "identity"] {
        let response = client.get("/").header(header::ACCEPT_ENCODING, coding).send().await;
        let tag = response.0.headers()[header::ETAG].clone();
        response.assert_header(header::VARY, "accept-encoding");
        assert!(tags.insert(tag.clone()), "{coding} shares a validator");
        let again = client
            .get("/")
            .header(header::ACCEPT_ENCODING, coding)
            .header(header::IF_NONE_MATCH, tag)
            .send()
            .await;
        again.assert_status(StatusCode::NOT_MODIFIED);
        assert!(again.0.into_body().into_bytes().await.unwrap().is_empty());
    }
}

/// The files are small: whoever asks for a range gets the whole (RFC 9110, section 14.2).
#[tokio::test]
async fn a_range_is_answered_with_the_whole_file() {
    let harness = Harness::published().await;
    let client = harness.client();
    for method in [Method::GET, Method::HEAD] {
        for range in ["bytes=8-15", "bytes=99999999-"] {
            let response = client.request(method.clone(), "/icon-192.png");
            let response = response.header(header::RANGE, range).send().await;
            response.assert_status_is_ok();
            assert!(!response.0.headers().contains_key(header::ACCEPT_RANGES));
        }
    }
}

/// RFC 9112, section 3.2.
#[tokio::test]
async fn a_request_that_names_no_host_or_several_is_refused() {
    let harness = Harness::published().await;
    let client = poem::test::TestClient::new(site::router::router(harness.app.clone(), None));
    for hosts in [
        &[][..],
        &["site", "site"],
        &[""],
        &["a b"],
        &["user@site"],
        &["site/path"],
        &["site:http"],
        &["[zz]"],
        &["[::1]x"],
    ] {
        for path in ["/", "/nowhere", "/contact"] {
            let request = hosts
                .iter()
                .fold(client.get(path), |request, host| request.header(header::HOST, *host));
            let response = request.send().await;
            response.assert_status(StatusCode::BAD_REQUEST);
            let body = response.0.into_body().into_string().await.unwrap();
            assert!(body.contains("400 Bad Request"), "{hosts:?}: {body}");
        }
    }
    for host in ["site", "tickfleet.example:443", "127.0.0.1:3000", "[::1]:3000"] {
        client.get("/").header(header::HOST, host).send().await.assert_status_is_ok();
    }
}

#[tokio::test]
async fn hashed_assets_are_kept_for_a_year_and_pages_are_revalidated() {
    let harness = Harness::published().await;
    let client = harness.client();
    let assets = site::assets::Assets::load().unwrap();
    let script = client.get(assets.url("islands/react.js").unwrap()).send().await;
    script.assert_header(header::CACHE_CONTROL, "public, max-age=31536000, immutable");
    let page = client.get("/").send().await;
    let caching = page.0.headers()[header::CACHE_CONTROL].to_str().unwrap();
    for directive in ["max-age=0", "stale-while-revalidate", "stale-if-error"] {
        assert!(caching.contains(directive), "{caching}");
    }
}
