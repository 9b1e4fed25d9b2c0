//! From the outbox into mailboxes, through a real mail server and on both databases.

use std::{io::Write, net::TcpListener, time::Duration};

use serde_json::json;
use site::contact::{
    delivery::{Delivery, Step},
    mailer::MailError,
    outbox::{Outbox, State},
};
use sqlx::Executor;
use tokio::net::TcpSocket;

use crate::support::{
    copy, eventually, message, message_from,
    office::{ATTEMPTS, HOST, Office, PAUSE, TEAM, VISITOR, delivery, mailer},
    postgres::Database,
    smtp::SmtpServer,
    stored,
};

/// A socket at whose port nobody listens: nobody is given the port, and who asks for it gets it.
fn unused_port() -> (TcpSocket, u16) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_reuseaddr(true).unwrap();
    socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let port = socket.local_addr().unwrap().port();
    (socket, port)
}

#[tokio::test]
async fn the_team_gets_the_message_and_then_the_visitor_an_acknowledgement() {
    for database in Database::both().await {
        let server = SmtpServer::answering(&["ok"]);
        let office = Office::open(database, &server.url()).await;
        assert_eq!(office.step().await, Step::Delivered);
        assert_eq!(office.step().await, Step::Idle);
        let mails = server.settled().await;
        let recipients: Vec<_> = mails.iter().map(|mail| mail.to.join(",")).collect();
        assert_eq!(recipients, [TEAM, VISITOR]);
        let kept = office.kept().await;
        assert_eq!((kept.state, kept.attempts), (State::Delivered, 1));
        assert!(kept.sent && kept.acknowledged);
        assert_eq!(mails[0].message_id(), kept.message_id);
    }
}

#[tokio::test]
async fn while_the_mail_server_is_down_attempts_follow_in_ever_longer_pauses() {
    for database in Database::both().await {
        let (_held, unused) = unused_port();
        let office = Office::open(database, &format!("smtp://127.0.0.1:{unused}")).await;
        assert_eq!(office.step().await, Step::Postponed);
        office.wait(25).await;
        assert_eq!(office.step().await, Step::Idle);
        office.wait(PAUSE - 25).await;
        assert_eq!(office.step().await, Step::Postponed);
        office.wait(55).await;
        assert_eq!(office.step().await, Step::Idle);
        let kept = office.kept().await;
        assert_eq!((kept.state, kept.attempts), (State::Pending, 2));
        assert!(!kept.last_error.is_empty());

        let server = SmtpServer::at(unused, &["ok"]);
        office.wait(2 * PAUSE - 55).await;
        assert_eq!(office.step().await, Step::Delivered);
        assert_eq!(server.settled().await.len(), 2);
    }
}

#[tokio::test]
async fn a_mail_refused_for_now_or_lost_after_data_is_sent_again_unchanged() {
    for database in Database::both().await {
        let server = SmtpServer::answering(&["451", "drop", "ok"]);
        let office = Office::open(database, &server.url()).await;
        for wait in [PAUSE, 2 * PAUSE] {
            assert_eq!(office.step().await, Step::Postponed);
            assert_eq!(office.step().await, Step::Idle);
            assert!(!office.kept().await.sent);
            office.wait(wait).await;
        }
        assert_eq!(office.step().await, Step::Delivered);
        let mails = server.settled().await;
        assert_eq!(mails.len(), 4);
        assert_eq!(mails[0].raw, mails[1].raw);
        assert_eq!(mails[0].raw, mails[2].raw);
        assert_eq!(mails[0].message_id(), office.kept().await.message_id);
    }
}

/// With its reply to DATA the server has taken the mail over (RFC 5321, section 4.2.5).
#[tokio::test]
async fn a_mail_that_was_taken_counts_as_sent_though_quit_is_not_answered() {
    let server = SmtpServer::answering(&["mute"]);
    let office = Office::open(Database::sqlite(), &server.url()).await;
    let step = tokio::time::timeout(Duration::from_secs(30), office.step()).await;
    assert_eq!(step.expect("nobody waits for the answer to QUIT"), Step::Delivered);
    let recipients: Vec<_> = server.settled().await.iter().map(|mail| mail.to.join(",")).collect();
    assert_eq!(recipients, [TEAM, VISITOR]);
    server.left_alone().await;
}

