//! What a sender is told of a message that arrived, through a real mail server and on both databases.

use site::contact::{
    delivery::Step,
    message::{ContactMessage, PostedForm},
    outbox::{Outbox, State},
};
use sqlx::Executor;

use crate::support::{
    copy, message,
    office::{ATTEMPTS, HOST, Office, PAUSE, TEAM, VISITOR, delivery},
    postgres::Database,
    smtp::SmtpServer,
};

#[tokio::test]
async fn an_acknowledgement_that_fails_for_now_is_sent_again_alone() {
    for database in Database::both().await {
        let server = SmtpServer::answering(&["ok", "451", "drop", "ok"]);
        let office = Office::open(database, &server.url()).await;
        for wait in [PAUSE, 2 * PAUSE] {
            assert_eq!(office.step().await, Step::Postponed);
            let kept = office.kept().await;
            assert!(kept.sent && !kept.acknowledged);
            office.wait(wait).await;
        }
        assert_eq!(office.step().await, Step::Delivered);
        let mails = server.settled().await;
        let recipients: Vec<_> = mails.iter().map(|mail| mail.to.join(",")).collect();
        assert_eq!(recipients, [TEAM, VISITOR, VISITOR, VISITOR]);
        assert_eq!(mails[1].message_id(), mails[3].message_id());
        assert!(office.kept().await.acknowledged);
    }
}

#[tokio::test]
async fn an_acknowledgement_that_nobody_takes_ends_the_delivery_all_the_same() {
    let server = SmtpServer::answering(&["ok", "550"]);
    let office = Office::open(Database::sqlite(), &server.url()).await;
    assert_eq!(office.step().await, Step::Delivered);
    let kept = office.kept().await;
    assert_eq!((kept.state, kept.acknowledged), (State::Delivered, false));
    assert!(kept.last_error.starts_with("not acknowledged: "), "{}", kept.last_error);

    let server = SmtpServer::answering(&["ok", "451"]);
    let office = Office::open(Database::sqlite(), &server.url()).await;
    for _ in 1..ATTEMPTS {
        assert_eq!(office.step().await, Step::Postponed);
        office.wait(8 * 3600).await;
    }
    assert_eq!(office.step().await, Step::Delivered);
    let mails = server.settled().await;
    assert_eq!(mails.len(), 1 + ATTEMPTS);
    assert_eq!(mails.iter().filter(|mail| mail.to == [TEAM]).count(), 1);
    assert_eq!(office.kept().await.state, State::Delivered);
}

#[tokio::test]
async fn a_suspected_message_reaches_the_team_marked_and_is_not_acknowledged() {
    for database in Database::both().await {
        let server = SmtpServer::answering(&["ok"]);
        let outbox = Outbox::new(&database.url).unwrap();
        let why = Some("the hidden field was filled in");
        outbox.store(&message("Ada", "Buy now"), why, HOST).await.unwrap();
        let step = delivery(&outbox, &server.url()).step(&copy()).await;
        assert_eq!(step.unwrap(), Step::Delivered);
        let mails = server.settled().await;
        assert_eq!(mails.len(), 1);
        assert_eq!(mails[0].to, [TEAM]);
        assert!(mails[0].header("Subject").unwrap().starts_with("[Suspected] "));
        assert!(mails[0].raw.contains("the hidden field was filled in"));
    }
}

