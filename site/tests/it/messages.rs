//! `site messages`: what people wrote, for whoever answers them.

mod command_line;

use std::{sync::Arc, time::Duration};

use jiff::tz::TimeZone;
use site::{
    config::Handling,
    contact::{
        guard::Guard,
        message::{ContactMessage, PostedForm},
        outbox::{LEASE, Outbox, State},
    },
    messages::{Command, Filter, Format, run},
    routines::clean_up,
    state::App,
};
use sqlx::Executor;

use crate::support::{Harness, eventually, message, postgres::Database, stored};

/// Three messages, and what became of them; times and Message-IDs are the same in every run.
async fn filled() -> (Database, Outbox) {
    let database = Database::sqlite();
    let outbox = Outbox::new(&database.url).unwrap();
    for (number, [name, email, company, message]) in [
        [
            "Ada Lovelace",
            "ada@example.com",
            "Engines",
            "We launch in May.\nFrom Ada, with \"love\"; ok?",
        ],
        ["Zoë 李", "zoe@example.com", "", "=HYPERLINK(\"https://evil.example\") Grüße"],
        ["Bob", "bob@example.com", "+Spam", "Buy\n\n>From now on"],
    ]
    .into_iter()
    .enumerate()
    {
        let id = format!("00000000-0000-0000-0000-00000000000{number}");
        let fields = [
            ("name", name),
            ("email", email),
            ("company", company),
            ("message", message),
            ("submission_id", &id),
        ];
        let body = serde_urlencoded::to_string(fields).unwrap();
        let form = PostedForm::read(body.as_bytes());
        let message = ContactMessage::parse(&form).ok().unwrap();
        let suspicion = (name == "Bob").then_some("the hidden field was filled in");
        outbox.store(&message, suspicion, "tickfleet.example").await.unwrap();
    }
    let mut connection = database.connect().await;
    for fixed in [
        "UPDATE messages SET message_id = '<' || substr(email, 1, 3) || '@tickfleet.example>'",
        "UPDATE messages SET received_at = 1746090000000 + 60000 * length(email) + unicode(email)",
        "UPDATE messages SET state = 'dead', attempts = 16, last_error = 'permanent error (550)' \
         WHERE name = 'Bob'",
        "UPDATE messages SET state = 'delivered', attempts = 1, sent_at = 1746090030000 \
         WHERE name LIKE 'Ada%'",
    ] {
        connection.execute(fixed).await.unwrap();
    }
    (database, outbox)
}

/// What a command says to somebody in Texas who answers every question with this.
async fn told(command: Command, outbox: &Outbox, answer: &str) -> anyhow::Result<String> {
    let zone = TimeZone::get("America/Chicago").unwrap();
    let mut out = Vec::new();
    run(command, outbox, &zone, &mut answer.as_bytes(), &mut out).await?;
    Ok(String::from_utf8(out).unwrap())
}

async fn said(command: Command, outbox: &Outbox) -> String {
    told(command, outbox, "").await.unwrap()
}

fn every(filter: Filter) -> Command {
    Command::List { filter, limit: 20, page: 1 }
}

fn export(format: Format) -> Command {
    Command::Export { format, filter: Filter::default() }
}

async fn id_of(name: &str, outbox: &Outbox) -> String {
    let all = stored(outbox).await;
    all.into_iter().find(|kept| kept.name() == name).unwrap().submission_id
}

#[tokio::test]
async fn list_show_and_every_export_are_as_they_were_accepted() {
    let (_database, outbox) = filled().await;
    insta::assert_snapshot!("list", said(Command::default(), &outbox).await);
    let show = Command::Show { id: id_of("Bob", &outbox).await };
    insta::assert_snapshot!("show", said(show, &outbox).await);
    for (name, format) in [("json", Format::Json), ("csv", Format::Csv), ("mbox", Format::Mbox)] {
        insta::assert_snapshot!(name, said(export(format), &outbox).await);
    }
}

/// Whatever stands in one row, the others are written, and so is every word of this one.
#[tokio::test]
async fn an_address_that_no_header_takes_does_not_end_an_export() {
    let (database, outbox) = filled().await;
    let spoilt = "UPDATE messages SET email = 'bob at' || char(10) || 'home' WHERE name = 'Bob'";
    database.connect().await.execute(spoilt).await.unwrap();
    let foreign = "UPDATE messages SET email = 'zoe@bücher.example' WHERE email LIKE 'zoe@%'";
    database.connect().await.execute(foreign).await.unwrap();
    let mbox = said(export(Format::Mbox), &outbox).await;
    let starts = mbox.lines().filter(|line| line.starts_with("From "));
    assert_eq!(
        starts.map(|line| line.split(' ').nth(1).unwrap()).collect::<Vec<_>>(),
        ["zoe@xn--bcher-kva.example", "unknown", "ada@example.com"]
    );
    assert!(mbox.contains("Email: bob at\nhome\n"), "{mbox}");
}