#[tokio::test]
async fn a_mail_refused_for_good_is_dead_until_somebody_sends_it_again() {
    for database in Database::both().await {
        let server = SmtpServer::answering(&["550", "ok"]);
        let office = Office::open(database, &server.url()).await;
        assert_eq!(office.step().await, Step::Dead);
        office.wait(7 * 24 * 3600).await;
        assert_eq!(office.step().await, Step::Idle);
        let kept = office.kept().await;
        assert_eq!(kept.state, State::Dead);
        assert!(kept.last_error.contains("550"), "{}", kept.last_error);

        assert!(office.outbox.retry(&kept.submission_id).await.unwrap());
        assert!(!office.outbox.retry(&kept.submission_id).await.unwrap());
        assert_eq!(office.outbox.census().await.unwrap().postponed, 0, "it was not refused since");
        assert_eq!(office.step().await, Step::Delivered);
        let mails = server.settled().await;
        assert_eq!(mails[0].message_id(), mails[1].message_id());
    }
}

#[tokio::test]
async fn a_message_that_is_never_taken_dies_after_its_last_attempt() {
    let server = SmtpServer::answering(&["451"]);
    let office = Office::open(Database::sqlite(), &server.url()).await;
    for _ in 1..ATTEMPTS {
        assert_eq!(office.step().await, Step::Postponed);
        office.wait(8 * 3600).await;
    }
    assert_eq!(office.step().await, Step::Dead);
    let mails = server.settled().await;
    assert_eq!(mails.len(), ATTEMPTS);
    assert!(mails.iter().all(|mail| mail.raw == mails[0].raw));
}

/// A password that was changed is the owner's to mend: no message dies of it.
#[tokio::test]
async fn a_server_that_does_not_know_us_is_tried_again() {
    let server =
        SmtpServer::start(&json!({ "port": 0, "answers": ["ok"], "password": "new secret" }));
    let url = |password: &str| format!("smtp://site:{password}@127.0.0.1:{}", server.port());
    let mut office = Office::open(Database::sqlite(), &url("old")).await;
    assert_eq!(office.step().await, Step::Postponed);
    assert!(office.kept().await.last_error.contains("535"));
    office.wait(PAUSE).await;
    office.delivery = delivery(&office.outbox, &url("new%20secret"));
    assert_eq!(office.step().await, Step::Delivered);
    assert_eq!(server.settled().await[0].user, "site");
}

#[tokio::test]
async fn a_slow_server_is_waited_for_and_meanwhile_no_transaction_is_open() {
    for database in Database::both().await {
        let server = SmtpServer::answering(&["slow"]);
        let office = Office::open(database, &server.url()).await;
        let meanwhile = async {
            server.received(1).await;
            office.outbox.store(&message("Bob", "Me too"), None, HOST).await.unwrap();
            assert!(stored(&office.outbox).await.iter().all(|kept| !kept.sent));
        };
        let (step, ()) = tokio::join!(office.step(), meanwhile);
        assert_eq!(step, Step::Delivered);
    }
}

/// The clock goes on by more than a mail may take, once the server has one.
async fn a_minute_after_its_mail(server: &SmtpServer) {
    server.received(1).await;
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(61)).await;
    tokio::time::resume();
}

/// The reply to the mail before it, which comes too late, is no reply to this one.
#[tokio::test]
async fn a_mail_that_is_refused_after_one_that_was_given_up_is_not_taken_for_sent() {
    let server = SmtpServer::answering(&["slow", "550"]);
    let office = Office::open(Database::sqlite(), &server.url()).await;
    let (step, ()) = tokio::join!(office.step(), a_minute_after_its_mail(&server));
    assert_eq!(step, Step::Postponed);
    tokio::time::sleep(Duration::from_millis(1500)).await;
    office.outbox.store(&message("Bob", "Hello"), None, HOST).await.unwrap();
    assert_eq!(office.step().await, Step::Dead);
}

#[tokio::test]
async fn a_server_that_never_answers_is_given_up_in_time_and_not_tried_again_at_once() {
    let server = SmtpServer::answering(&["hang"]);
    let office = Office::open(Database::sqlite(), &server.url()).await;
    let a_minute_later = async {
        server.received(1).await;
        office.wait(61).await;
        a_minute_after_its_mail(&server).await;
    };
    let (step, ()) = tokio::join!(office.step(), a_minute_later);
    assert_eq!(step, Step::Postponed);
    assert!(office.kept().await.last_error.contains("60 s"));
    server.left_alone().await;
    // The try took longer than the first pause, which begins when the try has ended.
    office.wait(25).await;
    assert_eq!(office.step().await, Step::Idle);
    office.wait(PAUSE - 25).await;
    assert_eq!(office.outbox.claim().await.unwrap().map(|kept| kept.attempts), Some(2));
}

