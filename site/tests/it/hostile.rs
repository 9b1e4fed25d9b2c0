//! Whatever is posted, the site answers, and never with a failure of its own.

use std::time::Duration;

use poem::http::{StatusCode, header};
use proptest::{prelude::*, test_runner::TestRunner};
use site::form::ContactField;
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::support::{Harness, process::SiteProcess, root, stored};

/// A fuzz target goes on where these end.
const BODIES: u32 = 2_000;

/// Bytes, forms of any fields, and forms that are nearly right.
fn body() -> impl Strategy<Value = Vec<u8>> {
    let known = ContactField::names().into_iter();
    let known: Vec<_> = known.chain(["website", "elapsed_ms", "submission_id"]).collect();
    let field = prop_oneof![
        7 => proptest::sample::select(known).prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    let encoded =
        |fields: Vec<(String, String)>| serde_urlencoded::to_string(fields).unwrap().into_bytes();
    let address =
        prop_oneof![3 => Just("ada@example.com".to_owned()), 1 => "\\PC{0,12}@\\PC{0,12}"];
    let right = (r"\PC{0,101}", address, r"\PC{0,101}", r"(\PC|\r\n){0,200}", any::<u64>());
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..300),
        proptest::collection::vec((field, any::<String>()), 0..12).prop_map(encoded),
        right.prop_map(move |(name, email, company, message, elapsed)| {
            let fields = [
                ("name", name),
                ("email", email),
                ("company", company),
                ("message", message),
                ("elapsed_ms", elapsed.to_string()),
                ("website", String::new()),
            ];
            encoded(fields.map(|(name, value)| (name.to_owned(), value)).into())
        }),
    ]
}

#[test]
fn no_posted_body_makes_a_panic_or_a_failure() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let proxies = vec!["0.0.0.0/32".parse().unwrap()];
    let harness = runtime.block_on(Harness::published_behind(proxies));
    let client = harness.client();
    let mut config = ProptestConfig::with_cases(BODIES);
    config.failure_persistence = None;
    // One in ten is answered with a page, which takes longer to make. Two in three are of clients of
    // their own: what is limited is not stored.
    let strategy = (body(), 0..10, any::<[u8; 3]>(), 0..3);
    let mut answers = std::collections::BTreeMap::<u16, usize>::new();
    let seen = std::cell::RefCell::new(&mut answers);
    let result = TestRunner::new(config).run(&strategy, |(body, page, [a, b, c], own)| {
        let accept = if page == 0 { "text/html" } else { "application/json" };
        let from = if own > 0 { format!("10.{a}.{b}.{c}") } else { "11.0.0.1".to_owned() };
        let post = client.post("/contact").header(header::ACCEPT, accept).body(body);
        let post = post.header("x-forwarded-for", from);
        let status = runtime.block_on(post.send()).0.status();
        *seen.borrow_mut().entry(status.as_u16()).or_default() += 1;
        prop_assert!(!status.is_server_error(), "{status}");
        Ok(())
    });
    println!("{answers:?}");
    result.unwrap();
    assert!(runtime.block_on(harness.stored()) > 100);
    for status in [200, 422, 429] {
        assert!(answers.contains_key(&status), "no {status} among {answers:?}");
    }
}

/// What the fuzzer starts from (`fuzz/`) goes through the whole route here, without the fuzzer.
#[tokio::test]
async fn the_corpus_of_the_fuzzer_makes_no_failure() {
    let harness = Harness::published().await;
    let client = harness.client();
    let corpus = std::fs::read_dir(root().join("fuzz/corpus/form")).unwrap();
    let mut forms = 0;
    for form in corpus {
        let form = form.unwrap().path();
        let body = std::fs::read(&form).unwrap();
        let status = client.post("/contact").body(body).send().await.0.status();
        assert!(!status.is_server_error(), "{}: {status}", form.display());
        forms += 1;
    }
    assert!(forms > 0, "the corpus is empty");
}