#[tokio::test]
async fn an_outbox_without_messages_says_so() {
    let database = Database::sqlite();
    let outbox = Outbox::new(&database.url).unwrap();
    assert_eq!(said(Command::default(), &outbox).await, "No messages.\n");
    assert_eq!(said(export(Format::Json), &outbox).await, "[]\n");
}

#[tokio::test]
async fn a_dead_message_is_sent_again_and_no_other() {
    let (_database, outbox) = filled().await;
    let dead = id_of("Bob", &outbox).await;
    let retry = |id: &str| Command::Retry { id: Some(id.to_owned()), all: false };
    assert_eq!(said(retry(&dead), &outbox).await, "It will be sent again.\n");
    let claimed = outbox.claim_suspected().await.unwrap().unwrap();
    assert_eq!((claimed.name(), claimed.attempts), ("Bob", 1));
    let delivered = id_of("Ada Lovelace", &outbox).await;
    for (id, why) in [(delivered.as_str(), "is not dead"), ("nonsense", "there is no message")] {
        let error = told(retry(id), &outbox, "").await.unwrap_err().to_string();
        assert!(error.contains(why) && error.contains(id), "{error}");
    }
}

#[tokio::test]
async fn every_dead_message_is_sent_again_at_once_when_asked_so() {
    let (_database, outbox) = filled().await;
    let retry = || Command::Retry { id: None, all: true };
    assert_eq!(said(retry(), &outbox).await, "1 message will be sent again.\n");
    assert_eq!(said(retry(), &outbox).await, "0 messages will be sent again.\n");
}

#[tokio::test]
async fn a_message_is_deleted_only_by_whoever_means_it() {
    let (_database, outbox) = filled().await;
    let id = id_of("Ada Lovelace", &outbox).await;
    let delete = |yes| Command::Delete { id: id.clone(), yes };
    for answer in ["", "n\n", "\n"] {
        let error = told(delete(false), &outbox, answer).await.unwrap_err().to_string();
        assert!(error.contains("nothing was deleted"), "{error}");
    }
    assert_eq!(told(delete(false), &outbox, "y\n").await.unwrap(), "Deleted.\n");
    assert!(!said(Command::default(), &outbox).await.contains("Ada"));
    let error = told(delete(true), &outbox, "").await.unwrap_err();
    assert!(error.to_string().contains("there is no message"), "{error}");
}

/// The names in a list, the newest first.
fn names(list: &str) -> Vec<&str> {
    list.lines().filter_map(|line| line.split_once(" <")?.0.rsplit("  ").next()).collect()
}

#[tokio::test]
async fn a_list_shows_what_was_asked_for_a_page_at_a_time_and_counts_it() {
    let (_database, outbox) = filled().await;
    let any = Filter::default;
    let day = |day: &str| Some(day.parse().unwrap());
    for (filter, expected) in [
        (Filter { state: Some(State::Dead), ..any() }, &["Bob"][..]),
        (Filter { suspected: true, ..any() }, &["Bob"]),
        (Filter { unsuspected: true, ..any() }, &["Zoë 李", "Ada Lovelace"]),
        (Filter { text: Some("ENGINES".to_owned()), ..any() }, &["Ada Lovelace"]),
        (Filter { text: Some("grüße".to_owned()), ..any() }, &["Zoë 李"]),
        (Filter { since: day("2025-05-01"), ..any() }, &["Zoë 李", "Bob", "Ada Lovelace"]),
        (Filter { since: day("2025-05-02"), ..any() }, &[]),
    ] {
        assert_eq!(names(&said(every(filter.clone()), &outbox).await), expected);
        let json = Command::Export { format: Format::Json, filter };
        let exported: Vec<serde_json::Value> =
            serde_json::from_str(&said(json, &outbox).await).unwrap();
        assert_eq!(exported.len(), expected.len());
    }
    let page = |page| Command::List { filter: any(), limit: 2, page };
    let (first, second) = (said(page(1), &outbox).await, said(page(2), &outbox).await);
    assert_eq!((names(&first).len(), names(&second)), (2, vec!["Ada Lovelace"]));
    for list in [&first, &second] {
        assert!(
            list.contains("3 messages: 1 pending, 1 delivered, 1 dead; 1 suspected, 0 answered."),
            "{list}"
        );
    }
    assert!(first.ends_with("Page 1 of 2: --page 2\n"), "{first}");
}

#[tokio::test]
async fn the_beginning_of_an_id_is_enough_where_no_other_begins_so() {
    let (database, outbox) = filled().await;
    let show = |id: &str| Command::Show { id: id.to_owned() };
    let id = id_of("Bob", &outbox).await;
    let short = &id[..8];
    assert!(said(show(&short.to_uppercase()), &outbox).await.contains("Name: Bob\n"));
    let alike = "UPDATE messages SET submission_id = (SELECT substr(submission_id, 1, 8) \
                 FROM messages WHERE name = 'Bob') || '-other' WHERE name LIKE 'Ada%'";
    database.connect().await.execute(alike).await.unwrap();
    let error = told(show(short), &outbox, "").await.unwrap_err().to_string();
    assert!(error.contains(&format!("2 messages begin with {short}")), "{error}");
    for pattern in ["%", "_", "' OR 1=1 --"] {
        assert!(told(show(pattern), &outbox, "").await.is_err());
    }
}

