//! Who may send how much, and what everybody else is told.

use poem::{
    Endpoint, Response,
    http::{StatusCode, header},
    test::{TestClient, TestResponse},
};

use tempfile::TempDir;

use crate::support::{Harness, copy, eventually, process::SiteProcess, snapshot, stored};

/// How many messages one client may send at once, and all together.
const CLIENT: usize = 5;
const OVERALL: usize = 60;

/// A form whose words differ from those of any other number.
fn form(number: usize) -> [(&'static str, String); 5] {
    [
        ("name", "Ada Lovelace".to_owned()),
        ("email", "ada@example.com".to_owned()),
        ("company", "Analytical Engines".to_owned()),
        ("message", format!("Message {number} & more")),
        ("website", String::new()),
    ]
}

async fn post<E: Endpoint<Output = Response>>(
    client: &TestClient<E>,
    number: usize,
    from: &str,
) -> TestResponse {
    client.post("/contact").header("x-forwarded-for", from).form(&form(number)).send().await
}

/// A site that believes what clients of the tests, which have no address, say of theirs.
async fn behind_a_proxy() -> Harness {
    Harness::published_behind(vec!["0.0.0.0/32".parse().unwrap()]).await
}

#[tokio::test]
async fn whoever_sends_too_much_waits_and_keeps_what_was_typed() {
    let (harness, _sidecar) = Harness::with_sidecar().await;
    let client = harness.client();
    for number in 0..CLIENT {
        post(&client, number, "").await.assert_status(StatusCode::SEE_OTHER);
    }
    let mut page = post(&client, CLIENT, "").await;
    page.assert_status(StatusCode::TOO_MANY_REQUESTS);
    let wait = page.0.headers_mut().remove(header::RETRY_AFTER).unwrap();
    let seconds: u64 = wait.to_str().unwrap().parse().unwrap();
    assert!((60..=120).contains(&seconds), "{seconds}");
    insta::assert_snapshot!("limited", snapshot(page).await);

    let island = client.post("/contact").header(header::ACCEPT, "application/json");
    let answer = island.form(&form(CLIENT)).send().await;
    answer.assert_status(StatusCode::TOO_MANY_REQUESTS);
    assert!(answer.0.headers().contains_key(header::RETRY_AFTER));
    answer.assert_json(serde_json::json!({ "error": "Too many messages in a short time." })).await;
    assert_eq!(harness.stored().await, CLIENT);
}

/// The error view has a time of its own for that (RFC 9110, section 5.3).
#[tokio::test]
async fn whoever_sends_too_much_before_the_first_edition_is_told_one_time_to_come_back() {
    let harness = Harness::unpublished().await;
    let client = harness.client();
    for number in 0..CLIENT {
        post(&client, number, "").await.assert_status(StatusCode::SEE_OTHER);
    }
    let answer = post(&client, CLIENT, "").await;
    answer.assert_status(StatusCode::SERVICE_UNAVAILABLE);
    let times: Vec<_> = answer.0.headers().get_all(header::RETRY_AFTER).iter().collect();
    assert!(matches!(times[..], [time] if time != "5"), "{times:?}");
}

#[tokio::test]
async fn what_is_wrong_with_a_form_is_said_without_counting_it() {
    let harness = Harness::published().await;
    let client = harness.client();
    for _ in 0..3 * CLIENT {
        let response = client.post("/contact").form(&[("name", "")]).send().await;
        response.assert_status(StatusCode::UNPROCESSABLE_ENTITY);
    }
    post(&client, 0, "").await.assert_status(StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn an_address_counts_only_as_far_as_trusted_proxies_wrote_it() {
    let behind = behind_a_proxy().await;
    let client = behind.client();
    // The client may write what it likes in front of its own address.
    for number in 0..CLIENT {
        let from = format!("198.51.100.{number}, 203.0.113.7");
        post(&client, number, &from).await.assert_status(StatusCode::SEE_OTHER);
    }
    let limited = post(&client, CLIENT, "198.51.100.99, 203.0.113.7").await;
    limited.assert_status(StatusCode::TOO_MANY_REQUESTS);
    post(&client, CLIENT, "203.0.113.8").await.assert_status(StatusCode::SEE_OTHER);

    let direct = Harness::published().await;
    let client = direct.client();
    for number in 0..CLIENT {
        let from = format!("203.0.113.{number}");
        post(&client, number, &from).await.assert_status(StatusCode::SEE_OTHER);
    }
    post(&client, CLIENT, "203.0.113.99").await.assert_status(StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn one_ipv6_network_is_one_client() {
    let behind = behind_a_proxy().await;
    let client = behind.client();
    for number in 0..CLIENT {
        let from = format!("2001:db8:1:2::{number}");
        post(&client, number, &from).await.assert_status(StatusCode::SEE_OTHER);
    }
    let neighbour = post(&client, CLIENT, "2001:db8:1:2:ffff::1").await;
    neighbour.assert_status(StatusCode::TOO_MANY_REQUESTS);
    post(&client, CLIENT, "2001:db8:1:3::1").await.assert_status(StatusCode::SEE_OTHER);
}

/// A flood from many networks closes the form for nobody: what comes beyond the overall quota is
/// stored and marked.
#[tokio::test]
async fn a_flood_keeps_no_visitor_out() {
    let behind = behind_a_proxy().await;
    let client = behind.client();
    let mut refused = 0;
    for number in 0..20 * OVERALL {
        // Twenty networks, each with many addresses.
        let from = format!("198.51.{}.{}", number % 20, number / 20);
        let answer = post(&client, 10_000 + number, &from).await;
        refused += usize::from(answer.0.status() == StatusCode::TOO_MANY_REQUESTS);
        if number % 6 == 0 {
            let visitor = format!("203.{}.113.7", number / 6);
            post(&client, number, &visitor).await.assert_status(StatusCode::SEE_OTHER);
        }
    }
    println!("{refused} of {} posts of the flood were refused", 20 * OVERALL);
    let mut stored = stored(&behind.app.outbox).await;
    assert_eq!(stored.len(), 20 * OVERALL - refused + 200);
    stored.retain(|kept| kept.suspicion.is_empty());
    assert!((OVERALL..4 * OVERALL).contains(&stored.len()), "{} are not marked", stored.len());
}

#[tokio::test]
async fn a_network_has_a_limit_of_its_own() {
    let behind = behind_a_proxy().await;
    let client = behind.client();
    for number in 0..OVERALL {
        let from = format!("203.0.113.{number}");
        post(&client, number, &from).await.assert_status(StatusCode::SEE_OTHER);
    }
    let mut limited = 0;
    for number in OVERALL..2 * OVERALL {
        let answer = post(&client, number, &format!("203.0.113.{number}")).await;
        limited += usize::from(answer.0.status() == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(limited > 0, "nobody was asked to wait");
    post(&client, 2 * OVERALL, "203.0.114.1").await.assert_status(StatusCode::SEE_OTHER);
}

/// Whoever is refused a thousand times fills no disk.
#[tokio::test]
async fn refusals_of_one_kind_are_counted_in_the_log() {
    let state = TempDir::new().unwrap();
    let site = SiteProcess::start(state.path(), &[]).await;
    let client = reqwest::Client::new();
    for number in 0..600 {
        let post = client.post(format!("{}/contact", site.address()));
        let body = serde_urlencoded::to_string(form(number)).unwrap();
        let status = post.body(body).send().await.unwrap().status();
        assert!(number < CLIENT || status == 429 || status == 200, "{status}");
    }
    let log = || std::fs::read_to_string(state.path().join("log")).unwrap();
    let count = || {
        let reports = log();
        let reports = reports.lines().filter(|line| line.contains("asked to wait"));
        let counts = reports.map(|line| line.split_once("count=").unwrap().1);
        counts.map(|count| count.trim().parse::<usize>().unwrap()).collect::<Vec<_>>()
    };
    eventually("all are reported", async || count().iter().sum::<usize>() >= 590).await;
    assert!(count().len() <= 4, "{:?}", count());
}

#[tokio::test]
async fn what_could_not_be_stored_costs_no_quota() {
    let harness = Harness::published().await;
    let client = harness.client();
    harness.app.outbox.close().await;
    for number in 0..3 * CLIENT {
        let answer = post(&client, number, "").await;
        answer.assert_status(StatusCode::SERVICE_UNAVAILABLE);
    }
}

#[tokio::test]
async fn a_form_on_another_site_is_refused_and_nothing_stored() {
    let harness = Harness::published().await;
    let client = harness.client();
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("origin", "https://evil.example"),
        ("origin", "null"),
    ] {
        let response = client.post("/contact").header(name, value).form(&form(0)).send().await;
        response.assert_status(StatusCode::FORBIDDEN);
        let body = response.0.into_body().into_string().await.unwrap();
        assert!(body.contains("Unexpected Application Error!"), "{body}");
        assert!(body.contains("403 Forbidden"), "{body}");
    }
    assert_eq!(harness.stored().await, 0);
    let own = client.post("/contact").header("sec-fetch-site", "same-origin").form(&form(0));
    own.send().await.assert_status(StatusCode::SEE_OTHER);
}

/// As an exported page does.
#[tokio::test]
async fn a_form_on_a_page_of_the_site_that_another_host_serves_is_taken() {
    let harness = Harness::published().await;
    let client = harness.client();
    let exported = client
        .post("/contact")
        .header("sec-fetch-site", "same-site")
        .header("origin", copy().site.address.as_str())
        .form(&form(0));
    exported.send().await.assert_status(StatusCode::SEE_OTHER);
    assert_eq!(harness.stored().await, 1);
}

#[tokio::test]
async fn a_machine_gets_the_same_answer_and_its_message_is_marked() {
    let harness = Harness::published().await;
    let client = harness.client();
    let fields = |website: &'static str, elapsed: &'static str, message: &'static str| {
        let [name, email, ..] = form(0);
        let texts = [("message", message), ("website", website), ("elapsed_ms", elapsed)];
        let texts = texts.map(|(name, value)| (name, value.to_owned()));
        [name, email].into_iter().chain(texts).collect::<Vec<_>>()
    };
    for form in [
        fields("https://spam.example", "60000", "filled"),
        fields("", "150", "quick"),
        fields("", "60000", "person"),
        fields("", "", "no script"),
        fields("", "", "no trap").into_iter().filter(|(name, _)| *name != "website").collect(),
    ] {
        let response = client.post("/contact").form(&form).send().await;
        response.assert_status(StatusCode::SEE_OTHER);
    }
    let mut marked: Vec<_> = stored(&harness.app.outbox).await;
    marked.retain(|kept| !kept.suspicion.is_empty());
    let mut marked: Vec<_> = marked.into_iter().map(|kept| kept.text()).collect();
    marked.sort();
    assert_eq!(marked, ["filled", "no trap", "quick"]);
}
