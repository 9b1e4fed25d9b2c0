//! What travels stays within `bench/budgets.toml`.

use std::{collections::BTreeMap, fmt::Write as _, fs};

use poem::{Endpoint, Response, http::header, test::TestClient};
use serde::Deserialize;
use site::{assets::Assets, views::PAGES};

use crate::support::{Harness, root};

#[derive(Deserialize)]
struct Budget {
    budget: usize,
    weighs: usize,
}

#[tokio::test]
async fn nothing_weighs_more_than_its_budget() {
    let file = fs::read_to_string(root().join("bench/budgets.toml")).unwrap();
    let budgets: BTreeMap<String, BTreeMap<String, Budget>> = toml::from_str(&file).unwrap();
    for page in &PAGES {
        let has_budget = budgets["pages"].contains_key(page.path);
        assert!(has_budget, "{} needs a row in bench/budgets.toml", page.path);
    }
    let assets = Assets::load().unwrap();
    for (name, _) in assets.urls().filter(|(name, _)| name.starts_with("islands/")) {
        let has_budget = budgets["scripts"].contains_key(name);
        assert!(has_budget, "{name} needs a row in bench/budgets.toml");
    }
    let harness = Harness::published().await;
    let client = harness.client();

    let mut table = format!("{:<34}{:>8}{:>8}{:>8}\n", "", "bytes", "budget", "grew by");
    let mut exceeded = Vec::new();
    // A browser weighs what a phone asks for: e2e/tests/weight.spec.ts.
    for (group, items) in budgets.iter().filter(|(group, _)| *group != "phone") {
        for (name, Budget { budget, weighs }) in items {
            let bytes = match group.as_str() {
                "pages" => travels(&client, name).await,
                "scripts" if name.starts_with("inline/") => {
                    compressed(assets.inline(name.trim_start_matches("inline/")).unwrap())
                }
                _ => body(&client, assets.url(name).unwrap()).await,
            };
            let grew = bytes.cast_signed() - weighs.cast_signed();
            writeln!(table, "{name:<34}{bytes:>8}{budget:>8}{grew:>+8}").unwrap();
            if bytes > *budget {
                exceeded.push(name);
            }
        }
    }
    println!("{table}");
    assert!(exceeded.is_empty(), "over budget: {exceeded:?}\n{table}");
}

/// Status line, headers and body as HTTP/1.1 sends them (RFC 9112, section 2.1).
async fn travels(client: &TestClient<impl Endpoint<Output = Response>>, path: &str) -> usize {
    let response = client.get(path).header(header::ACCEPT_ENCODING, "br").send().await.0;
    let date = "date: Thu, 01 Jan 1970 00:00:00 GMT\r\n".len();
    let head: usize =
        response.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    let status_line = "HTTP/1.1 200 OK\r\n\r\n".len();
    status_line + date + head + response.into_body().into_bytes().await.unwrap().len()
}

async fn body(client: &TestClient<impl Endpoint<Output = Response>>, path: &str) -> usize {
    let response = client.get(path).header(header::ACCEPT_ENCODING, "br").send().await.0;
    assert!(response.status().is_success(), "{path}");
    response.into_body().into_bytes().await.unwrap().len()
}

fn compressed(text: &str) -> usize {
    codings::brotli(text.as_bytes()).unwrap().len()
}
