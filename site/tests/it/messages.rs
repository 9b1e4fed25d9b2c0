//! `site messages`: what people wrote, for whoever answers them.

use site::{
    contact::{
        message::{ContactMessage, PostedForm},
        outbox::Outbox,
    },
    messages::{Command, Format, run},
};
use sqlx::Executor;
use tempfile::TempDir;

use crate::support::{
    eventually,
    postgres::Database,
    process::{SiteProcess, messages},
};

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

async fn said(command: Command, outbox: &Outbox) -> String {
    let mut out = Vec::new();
    run(command, outbox, &mut out).await.unwrap();
    String::from_utf8(out).unwrap()
}

async fn id_of(name: &str, outbox: &Outbox) -> String {
    let all = outbox.all().await.unwrap();
    all.into_iter().find(|kept| kept.name() == name).unwrap().submission_id
}

#[tokio::test]
async fn list_show_and_every_export_are_as_they_were_accepted() {
    let (_database, outbox) = filled().await;
    insta::assert_snapshot!("list", said(Command::List, &outbox).await);
    let show = Command::Show { id: id_of("Bob", &outbox).await };
    insta::assert_snapshot!("show", said(show, &outbox).await);
    for (name, format) in [("json", Format::Json), ("csv", Format::Csv), ("mbox", Format::Mbox)] {
        insta::assert_snapshot!(name, said(Command::Export { format }, &outbox).await);
    }
}

/// Whatever stands in one row, the others are written, and so is every word of this one.
#[tokio::test]
async fn an_address_that_no_header_takes_does_not_end_an_export() {
    let (database, outbox) = filled().await;
    let spoilt = "UPDATE messages SET email = 'bob at' || char(10) || 'home' WHERE name = 'Bob'";
    database.connect().await.execute(spoilt).await.unwrap();
    let mbox = said(Command::Export { format: Format::Mbox }, &outbox).await;
    let starts = mbox.lines().filter(|line| line.starts_with("From "));
    assert_eq!(
        starts.map(|line| line.split(' ').nth(1).unwrap()).collect::<Vec<_>>(),
        ["zoe@example.com", "unknown", "ada@example.com"]
    );
    assert!(mbox.contains("Email: bob at\nhome\n"), "{mbox}");
}

#[tokio::test]
async fn an_outbox_without_messages_says_so() {
    let database = Database::sqlite();
    let outbox = Outbox::new(&database.url).unwrap();
    assert_eq!(said(Command::List, &outbox).await, "No messages.\n");
    assert_eq!(said(Command::Export { format: Format::Json }, &outbox).await, "[]\n");
}

#[tokio::test]
async fn a_dead_message_is_sent_again_and_no_other() {
    let (_database, outbox) = filled().await;
    let dead = id_of("Bob", &outbox).await;
    let retry = |id: &str| Command::Retry { id: id.to_owned() };
    assert_eq!(said(retry(&dead), &outbox).await, "It will be sent again.\n");
    let claimed = outbox.claim_suspected().await.unwrap().unwrap();
    assert_eq!((claimed.name(), claimed.attempts), ("Bob", 1));
    let delivered = id_of("Ada Lovelace", &outbox).await;
    for (id, why) in [(delivered.as_str(), "is not dead"), ("nonsense", "there is no message")] {
        let error = run(retry(id), &outbox, &mut Vec::new()).await.unwrap_err().to_string();
        assert!(error.contains(why) && error.contains(id), "{error}");
    }
}

#[tokio::test]
async fn a_deleted_message_is_in_no_list() {
    let (_database, outbox) = filled().await;
    let id = id_of("Ada Lovelace", &outbox).await;
    let delete = || Command::Delete { id: id.clone() };
    assert_eq!(said(delete(), &outbox).await, "Deleted.\n");
    assert!(!said(Command::List, &outbox).await.contains("Ada"));
    let error = run(delete(), &outbox, &mut Vec::new()).await.unwrap_err();
    assert!(error.to_string().contains("there is no message"), "{error}");
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
    messages(state.path(), &["delete", id]).unwrap();
    assert_eq!(messages(state.path(), &[]).unwrap(), "No messages.\n");
    assert!(messages(state.path(), &["show", id]).unwrap_err().contains("there is no message"));
}

#[tokio::test]
async fn a_site_with_a_retention_deletes_what_was_delivered_long_ago() {
    let (database, outbox) = filled().await;
    let state = TempDir::new().unwrap();
    for (days, left) in [(29_i64, 3), (31, 2)] {
        let age = "UPDATE messages SET sent_at = (unixepoch() - 86400 * $1) * 1000 \
                   WHERE state = 'delivered'";
        sqlx::query(age).bind(days).execute(&mut database.connect().await).await.unwrap();
        let variables = [("CONTACT_RETENTION_DAYS", "30"), ("DATABASE_URL", &database.url)];
        let mut site = SiteProcess::start(state.path(), &variables).await;
        eventually("old messages are deleted", async || outbox.all().await.unwrap().len() == left)
            .await;
        assert!(site.stop().await.success());
    }
    let log = std::fs::read_to_string(state.path().join("log")).unwrap();
    assert_eq!(
        log.matches("delivered messages were deleted after their time deleted=1").count(),
        1
    );
}
