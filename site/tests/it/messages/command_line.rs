//! `site messages` as a process of its own, with words, an environment and a shell around it.

use std::{
    io::Read,
    process::{Child, Stdio},
    time::Duration,
};

use site::messages::Command;
use tempfile::TempDir;

use super::{filled, said};
use crate::support::{
    message,
    postgres::Database,
    process::{SiteProcess, messages, signal},
};

#[test]
fn an_id_that_is_empty_names_no_message() {
    let state = TempDir::new().unwrap();
    for words in [&["show", ""][..], &["delete", "", "--yes"], &["release", ""], &["retry", ""]] {
        let error = messages(state.path(), words).unwrap_err();
        assert!(error.contains("a value is required"), "{error}");
    }
}

#[tokio::test]
async fn a_database_that_no_site_has_made_is_not_made_by_a_look_at_it() {
    let state = TempDir::new().unwrap();
    let error = messages(state.path(), &[]).unwrap_err();
    let file = state.path().join("contact.db");
    assert!(error.contains(&format!("Messages in {}", file.display())), "{error}");
    assert!(
        error.contains("there are no messages") && error.contains("there is no file"),
        "{error}"
    );
    assert!(!file.exists());
}

/// "There are no messages" would send somebody to look for others while these wait.
#[tokio::test]
async fn a_database_that_can_not_be_read_is_told_by_its_own_error() {
    let state = TempDir::new().unwrap();
    let file = state.path().join("contact.db");
    std::fs::write(&file, "no database ".repeat(100)).unwrap();
    let error = messages(state.path(), &[]).unwrap_err();
    assert!(error.contains("file is not a database"), "{error}");
    assert!(!error.contains("there are no messages"), "{error}");
    // One without tables was made by no site.
    std::fs::write(&file, "").unwrap();
    let error = messages(state.path(), &[]).unwrap_err();
    assert!(error.contains("there are no messages"), "{error}");
}