#[tokio::test]
async fn an_answered_message_is_marked_and_no_longer_asked_for() {
    let (_database, outbox) = filled().await;
    let id = id_of("Zoë 李", &outbox).await;
    let answered = |undo| Command::Answered { id: id.clone(), undo };
    let unanswered = || every(Filter { unanswered: true, ..Filter::default() });
    said(answered(false), &outbox).await;
    assert!(said(Command::default(), &outbox).await.contains("delivered answered  Zoë"));
    assert_eq!(names(&said(unanswered(), &outbox).await), ["Bob", "Ada Lovelace"]);
    said(answered(true), &outbox).await;
    assert_eq!(names(&said(unanswered(), &outbox).await).len(), 3);
}

/// The team has it already; what is still to be sent is the confirmation.
#[tokio::test]
async fn a_released_message_is_confirmed_after_all_and_not_mailed_to_the_team_again() {
    let (database, outbox) = filled().await;
    let delivered =
        "UPDATE messages SET state = 'delivered', sent_at = 1, attempts = 1 WHERE name = 'Bob'";
    database.connect().await.execute(delivered).await.unwrap();
    database.connect().await.execute("DELETE FROM messages WHERE name <> 'Bob'").await.unwrap();
    let id = id_of("Bob", &outbox).await;
    let release = || Command::Release { id: id[..8].to_owned() };
    said(release(), &outbox).await;
    let due = outbox.claim().await.unwrap().unwrap();
    assert!(due.sent && due.suspicion.is_empty() && !due.acknowledged);
    let error = told(release(), &outbox, "").await.unwrap_err().to_string();
    assert!(error.contains("is not suspected"), "{error}");
}

/// A release during a delivery doesn't begin a second one, and loses no confirmation.
#[tokio::test]
async fn a_message_that_is_released_while_it_is_mailed_is_confirmed_after_that() {
    for database in Database::both().await {
        let outbox = Outbox::new(&database.url).unwrap();
        let suspicion = Some("too fast");
        outbox.store(&message("Bob", "Hello"), suspicion, "tickfleet.example").await.unwrap();
        let lease = outbox.claim_suspected().await.unwrap().unwrap();
        assert!(outbox.release(&lease.submission_id).await.unwrap());
        assert!(outbox.claim().await.unwrap().is_none());
        assert!(outbox.sent(&lease).await.unwrap());
        outbox.delivered(&lease, false, "").await.unwrap();
        database.let_pass(LEASE).await;
        let due = outbox.claim().await.unwrap().unwrap();
        assert!(due.sent && due.suspicion.is_empty() && !due.acknowledged);
    }
}

/// Nobody has it yet: it is sent again.
#[tokio::test]
async fn a_released_message_that_was_given_up_is_mailed_to_the_team() {
    let (database, outbox) = filled().await;
    let dead = "UPDATE messages SET state = 'dead', attempts = 16, last_error = '550 no' \
                WHERE name = 'Bob'";
    database.connect().await.execute(dead).await.unwrap();
    let postponed = outbox.census().await.unwrap().postponed;
    said(Command::Release { id: id_of("Bob", &outbox).await }, &outbox).await;
    assert_eq!(outbox.census().await.unwrap().postponed, postponed, "it was not refused since");
    let due = outbox.claim().await.unwrap().unwrap();
    assert_eq!((due.name(), due.attempts, due.sent), ("Bob", 1, false));
}

/// Whatever became of them; but one that waits for a mail server is not lost.
#[tokio::test]
async fn a_site_with_a_retention_deletes_what_arrived_long_ago() {
    for (mailed, days, left) in [(false, 29, 3), (false, 31, 0), (true, 31, 1)] {
        let (database, outbox) = filled().await;
        let age = "UPDATE messages SET next_attempt_at = (unixepoch() + 3600) * 1000, \
                   received_at = (unixepoch() - 86400 * $1) * 1000";
        sqlx::query(age).bind(days).execute(&mut database.connect().await).await.unwrap();
        let publisher = Harness::unpublished().await.app.publisher.clone();
        let app = App::new(publisher, outbox.clone(), Guard::new(Vec::new()));
        let handling = Handling { mailed, retention_days: Some(30) };
        let clearing = tokio::spawn(clean_up(Arc::new(app), handling));
        // Nothing is deleted at the start: the clock may be wrong.
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert_eq!(stored(&outbox).await.len(), 3);
        let an_hour_later = async || {
            tokio::time::pause();
            tokio::time::advance(Duration::from_mins(61)).await;
            tokio::time::resume();
            tokio::time::sleep(Duration::from_millis(100)).await;
            stored(&outbox).await.len()
        };
        eventually("old messages are deleted", async || an_hour_later().await == left).await;
        assert_eq!(an_hour_later().await, left);
        clearing.abort();
    }
}
