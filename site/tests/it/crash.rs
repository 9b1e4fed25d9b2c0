//! What is left of the messages when the site, the disk or the database gives way.

use std::{
    collections::{HashMap, HashSet},
    os::unix::fs::PermissionsExt,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use reqwest::Client;
use site::contact::outbox::{Outbox, State};
use sqlx::{Connection, Executor, SqliteConnection};
use tempfile::TempDir;
use tokio::sync::watch;
use uuid::Uuid;

use crate::support::{
    eventually, message_from,
    postgres::Database,
    process::{SiteProcess, messages, post},
    smtp::SmtpServer,
    stored,
};

const KILLS: usize = 60;
const SENDERS: usize = 20;

/// A sender's pause between two messages: altogether they stay within the site's overall limit for
/// as long as one process lives.
const PAUSE_MS: std::ops::Range<u64> = 0..200;

fn form<'a>(message: &'a str, submission_id: &'a str) -> [(&'static str, &'a str); 5] {
    [
        ("name", "Ada"),
        ("email", "ada@example.com"),
        ("message", message),
        ("website", ""),
        ("submission_id", submission_id),
    ]
}

async fn all_words(state: &TempDir) -> Vec<String> {
    let file = state.path().join("contact.db");
    let outbox = Outbox::new(&format!("sqlite://{}", file.display())).unwrap();
    stored(&outbox).await.into_iter().map(|kept| kept.text()).collect()
}

