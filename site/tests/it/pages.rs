//! Every page as it leaves the server, and how it is answered.

use poem::http::{Method, StatusCode, header};
use site::edition::Edition;

use crate::support::{Harness, pretty, snapshot};

const PAGES: [&str; 4] = ["/", "/pricing", "/contact", "/contact/sent"];

#[tokio::test]
async fn every_page_is_as_it_was_accepted() {
    let harness = Harness::published().await;
    let client = harness.client();
    for (name, path) in [
        ("home", "/"),
        ("pricing", "/pricing"),
        ("contact", "/contact"),
        ("contact_sent", "/contact/sent"),
        ("not_found", "/no/such/page"),
    ] {
        insta::assert_snapshot!(name, snapshot(client.get(path).send().await).await);
    }
}

#[tokio::test]
async fn machine_readable_files_are_as_they_were_accepted() {
    let harness = Harness::published().await;
    for (name, path) in
        [("robots", "/robots.txt"), ("sitemap", "/sitemap.xml"), ("manifest", "/site.webmanifest")]
    {
        let body =
            harness.client().get(path).send().await.0.into_body().into_string().await.unwrap();
        insta::assert_snapshot!(name, body);
    }
}

#[tokio::test]
async fn before_the_first_edition_every_path_answers_503_with_the_error_view() {
    let harness = Harness::unpublished().await;
    let client = harness.client();
    insta::assert_snapshot!("unavailable", snapshot(client.get("/").send().await).await);
    for path in PAGES {
        let response = client.get(path).send().await;
        response.assert_status(StatusCode::SERVICE_UNAVAILABLE);
        response.assert_header("retry-after", "5");
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
        assert_eq!(get.headers(), head.headers(), "{path}");
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
    let site = std::sync::Arc::clone(&harness.site);
    let client = poem::test::TestClient::new(site::app::with_error_view(failing, site));
    for (path, status) in
        [("/panic", StatusCode::INTERNAL_SERVER_ERROR), ("/failure", StatusCode::BAD_GATEWAY)]
    {
        let response = client.get(path).send().await;
        response.assert_status(status);
        let body = response.0.into_body().into_string().await.unwrap();
        assert!(body.contains("Unexpected Application Error!"), "{body}");
        assert!(body.contains(&status.to_string()), "{body}");
        assert!(!body.contains("secret"), "{body}");
    }
}

#[tokio::test]
async fn every_encoding_decodes_to_the_same_bytes_and_has_a_validator_of_its_own() {
    let harness = Harness::published().await;
    let edition = harness.site.publisher.current();
    let edition: &Edition = edition.as_ref().unwrap();
    for (path, resource) in edition.resources() {
        let Some(br) = resource.in_coding("br") else { continue };
        let mut decoded = Vec::new();
        brotli::BrotliDecompress(&mut br.as_ref(), &mut decoded).unwrap();
        assert_eq!(decoded, resource.identity().as_ref(), "{path}");
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

#[tokio::test]
async fn images_are_answered_in_ranges() {
    let harness = Harness::published().await;
    let client = harness.client();
    let whole = client.get("/icon-192.png").send().await.0.into_body().into_bytes().await.unwrap();
    let part = client.get("/icon-192.png").header(header::RANGE, "bytes=8-15").send().await;
    part.assert_status(StatusCode::PARTIAL_CONTENT);
    part.assert_header(header::CONTENT_RANGE, format!("bytes 8-15/{}", whole.len()));
    assert_eq!(part.0.into_body().into_bytes().await.unwrap(), whole.slice(8..16));
    let beyond = client.get("/icon-192.png").header(header::RANGE, "bytes=99999999-").send().await;
    beyond.assert_status(StatusCode::RANGE_NOT_SATISFIABLE);
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

#[tokio::test]
async fn an_exported_edition_holds_the_bytes_that_are_served() {
    let harness = Harness::published().await;
    let edition = harness.site.publisher.current();
    let folder = tempfile::TempDir::new().unwrap();
    let written = site::export::export(edition.as_ref().unwrap(), folder.path()).unwrap();
    assert!(written > PAGES.len());
    let client = harness.client();
    for (path, file) in [
        ("/", "index.html"),
        ("/pricing", "pricing/index.html"),
        ("/contact/sent", "contact/sent/index.html"),
        ("/nowhere", "404.html"),
        ("/favicon.ico", "favicon.ico"),
    ] {
        let served = client.get(path).send().await.0.into_body().into_bytes().await.unwrap();
        assert_eq!(std::fs::read(folder.path().join(file)).unwrap(), served, "{path}");
        if path != "/favicon.ico" {
            let response = client.get(path).header(header::ACCEPT_ENCODING, "br").send().await;
            let served = response.0.into_body().into_bytes().await.unwrap();
            let exported = std::fs::read(folder.path().join(format!("{file}.br"))).unwrap();
            assert_eq!(exported, served, "{path} in br");
        }
    }
}

/// Specification, section 9, word for word.
#[tokio::test]
async fn every_constant_of_the_specification_stands_on_its_page() {
    let harness = Harness::published().await;
    let client = harness.client();
    for (path, facts) in [
        (
            "/",
            &[
                "99.9%",
                "Only Unity-based games are supported.",
                "Starter",
                "$15",
                "60GB",
                "Professional",
                "$50",
                "250GB",
                "Enterprise",
                "$500",
                "3TB",
            ][..],
        ),
        (
            "/pricing",
            &[
                "Starter",
                "$15",
                "60GB",
                "basic",
                "Perfect for indie developers and small games",
                "Professional",
                "$50",
                "250GB",
                "priority",
                "Ideal for growing game studios",
                "Enterprise",
                "$500",
                "3TB",
                "24/7 dedicated",
                "For large-scale game operations",
                "Contact Sales",
                "per month",
                "24/7 uptime monitoring",
                "realtime networking logs",
                "stable and scalable real-time game sessions",
                "rapid multiplayer setup",
                "simple powerful room and player control",
                "live room object view and bandwidth stats",
            ][..],
        ),
        (
            "/contact",
            &[
                "Monday-Friday 9am-6pm CST",
                "Austin, Texas",
                "hello@tickfleet.example",
                "+1 512 555 0142",
            ][..],
        ),
    ] {
        let page =
            pretty(&client.get(path).send().await.0.into_body().into_string().await.unwrap());
        for fact in facts {
            assert!(page.contains(fact), "{path} doesn't say {fact}");
        }
    }
}
