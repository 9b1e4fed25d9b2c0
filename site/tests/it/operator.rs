//! What whoever watches over the site is told.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use serde_json::Value;
use sqlx::Executor;
use tempfile::TempDir;
use tokio::net::{TcpListener, UnixListener};

use crate::support::{
    SidecarProcess, eventually,
    postgres::Database,
    process::{SiteProcess, messages},
    smtp::SmtpServer,
    test_copy_file,
};

/// The address of which visitors know nothing.
fn admin(state: &Path) -> String {
    let log = fs::read_to_string(state.join("log")).unwrap();
    let (_, address) = log.rsplit_once("watched over at ").unwrap();
    address.split("/ready").next().unwrap().to_owned()
}

async fn ready(state: &Path) -> (u16, Value) {
    let answer = reqwest::get(format!("{}/ready", admin(state))).await.unwrap();
    (answer.status().as_u16(), serde_json::from_str(&answer.text().await.unwrap()).unwrap())
}

/// What is not as it should be.
async fn degraded(state: &Path) -> Vec<String> {
    let (_, answer) = ready(state).await;
    let degraded = answer["degraded"].as_array().unwrap();
    degraded.iter().map(|it| it["what"].as_str().unwrap().to_owned()).collect()
}

fn form(message: &str) -> [(&'static str, &str); 4] {
    [("name", "Ada"), ("email", "ada@example.com"), ("message", message), ("website", "")]
}

#[tokio::test]
async fn readiness_says_what_is_degraded_and_no_once_the_site_is_told_to_stop() {
    let state = TempDir::new().unwrap();
    let file = state.path().join("site.toml");
    fs::copy(test_copy_file(), &file).unwrap();
    let server = SmtpServer::answering(&["550", "451"]);
    let url = server.url();
    let variables = [
        ("SITE_CONTENT", file.to_str().unwrap()),
        ("SMTP_URL", &url),
        ("CONTACT_FROM", "site@tickfleet.example"),
        ("CONTACT_TO", "team@tickfleet.example"),
    ];
    let mut site = SiteProcess::start(state.path(), &variables).await;
    let state = state.path();
    assert_eq!(ready(state).await.0, 200, "pages are served all the same");
    // On a busy machine the last good edition is served for a moment, before the first of this process.
    let next = "the next change could not be rendered";
    eventually(next, async || degraded(state).await == ["sidecar"]).await;
    let _sidecar = SidecarProcess::start(&state.join("ssr.sock")).await;
    eventually("the sidecar is there", async || degraded(state).await.is_empty()).await;

    fs::write(&file, "nonsense").unwrap();
    eventually("the copy is refused", async || degraded(state).await == ["edition"]).await;
    let (status, answer) = ready(state).await;
    assert_eq!(status, 200, "pages are served all the same");
    let cause = answer["degraded"][0]["cause"].as_str().unwrap();
    assert!(cause.contains("site.toml"), "{cause}");
    assert!(answer["degraded"][0]["for_seconds"].is_number());
    fs::copy(test_copy_file(), &file).unwrap();
    eventually("the copy is right again", async || degraded(state).await.is_empty()).await;

    let answer = site.post(&reqwest::Client::new(), &form("Hello")).await.unwrap();
    assert_eq!(answer.status(), 200);
    eventually("a dead message", async || degraded(state).await == ["dead messages"]).await;
    let list = messages(state, &[]).unwrap();
    messages(state, &["delete", "--yes", list.split_whitespace().next().unwrap()]).unwrap();

    let answer = site.post(&reqwest::Client::new(), &form("Hello again")).await.unwrap();
    assert_eq!(answer.status(), 200);
    let postponed = ["postponed messages"];
    eventually("a first refusal", async || degraded(state).await == postponed).await;
    let list = messages(state, &[]).unwrap();
    messages(state, &["delete", "--yes", list.split_whitespace().next().unwrap()]).unwrap();

    fs::rename(state.join("contact.db"), state.join("away")).unwrap();
    fs::create_dir(state.join("contact.db")).unwrap();
    eventually("no database", async || degraded(state).await == ["database"]).await;
    fs::remove_dir(state.join("contact.db")).unwrap();
    fs::rename(state.join("away"), state.join("contact.db")).unwrap();
    eventually("the database is back", async || degraded(state).await.is_empty()).await;

    site.signal("TERM");
    eventually("it says no", async || ready(state).await.0 == 503).await;
    let page = reqwest::get(format!("{}/", site.address())).await.unwrap();
    assert_eq!(page.status(), 200, "what still comes is answered");
    assert!(site.stop().await.success());
}

/// A probe that waits for no longer than a second, as Kubernetes does unless it is told, would take a
/// site out of service that serves all its pages.
#[tokio::test]
async fn readiness_is_told_within_a_second_where_neither_database_nor_sidecar_answers() {
    let state = TempDir::new().unwrap();
    let database = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("postgres://site@{}/site", database.local_addr().unwrap());
    let _sidecar = UnixListener::bind(state.path().join("ssr.sock")).unwrap();
    let _site = SiteProcess::start(state.path(), &[("DATABASE_URL", &url)]).await;
    let asked = Instant::now();
    assert_eq!(ready(state.path()).await.0, 200, "pages are served all the same");
    let took = asked.elapsed();
    assert!(took < Duration::from_secs(1), "{took:?}");
    assert_eq!(degraded(state.path()).await, ["sidecar", "database"]);
}

/// A disk that was full when the site was started, say.
#[tokio::test]
async fn what_could_not_be_kept_is_told_and_kept_as_soon_as_it_can_be() {
    let state = TempDir::new().unwrap();
    let (kept, note) = (state.path().join("kept"), state.path().join("status.json"));
    fs::write(&kept, "a file where a folder should be").unwrap();
    fs::create_dir(&note).unwrap();
    let _sidecar = SidecarProcess::start(&state.path().join("ssr.sock")).await;
    let _site = SiteProcess::start_bare(state.path(), &[]).await;
    let state = state.path();
    eventually("it is told", async || degraded(state).await == ["state folder"]).await;
    fs::remove_file(&kept).unwrap();
    fs::remove_dir(&note).unwrap();
    eventually("it is kept", async || degraded(state).await.is_empty()).await;
    assert!(
        fs::read_dir(&kept).unwrap().count() > 20,
        "the last edition, fragments and compressed pages"
    );
    eventually("it is noted", async || note.is_file()).await;
    let log = fs::read_to_string(state.join("log")).unwrap();
    assert_eq!(log.matches("can't be kept").count(), 1, "{log}");
}

#[tokio::test]
async fn metrics_count_what_happens_and_are_on_no_public_address() {
    let state = TempDir::new().unwrap();
    let site = SiteProcess::start(state.path(), &[]).await;
    let client = reqwest::Client::new();
    for _ in 0..3 {
        client.get(format!("{}/pricing", site.address())).send().await.unwrap();
    }
    assert_eq!(site.post(&client, &form("Hello")).await.unwrap().status(), 200);
    for path in ["health", "ready", "metrics"] {
        let public = client.get(format!("{}/{path}", site.address())).send().await.unwrap();
        assert_eq!(public.status(), 404, "{path}");
    }
    let get = async |path: &str| {
        let answer = reqwest::get(format!("{}/{path}", admin(state.path()))).await.unwrap();
        assert_eq!(answer.status(), 200, "{path}");
        assert_eq!(answer.headers()["x-content-type-options"], "nosniff", "{path}");
        assert_eq!(answer.headers().get_all("content-type").iter().count(), 1, "{path}");
        answer.text().await.unwrap()
    };
    assert!(get("health").await.contains("\"status\":\"ok\""));
    let refused = client.post(format!("{}/health", admin(state.path()))).send().await.unwrap();
    assert_eq!(
        (refused.status().as_u16(), &refused.headers()["allow"]),
        (405, &"GET, HEAD".parse().unwrap())
    );
    assert_eq!(refused.headers()["x-content-type-options"], "nosniff");
    let outbox = Database::at(state.path());
    let older = "UPDATE messages SET received_at = received_at - 3600000, last_error = 'once'";
    outbox.connect().await.execute(older).await.unwrap();
    let metrics = get("metrics").await;
    for line in [
        "site_answers_total{kind=\"held\",status=\"200\"} 3",
        "site_answers_total{kind=\"form\",status=\"200\"} 1",
        "site_answers_total{kind=\"other\",status=\"404\"} 3",
        "site_answer_seconds_count{kind=\"held\"} 3",
        "site_answer_seconds_count{kind=\"form\"} 1",
        "site_editions_total 1",
        "site_messages{kind=\"pending\"} 1",
        // No mail is set up: the message waits for nobody.
        "site_messages{kind=\"postponed\"} 0",
        "site_oldest_waiting_message_seconds 0",
        "site_troubles_total{kind=\"client_limit\"} 0",
        "# EOF",
    ] {
        assert!(metrics.lines().any(|known| known == line), "{line} is missing in:\n{metrics}");
    }
    assert!(!metrics.contains("site_kept_files 0\n"), "{metrics}");
}

#[tokio::test]
async fn a_request_log_for_machines_has_a_line_for_each_request_and_no_query() {
    let state = TempDir::new().unwrap();
    let variables = [("LOG_FORMAT", "json"), ("REQUEST_LOG", "1")];
    let site = SiteProcess::start(state.path(), &variables).await;
    let client = reqwest::Client::new();
    let id_of = |answer: &reqwest::Response| answer.headers()["x-request-id"].clone();
    let get = async |path| client.get(format!("{}/{path}", site.address())).send().await.unwrap();
    let page = get("pricing?secret=1").await;
    let moved = get("Pricing?secret=1").await;
    let answer = site.post(&client, &form("Hello")).await.unwrap();
    let log = || fs::read_to_string(state.path().join("log")).unwrap();
    eventually("all is told", async || log().matches("\"answered\"").count() == 4).await;
    let log = log();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let answered: Vec<_> = lines.iter().filter(|line| line["message"] == "answered").collect();
    assert_eq!(answered.len(), 4, "{log}");
    assert_eq!((&answered[0]["path"], &answered[0]["status"]), (&"/pricing".into(), &200.into()));
    assert_eq!((&answered[1]["path"], &answered[1]["status"]), (&"/Pricing".into(), &308.into()));
    for (line, answer) in [(0, &page), (2, &moved), (3, &answer)] {
        assert_eq!(id_of(answer), answered[line]["span"]["id"].as_str().unwrap(), "{log}");
    }
    let id = answered[3]["span"]["id"].as_str().unwrap();
    let accepted = lines.iter().find(|line| line["message"] == "message accepted").unwrap();
    assert_eq!(accepted["span"]["id"], id, "what a request did is found by its id");
    assert!(!log.contains("secret"), "{log}");
}