/// Whoever reads the log finds what to mend, and no word of the server's, which may name a mailbox.
#[tokio::test]
async fn the_log_says_why_a_mail_did_not_leave() {
    let database = Database::sqlite();
    let outbox = Outbox::new(&database.url).unwrap();
    outbox.store(&message("Ada", "Hello"), None, HOST).await.unwrap();
    let kept = outbox.claim().await.unwrap().unwrap();
    let server = SmtpServer::answering(&["451", "drop"]);
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let other_port = other.local_addr().unwrap().port();
    let (_held, unused) = unused_port();
    std::thread::spawn(move || {
        other.accept().unwrap().0.write_all(b"HTTP/1.1 400 Bad Request\r\n")
    });
    for (url, wanted) in [
        (server.url(), "the mail server answered 451"),
        (server.url(), "the mail server closed the connection"),
        (
            format!("{}?tls=required", server.url()),
            "the mail server can't be used: STARTTLS is not supported on this server",
        ),
        (
            format!("smtp://127.0.0.1:{unused}"),
            "the connection to the mail server failed: Connection refused (os error 111)",
        ),
        (format!("smtp://127.0.0.1:{other_port}"), "the mail server said what is no SMTP"),
    ] {
        let mailer = mailer(&url);
        let sent = mailer.send(mailer.to_team(&kept, &copy()).unwrap()).await;
        let Err(MailError::Transient { reason, .. }) = sent else { panic!("{wanted}: {sent:?}") };
        assert_eq!(reason, wanted);
    }
}

/// It was put off by as much as the clock was ahead.
#[tokio::test]
async fn a_database_clock_that_was_ahead_for_a_while_strands_no_message() {
    for database in Database::both().await {
        let server = SmtpServer::answering(&["451", "ok"]);
        let office = Office::open(database, &server.url()).await;
        assert_eq!(office.step().await, Step::Postponed);
        let ahead = "UPDATE messages SET next_attempt_at = next_attempt_at + 2592000000";
        office.database.connect().await.execute(ahead).await.unwrap();
        assert_eq!(office.step().await, Step::Delivered);
        // Nor does it keep an address from its next acknowledgement.
        let ahead = "UPDATE acknowledgements SET latest = latest + 2592000000";
        office.database.connect().await.execute(ahead).await.unwrap();
        office.outbox.forget_acknowledgements().await.unwrap();
        office.outbox.store(&message("Ada", "Hello again"), None, HOST).await.unwrap();
        let kept = office.outbox.claim().await.unwrap().unwrap();
        assert!(office.outbox.may_acknowledge(&kept).await.unwrap());
    }
}

/// A flood that was accepted must not become a flood of mail, nor keep people waiting.
#[tokio::test]
async fn what_people_wrote_is_delivered_before_what_is_suspected() {
    for database in Database::both().await {
        let server = SmtpServer::answering(&["ok"]);
        let outbox = Outbox::new(&database.url).unwrap();
        for number in 0..5 {
            let words = format!("Buy {number}");
            outbox.store(&message("Bot", &words), Some("a flood"), HOST).await.unwrap();
        }
        outbox.store(&message("Ada", "Hello"), None, HOST).await.unwrap();
        let delivery = delivery(&outbox, &server.url());
        let copy = copy();
        for step in [Step::Delivered, Step::Delivered, Step::Idle] {
            assert_eq!(delivery.step(&copy).await.unwrap(), step);
        }
        let mails = server.settled().await;
        assert!(mails[0].raw.contains("Hello") && mails[2].raw.contains("Buy"));
    }
}

#[tokio::test]
async fn several_deliveries_at_once_send_each_message_once() {
    for database in Database::both().await {
        let server = SmtpServer::answering(&["ok"]);
        let outbox = Outbox::new(&database.url).unwrap();
        for number in 0..40 {
            let message = message_from("Ada", &format!("ada{number}@example.com"), "Hello");
            outbox.store(&message, None, HOST).await.unwrap();
        }
        let copy = copy();
        let empty = async |delivery: Delivery| {
            while delivery.step(&copy).await.unwrap() != Step::Idle {}
        };
        let deliveries = (0..4).map(|_| empty(delivery(&outbox, &server.url())));
        futures_util::future::join_all(deliveries).await;
        eventually("80 mails", async || server.mails().len() >= 80).await;
        let mut ids: Vec<_> =
            server.settled().await.iter().map(super::support::smtp::Mail::message_id).collect();
        assert_eq!(ids.len(), 80);
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 80);
    }
}
