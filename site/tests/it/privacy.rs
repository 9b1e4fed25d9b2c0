//! What visitors wrote stands in the database and in the mails, and in no log.

use reqwest::Client;
use sqlx::{Connection, Executor, SqliteConnection};
use tempfile::TempDir;

use crate::support::{
    eventually,
    process::{SiteProcess, messages, post},
    smtp::SmtpServer,
};

/// Words that stand in no other place.
const WORDS: [&str; 6] =
    ["quetzalname", "quetzalmail", "quetzalcompany", "quetzalmessage", "quetzaltrap", "quetzalraw"];

fn form(number: &str) -> Vec<(&'static str, String)> {
    vec![
        ("name", "Quetzalname".to_owned()),
        ("email", "quetzalmail@example.com".to_owned()),
        ("company", "Quetzalcompany".to_owned()),
        ("message", format!("Quetzalmessage {number}")),
        ("website", "quetzaltrap".to_owned()),
    ]
}

async fn status(site: &SiteProcess, form: &[(&str, String)]) -> u16 {
    let form: Vec<_> = form.iter().map(|(name, value)| (*name, value.as_str())).collect();
    post(&Client::new(), site.address(), &form).await.unwrap().status().as_u16()
}

#[tokio::test]
async fn no_log_repeats_what_a_visitor_wrote_however_much_is_logged() {
    let state = TempDir::new().unwrap();
    // A server's refusal names the mailbox.
    let server = SmtpServer::answering(&["550", "451", "drop", "ok"]);
    let url = server.url();
    let variables = [
        ("RUST_LOG", "trace"),
        ("SMTP_URL", url.as_str()),
        ("CONTACT_FROM", "site@tickfleet.example"),
        ("CONTACT_TO", "quetzalmail@tickfleet.example"),
    ];
    let site = SiteProcess::start(state.path(), &variables).await;
    assert_eq!(status(&site, &form("one")).await, 200);
    server.received(1).await;
    for number in ["two", "three", "four"] {
        let mut unsuspected = form(number);
        unsuspected.retain(|(name, _)| *name != "website");
        unsuspected.push(("website", String::new()));
        assert_eq!(status(&site, &unsuspected).await, 200);
    }
    // The last of them is taken, and acknowledged.
    server.received(5).await;

    let mut wrong = form("five");
    wrong.retain(|(name, _)| *name != "email");
    assert_eq!(status(&site, &wrong).await, 422);
    let raw = |body: Vec<u8>, header: &'static str, value: &'static str| {
        let url = format!("{}/contact?quetzalraw", site.address());
        Client::new().post(url).header(header, value).body(body).send()
    };
    let answer = raw(b"quetzalraw=\xff".to_vec(), "accept", "text/html").await.unwrap();
    assert_eq!(answer.status(), 422);
    let answer = raw(b"name=quetzalname".to_vec(), "sec-fetch-site", "cross-site").await.unwrap();
    assert_eq!(answer.status(), 403);
    let answer = raw(b"quetzalraw".repeat(20_000), "accept", "text/html").await;
    assert!(answer.is_err() || answer.is_ok_and(|answer| answer.status() == 413));
    let file = format!("sqlite://{}", state.path().join("contact.db").display());
    let mut other = SqliteConnection::connect(&file).await.unwrap();
    other.execute("BEGIN EXCLUSIVE").await.unwrap();
    assert_eq!(status(&site, &form("six")).await, 503);
    other.execute("ROLLBACK").await.unwrap();
    // From one client, until it is asked to wait.
    let mut limited = false;
    for number in 0..7 {
        let fields: Vec<_> = form(&number.to_string());
        let body = serde_urlencoded::to_string(fields).unwrap().into_bytes();
        limited |= raw(body, "accept", "application/json").await.unwrap().status() == 429;
    }
    assert!(limited);
    eventually("a dead message", async || {
        messages(state.path(), &[]).unwrap().contains("  dead suspected  ")
    })
    .await;
    let list = messages(state.path(), &[]).unwrap();
    let id = list.split_whitespace().next().unwrap();
    messages(state.path(), &["delete", "--yes", id]).unwrap();

    let log = || std::fs::read_to_string(state.path().join("log")).unwrap().to_lowercase();
    for proof in
        ["debug", "message accepted", "could not be delivered", "could not be stored", "wait"]
    {
        eventually(proof, async || log().contains(proof)).await;
    }
    let log = log();
    for word in WORDS {
        let line = log.lines().find(|line| line.contains(word));
        assert_eq!(line, None, "{word} stands in the log");
    }
}