/// Whoever writes somebody else's address into the form sends them no flood.
#[tokio::test]
async fn an_address_is_sent_one_acknowledgement_an_hour_and_three_a_day() {
    for database in Database::both().await {
        let server = SmtpServer::answering(&["ok"]);
        let office = Office::open(database, &server.url()).await;
        let mut number = 0;
        let mut acknowledged = async |hours: u64| {
            let before = server.settled().await.iter().filter(|mail| mail.to == [VISITOR]).count();
            office.wait(hours * 3600).await;
            for _ in 0..4 {
                number += 1;
                let words = format!("Message {number}");
                office.outbox.store(&message("Mallory", &words), None, HOST).await.unwrap();
                while office.step().await != Step::Idle {}
            }
            let mails = server.settled().await;
            mails.iter().filter(|mail| mail.to == [VISITOR]).count() - before
        };
        assert_eq!(acknowledged(0).await, 1);
        assert_eq!(acknowledged(0).await, 0);
        assert_eq!(acknowledged(1).await, 1);
        assert_eq!(acknowledged(1).await, 1);
        assert_eq!(acknowledged(1).await, 0, "three within a day");
        assert_eq!(acknowledged(22).await, 1);
        let mails = server.settled().await;
        assert_eq!(mails.iter().filter(|mail| mail.to == [TEAM]).count(), 25, "the team has all");
    }
}

/// The hour begins when the acknowledgement is sent, however often that was tried before.
#[tokio::test]
async fn an_acknowledgement_that_is_late_still_is_the_only_one_of_its_hour() {
    for database in Database::both().await {
        let server = SmtpServer::answering(&["ok", "451", "ok"]);
        let office = Office::open(database, &server.url()).await;
        assert_eq!(office.step().await, Step::Postponed);
        office.wait(2 * 3600).await;
        assert_eq!(office.step().await, Step::Delivered);
        office.outbox.store(&message("Mallory", "Me too"), None, HOST).await.unwrap();
        assert_eq!(office.step().await, Step::Delivered);
        let mails = server.settled().await;
        let recipients: Vec<_> = mails.iter().map(|mail| mail.to.join(",")).collect();
        assert_eq!(recipients, [TEAM, VISITOR, VISITOR, TEAM]);
    }
}

/// Addresses that lead into one mailbox count as one.
#[tokio::test]
async fn no_spelling_makes_another_mailbox() {
    let database = Database::sqlite();
    let outbox = Outbox::new(&database.url).unwrap();
    let spellings = [
        "bob@example.com",
        "Bob@Example.com",
        "bob+1@example.com",
        "bob@exam\u{ad}ple.com",
        "bob@example\u{3002}com",
        "rob@example.com",
    ];
    for (number, email) in spellings.iter().enumerate() {
        let fields = [("name", "Ada"), ("email", *email), ("message", &number.to_string())];
        let form = PostedForm::read(serde_urlencoded::to_string(fields).unwrap().as_bytes());
        outbox.store(&ContactMessage::parse(&form).ok().unwrap(), None, HOST).await.unwrap();
    }
    let mut allowed = Vec::new();
    while let Some(kept) = outbox.claim().await.unwrap() {
        allowed.push(outbox.may_acknowledge(&kept).await.unwrap());
    }
    assert_eq!(allowed.iter().filter(|allowed| **allowed).count(), 2, "{allowed:?}");
}

#[tokio::test]
async fn where_mail_is_set_up_later_what_was_answered_is_not_sent_and_old_messages_are_not_confirmed()
 {
    for database in Database::both().await {
        let server = SmtpServer::answering(&["ok"]);
        let office = Office::open(database, &server.url()).await;
        let answered = office.kept().await.submission_id;
        office.outbox.store(&message("Bob", "Hello?"), None, HOST).await.unwrap();
        let older = "UPDATE messages SET received_at = received_at - 691200000";
        office.database.connect().await.execute(older).await.unwrap();
        assert!(office.outbox.answered(&answered, true).await.unwrap());
        assert_eq!(office.step().await, Step::Delivered);
        assert_eq!(office.step().await, Step::Idle);
        let mails = server.settled().await;
        assert_eq!(mails.iter().map(|mail| mail.to.join(",")).collect::<Vec<_>>(), [TEAM]);
        assert!(mails[0].raw.contains("Hello?"));
        assert!(office.outbox.answered(&answered, false).await.unwrap());
        assert_eq!(office.step().await, Step::Delivered, "it was not answered after all");
    }
}