/// Sends one message after the other, each until it is acknowledged, wherever the site is just now.
async fn send(
    sender: usize,
    address: watch::Receiver<String>,
    stop: Arc<AtomicBool>,
    acknowledged: Arc<Mutex<Vec<String>>>,
    failed: Arc<AtomicUsize>,
) {
    let client = Client::builder().timeout(Duration::from_secs(5)).build().unwrap();
    for number in 0.. {
        let words = format!("Message {number} of sender {sender}");
        let id = Uuid::new_v4().to_string();
        loop {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let address = address.borrow().clone();
            let answer = post(&client, &address, &form(&words, &id)).await;
            if answer.is_ok_and(|answer| answer.status() == 200) {
                acknowledged.lock().unwrap().push(words);
                break;
            }
            failed.fetch_add(1, Ordering::Relaxed);
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        tokio::time::sleep(Duration::from_millis(rand::random_range(PAUSE_MS))).await;
    }
}

#[tokio::test]
async fn no_kill_loses_an_acknowledged_message_or_stores_one_twice() {
    let begun = Instant::now();
    let state = TempDir::new().unwrap();
    let mut site = SiteProcess::start(state.path(), &[]).await;
    let (addresses, address) = watch::channel(site.address().to_owned());
    let stop = Arc::new(AtomicBool::new(false));
    let acknowledged = Arc::<Mutex<Vec<String>>>::default();
    let failed = Arc::<AtomicUsize>::default();
    let senders: Vec<_> = (0..SENDERS)
        .map(|sender| {
            let (stop, acknowledged) = (Arc::clone(&stop), Arc::clone(&acknowledged));
            tokio::spawn(send(sender, address.clone(), stop, acknowledged, Arc::clone(&failed)))
        })
        .collect();
    for _ in 0..KILLS {
        // The next one starts while this one works, so that hardly any moment is without a site.
        let next = SiteProcess::start(state.path(), &[]).await;
        tokio::time::sleep(Duration::from_millis(rand::random_range(0..50))).await;
        site.kill();
        site = next;
        addresses.send_replace(site.address().to_owned());
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    stop.store(true, Ordering::Relaxed);
    for sender in senders {
        sender.await.unwrap();
    }
    let mut stored = HashMap::<String, usize>::new();
    for words in all_words(&state).await {
        *stored.entry(words).or_default() += 1;
    }
    let acknowledged = acknowledged.lock().unwrap();
    let lost: Vec<_> = acknowledged.iter().filter(|words| !stored.contains_key(*words)).collect();
    let twice: Vec<_> = stored.iter().filter(|(_, times)| **times > 1).collect();
    println!(
        "{KILLS} kills in {:?}: {} messages acknowledged, {} stored, {} attempts failed",
        begun.elapsed(),
        acknowledged.len(),
        stored.len(),
        failed.load(Ordering::Relaxed),
    );
    assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
    assert!(twice.is_empty(), "stored twice: {twice:?}");
    assert!(acknowledged.len() > 5 * KILLS, "too few messages to show anything");
}

#[tokio::test]
async fn a_full_disk_is_an_error_banner_and_loses_nothing() {
    let state = TempDir::new().unwrap();
    let mut site = SiteProcess::start_with_little_space(160, state.path()).await;
    let client = Client::new();
    let long = |number: usize| format!("{number} {}", "long ".repeat(900));
    let mut acknowledged = HashSet::new();
    let mut refused = Vec::new();
    for number in 0..40 {
        let words = long(number).trim().to_owned();
        let answer = site.post(&client, &form(&words, "")).await.unwrap();
        match answer.status().as_u16() {
            200 => assert!(acknowledged.insert(words)),
            503 => refused.push(words),
            status => panic!("{status}"),
        }
    }
    assert!(!acknowledged.is_empty() && !refused.is_empty(), "{} stored", acknowledged.len());
    let health = client.get(format!("{}/pricing", site.address())).send().await.unwrap();
    assert_eq!(health.status(), 200);
    site.kill();

    assert_eq!(all_words(&state).await.into_iter().collect::<HashSet<_>>(), acknowledged);
    let site = SiteProcess::start(state.path(), &[]).await;
    for words in &refused {
        assert_eq!(site.post(&client, &form(words, "")).await.unwrap().status(), 200);
    }
    assert_eq!(all_words(&state).await.len(), 40);
}

#[tokio::test]
async fn a_locked_database_is_an_error_banner_and_loses_nothing() {
    let state = TempDir::new().unwrap();
    let site = SiteProcess::start(state.path(), &[]).await;
    let client = Client::new();
    assert_eq!(site.post(&client, &form("before", "")).await.unwrap().status(), 200);
    let file = format!("sqlite://{}", state.path().join("contact.db").display());
    let mut other = SqliteConnection::connect(&file).await.unwrap();
    other.execute("BEGIN EXCLUSIVE").await.unwrap();
    let answer = site.post(&client, &form("meanwhile", "")).await.unwrap();
    assert_eq!(answer.status(), 503);
    let page = client.post(format!("{}/contact", site.address()));
    let page = page.body(serde_urlencoded::to_string(form("meanwhile", "")).unwrap());
    let page = page.send().await.unwrap();
    assert_eq!(page.status(), 503);
    let page = page.text().await.unwrap();
    assert!(page.contains("There was an error sending your message. Please try again."), "{page}");
    assert!(page.contains("meanwhile"), "{page}");
    other.execute("ROLLBACK").await.unwrap();
    assert_eq!(all_words(&state).await, ["before"]);
    assert_eq!(site.post(&client, &form("meanwhile", "")).await.unwrap().status(), 200);
    assert_eq!(all_words(&state).await.len(), 2);
}

/// What was acknowledged is in the file that is at the path then, whatever became of the one that the
/// site had opened.
#[tokio::test]
async fn a_database_that_is_taken_away_or_replaced_loses_nothing_that_is_acknowledged_after() {
    let state = TempDir::new().unwrap();
    let file = state.path().join("contact.db");
    let site = SiteProcess::start(state.path(), &[]).await;
    let client = Client::new();
    assert_eq!(site.post(&client, &form("first", "")).await.unwrap().status(), 200);
    let backup = state.path().join("backup.db");
    messages(state.path(), &["backup", backup.to_str().unwrap()]).unwrap();

    std::fs::remove_file(&file).unwrap();
    for number in 0..10 {
        let words = format!("after it was gone {number}");
        assert_eq!(site.post(&client, &form(&words, "")).await.unwrap().status(), 200);
    }
    assert_eq!(all_words(&state).await.len(), 10);

    std::fs::rename(&backup, &file).unwrap();
    for number in 0..10 {
        let words = format!("after it was replaced {number}");
        assert_eq!(site.post(&client, &form(&words, "")).await.unwrap().status(), 200);
    }
    let words = all_words(&state).await;
    assert_eq!(words.len(), 11);
    assert!(words.contains(&"first".to_owned()));
}

/// One file is all there is, at any moment that the site does not run, and only its owner reads it.
#[tokio::test]
async fn after_a_stop_the_file_alone_has_every_message_and_nobody_else_may_read_it() {
    let folder = TempDir::new().unwrap();
    let state = folder.path().join("state");
    for round in 1..=6 {
        let mut site = SiteProcess::start(&state, &[]).await;
        let client = Client::new();
        let words = format!("round {round}");
        assert_eq!(site.post(&client, &form(&words, "")).await.unwrap().status(), 200);
        assert!(site.stop().await.success());
        let copied = TempDir::new().unwrap();
        std::fs::copy(state.join("contact.db"), copied.path().join("contact.db")).unwrap();
        assert_eq!(all_words(&copied).await.len(), round);
        let beside = std::fs::read_dir(&state).unwrap().map(|entry| entry.unwrap().file_name());
        let beside = beside.filter(|name| name.to_string_lossy().starts_with("contact.db"));
        assert_eq!(beside.count(), 1);
    }
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&state.join("contact.db")), 0o600);
}