/// Each try would leave less room for messages, and one more copy of what people wrote.
#[tokio::test]
async fn a_backup_that_there_is_no_room_for_leaves_nothing_behind() {
    let (database, _outbox) = filled().await;
    let folder = TempDir::new().unwrap();
    // The signal would end the process before it could clear away.
    let script = "trap '' XFSZ; ulimit -f 16; exec \"$0\" messages backup \"$1\"";
    let output = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_site")])
        .arg(folder.path().join("contact.db"))
        .env_clear()
        .env("DATABASE_URL", &database.url)
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("can't be written"), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn a_backup_touches_no_other_file() {
    let (_database, outbox) = filled().await;
    let folder = TempDir::new().unwrap();
    let other = folder.path().join("contact.db.new");
    std::fs::write(&other, "somebody's own").unwrap();
    said(Command::Backup { file: folder.path().join("contact.db") }, &outbox).await;
    assert_eq!(std::fs::read_to_string(other).unwrap(), "somebody's own");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[tokio::test]
async fn a_backup_that_is_interrupted_leaves_nothing_behind() {
    let (database, _outbox) = filled().await;
    fill_up(20_000, &database).await;
    let folder = TempDir::new().unwrap();
    let files = || std::fs::read_dir(folder.path()).unwrap().count();
    let file = folder.path().join("contact.db");
    let mut child = begun(&["backup", file.to_str().unwrap()], &database);
    // The copy is made within a second.
    let has_begun = (0..10_000).any(|_| {
        std::thread::sleep(Duration::from_millis(1));
        files() > 0
    });
    assert!(has_begun);
    signal(&child, "INT");
    assert!(!child.wait().unwrap().success());
    assert_eq!(files(), 0);
}

/// `site messages` with these words, its answer still to be read.
fn begun(words: &[&str], database: &Database) -> Child {
    std::process::Command::new(env!("CARGO_BIN_EXE_site"))
        .arg("messages")
        .args(words)
        .env_clear()
        .env("DATABASE_URL", &database.url)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// So many more messages like Bob's, of 5 kB each.
async fn fill_up(messages: u64, database: &Database) {
    let many = "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1) \
                INSERT INTO messages (submission_id, message_id, received_at, name, email, company, \
                message, suspicion, state, attempts, next_attempt_at, last_error, sent_at, \
                acknowledged_at) SELECT n, message_id, received_at + n, name, email, company, \
                hex(randomblob(2500)), '', state, attempts, 0, last_error, 0, 0 \
                FROM numbers, messages WHERE name = 'Bob'";
    let many = sqlx::query(many).bind(messages.cast_signed());
    many.execute(&mut database.connect().await).await.unwrap();
}

/// `site messages | head -1`
#[tokio::test]
async fn whoever_has_read_enough_may_end_early() {
    let (database, _outbox) = filled().await;
    let mut child = begun(&["export"], &database);
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
}

/// The process waits for whoever reads slowly, so that what it has held until then can be asked for.
#[tokio::test]
async fn a_long_answer_takes_little_memory_and_keeps_nobody_from_sending() {
    // A process that holds none of them takes 30 MB.
    const MESSAGES: u64 = 4_000;
    const HELD_KB: u64 = 45_000;
    let (database, outbox) = filled().await;
    fill_up(MESSAGES, &database).await;
    for (number, words) in [
        &["list", "--limit", "4000"][..],
        &["export", "--format", "json"],
        &["export", "--format", "csv"],
        &["export", "--format", "mbox"],
    ]
    .into_iter()
    .enumerate()
    {
        let mut child = begun(words, &database);
        let mut answer = child.stdout.take().unwrap();
        let most = MESSAGES * if words[0] == "list" { 40 } else { 5_000 };
        std::io::copy(&mut answer.by_ref().take(most), &mut std::io::sink()).unwrap();
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let held = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let held: u64 = held.trim().trim_end_matches(" kB").parse().unwrap();
        println!("{words:?}: {held} kB");
        assert!(held < HELD_KB, "{words:?} holds {held} kB");
        let meanwhile = message("Ada", &format!("Message {number}"));
        outbox.store(&meanwhile, None, "tickfleet.example").await.unwrap();
        drop(answer);
        assert!(child.wait().unwrap().success(), "{words:?}");
    }
}

/// As the site reads it, so that both mean the same database.
#[tokio::test]
async fn the_command_line_reads_the_environment_file() {
    let (database, _outbox) = filled().await;
    let folder = TempDir::new().unwrap();
    let list = |file: &str| {
        std::fs::write(folder.path().join(".env"), file).unwrap();
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_site"))
            .arg("messages")
            .env_clear()
            .current_dir(folder.path())
            .output()
            .unwrap();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    let told = list(&format!("# where\nDATABASE_URL='{}'\n", database.url));
    assert!(told.contains("Ada Lovelace"), "{told}");
    let told = list("SMTP_URL smtps://secret");
    assert!(told.contains("`.env` has a line") && !told.contains("secret"), "{told}");
}

#[tokio::test]
async fn the_command_line_says_what_a_running_site_has_stored() {
    let state = TempDir::new().unwrap();
    let site = SiteProcess::start(state.path(), &[]).await;
    let form = [("name", "Ada"), ("email", "ada@example.com"), ("message", "Hi"), ("website", "")];
    site.post(&reqwest::Client::new(), &form).await.unwrap();
    let list = messages(state.path(), &[]).unwrap();
    assert!(list.contains("  pending  Ada <ada@example.com>\n"), "{list}");
    let id = list.split_whitespace().next().unwrap();
    assert!(messages(state.path(), &["show", id]).unwrap().ends_with("\n\nHi\n"));
    assert!(
        messages(state.path(), &["export", "--format", "mbox"]).unwrap().starts_with("From ada")
    );
    messages(state.path(), &["delete", "--yes", id]).unwrap();
    assert_eq!(messages(state.path(), &[]).unwrap(), "No messages.\n");
    assert!(messages(state.path(), &["show", id]).unwrap_err().contains("there is no message"));
}