#[tokio::test]
async fn bytes_that_are_no_text_are_replaced_and_the_rest_is_kept() {
    let harness = Harness::published().await;
    let client = harness.client();
    let body = b"name=A%FF%FEda\xff&email=ada%40example.com&message=%C3%28Hello%&website=".to_vec();
    let response = client.post("/contact").body(body).send().await;
    response.assert_status(StatusCode::SEE_OTHER);
    let kept = stored(&harness.app.outbox).await.remove(0);
    assert_eq!(
        (kept.name(), kept.text().as_str()),
        ("A\u{FFFD}\u{FFFD}da\u{FFFD}", "\u{FFFD}(Hello%")
    );
}

#[tokio::test]
async fn fields_are_trimmed_and_bounded_and_the_limit_is_said() {
    let harness = Harness::published().await;
    let client = harness.client();
    let long = |count: usize| "游".repeat(count);
    for (field, limit) in [("name", 100), ("company", 100), ("message", 5000)] {
        for (count, status) in
            [(limit, StatusCode::OK), (limit + 1, StatusCode::UNPROCESSABLE_ENTITY)]
        {
            let mut form = vec![
                ("name", "Ada".to_owned()),
                ("email", "ada@example.com".to_owned()),
                ("message", field.to_owned()),
            ];
            form.retain(|(name, _)| *name != field);
            form.push((field, format!("  {}\r\n", long(count))));
            let post = client.post("/contact").header(header::ACCEPT, "application/json");
            let response = post.form(&form).send().await;
            response.assert_status(status);
            if count > limit {
                let text = response.0.into_body().into_string().await.unwrap();
                assert!(text.contains(&format!("Use {limit} characters or fewer")), "{text}");
            }
        }
    }
    let stored = stored(&harness.app.outbox).await;
    assert!(stored.iter().any(|kept| kept.text() == long(5000)));
    let email = format!("{}@{}.example", "a".repeat(64), "b".repeat(184));
    assert_eq!(email.len(), 257);
    let form = [("name", "Ada"), ("email", &email), ("message", "Hello")];
    let response = client.post("/contact").header(header::ACCEPT, "application/json").form(&form);
    let text = response.send().await.0.into_body().into_string().await.unwrap();
    assert!(text.contains("Use 254 characters or fewer"), "{text}");
}

/// A browser that is still sending must hear the answer, not just a broken connection.
#[tokio::test]
async fn a_megabyte_is_refused_on_a_real_connection() {
    let state = TempDir::new().unwrap();
    let site = SiteProcess::start(state.path(), &[]).await;
    let address = site.address().strip_prefix("http://").unwrap();
    for chunked in [false, true] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let length = if chunked { "Transfer-Encoding: chunked" } else { "Content-Length: 1048576" };
        let head = format!("POST /contact HTTP/1.1\r\nHost: {address}\r\n{length}\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let (mut answers, mut requests) = stream.split();
        let sending = async {
            let chunk = [b'x'; 16 * 1024];
            for _ in 0..64 {
                let framed = if chunked { &b"4000\r\n"[..] } else { &[] };
                let end = if chunked { &b"\r\n"[..] } else { &[] };
                let bytes = [framed, &chunk, end].concat();
                if requests.write_all(&bytes).await.is_err() {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let reading = async {
            let mut answer = [0; 12];
            answers.read_exact(&mut answer).await.unwrap();
            answer
        };
        let (answer, ()) = tokio::join!(reading, sending);
        assert_eq!(&answer, b"HTTP/1.1 413");
    }
}

/// RFC 9112, section 3.2.3: only a proxy is asked for an authority.
#[tokio::test]
async fn a_target_without_a_path_is_refused() {
    let state = TempDir::new().unwrap();
    let site = SiteProcess::start(state.path(), &[]).await;
    let address = site.address().strip_prefix("http://").unwrap().to_owned();
    for method in ["GET", "CONNECT"] {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        let request =
            format!("{method} other.example:80 HTTP/1.1\r\nhost: other.example:80\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 400", "{method}");
    }
}