#[tokio::test]
async fn a_backup_that_is_made_while_messages_come_can_be_restored() {
    let state = TempDir::new().unwrap();
    let site = SiteProcess::start(state.path(), &[]).await;
    let client = Client::new();
    let mut before = Vec::new();
    for number in 0..20 {
        before.push(format!("before {number}"));
        let answer = site.post(&client, &form(&before[number], "")).await.unwrap();
        assert_eq!(answer.status(), 200);
    }
    let restored = TempDir::new().unwrap();
    let backup = restored.path().join("contact.db");
    let backing_up = async {
        let (state, backup) = (state.path().to_owned(), backup.clone());
        let arguments = move || messages(&state, &["backup", backup.to_str().unwrap()]);
        tokio::task::spawn_blocking(arguments).await.unwrap().unwrap();
    };
    let posting = async {
        for number in 0..20 {
            let words = format!("meanwhile {number}");
            assert_eq!(site.post(&client, &form(&words, "")).await.unwrap().status(), 200);
        }
    };
    tokio::join!(backing_up, posting);
    let again = messages(state.path(), &["backup", backup.to_str().unwrap()]).unwrap_err();
    assert!(again.contains("exists already"), "{again}");
    let mode = std::fs::metadata(&backup).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    let site = SiteProcess::start(restored.path(), &[]).await;
    assert_eq!(site.post(&client, &form("afterwards", "")).await.unwrap().status(), 200);
    let words = all_words(&restored).await;
    assert!(words.len() >= 21, "{words:?}");
    for expected in before.iter().map(String::as_str).chain(["afterwards"]) {
        assert!(words.iter().any(|words| words == expected), "{expected}");
    }
}

#[tokio::test]
async fn without_a_database_pages_are_served_and_messages_refused_until_there_is_one() {
    let state = TempDir::new().unwrap();
    let folder = state.path().join("elsewhere");
    std::fs::write(&folder, "a file where the database's folder should be").unwrap();
    let url = format!("sqlite://{}/contact.db?mode=rwc", folder.display());
    let site = SiteProcess::start(state.path(), &[("DATABASE_URL", &url)]).await;
    let client = Client::new();
    let page = client.get(format!("{}/contact", site.address())).send().await.unwrap();
    assert_eq!(page.status(), 200);
    assert_eq!(site.post(&client, &form("too early", "")).await.unwrap().status(), 503);
    std::fs::remove_file(&folder).unwrap();
    assert_eq!(site.post(&client, &form("in time", "")).await.unwrap().status(), 200);
    let kept = stored(&Outbox::new(&url).unwrap()).await;
    assert_eq!(kept.into_iter().map(|kept| kept.text()).collect::<Vec<_>>(), ["in time"]);
    let log = std::fs::read_to_string(state.path().join("log")).unwrap();
    assert!(log.contains("the contact database can't be opened"), "{log}");
}

/// It keeps neither a visitor waiting for longer than the form does, nor the site from ending.
#[tokio::test]
async fn a_database_that_accepts_and_never_answers_is_an_error_banner_in_time() {
    let state = TempDir::new().unwrap();
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("postgres://{}/contact", silent.local_addr().unwrap());
    let mut site = SiteProcess::start(state.path(), &[("DATABASE_URL", &url)]).await;
    let client = Client::new();
    let begun = Instant::now();
    let (words, others) = (form("is anybody there?", ""), form("nobody?", ""));
    let posted = tokio::join!(site.post(&client, &words), site.post(&client, &others));
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    for answer in [posted.0, posted.1] {
        assert_eq!(answer.unwrap().status(), 503);
    }
    let stopped = Instant::now();
    assert!(site.stop().await.success());
    assert!(stopped.elapsed() < Duration::from_secs(10), "{:?}", stopped.elapsed());
}

#[tokio::test]
async fn two_sites_on_one_postgresql_deliver_each_message_once() {
    const MESSAGES: usize = 300;
    let database = Database::postgres().await;
    let outbox = Outbox::new(&database.url).unwrap();
    let words: Vec<_> = (0..MESSAGES).map(|number| format!("Message {number}")).collect();
    // Not all at once: they would wait for each other's connections.
    for words in words.chunks(20) {
        let stores = words.iter().map(async |words| {
            // Each from an address of its own, as no address gets many acknowledgements.
            let address = format!("{}@example.com", words.replace(' ', "."));
            let message = message_from("Ada", &address, words);
            outbox.store(&message, None, "tickfleet.example").await.unwrap();
        });
        futures_util::future::join_all(stores).await;
    }
    let server = SmtpServer::answering(&["ok"]);
    let begun = Instant::now();
    let mut sites = Vec::new();
    let states = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    for (state, user) in states.iter().zip(["one", "two"]) {
        let url = format!("smtp://{user}:secret@127.0.0.1:{}", server.port());
        let variables = [
            ("DATABASE_URL", database.url.as_str()),
            ("SMTP_URL", url.as_str()),
            ("CONTACT_FROM", "site@tickfleet.example"),
            ("CONTACT_TO", "team@tickfleet.example"),
        ];
        sites.push(SiteProcess::start(state.path(), &variables).await);
    }
    eventually("everything is delivered", async || {
        stored(&outbox).await.iter().all(|kept| kept.state == State::Delivered)
    })
    .await;
    let mails = server.settled().await;
    let by_one = mails.iter().filter(|mail| mail.user == "one").count();
    println!(
        "{MESSAGES} messages in {:?}, {by_one} of {} mails by one site",
        begun.elapsed(),
        mails.len()
    );
    assert_eq!(mails.len(), 2 * MESSAGES);
    let ids: HashSet<_> = mails.iter().map(super::support::smtp::Mail::message_id).collect();
    assert_eq!(ids.len(), 2 * MESSAGES);
    assert!(by_one > 0 && by_one < mails.len(), "one site did all the work");
    assert!(stored(&outbox).await.iter().all(|kept| kept.attempts == 1));
}
