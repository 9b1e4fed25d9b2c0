//! The two mails, and the site that sends them over TLS.

use std::sync::Arc;

use reqwest::Client;
use serde_json::json;
use site::{
    config::MailConfig,
    contact::{
        delivery::{Delivery, Step},
        mailer::Mailer,
        message::{ContactMessage, PostedForm},
        outbox::Outbox,
    },
};
use sqlx::Executor;
use tempfile::TempDir;

use crate::support::{
    copy, eventually,
    office::Office,
    postgres::Database,
    process::{SiteProcess, messages},
    smtp::{Mail, SmtpServer},
};

/// What becomes of these four fields: the team's mail and the visitor's, where there is one.
async fn mails(fields: [&str; 4], suspicion: Option<&str>) -> Vec<Mail> {
    let names = ["name", "email", "company", "message"];
    let body = serde_urlencoded::to_string(names.into_iter().zip(fields).collect::<Vec<_>>());
    let form = PostedForm::read(body.unwrap().as_bytes());
    let message = ContactMessage::parse(&form).ok().unwrap();
    let database = Database::sqlite();
    let outbox = Outbox::new(&database.url).unwrap();
    outbox.store(&message, suspicion, "tickfleet.example").await.unwrap();
    let server = SmtpServer::answering(&["ok"]);
    let config = MailConfig {
        url: server.url(),
        from: "Tickfleet <site@tickfleet.example>".parse().unwrap(),
        to: "Team <team@tickfleet.example>".parse().unwrap(),
    };
    let delivery = Delivery::new(outbox, Mailer::new(&config).unwrap(), Arc::default());
    delivery.step(&copy()).await.unwrap();
    server.settled().await
}

#[tokio::test]
async fn both_mails_are_as_they_were_accepted() {
    let words = "We launch in May.\n\nCan you host 300 rooms?\n.\nFrom Ada";
    let mails = mails(["Ada Lovelace", "ada@example.com", "Analytical Engines", words], None).await;
    let [team, visitor] = &mails[..] else { panic!("two mails") };
    insta::assert_snapshot!("team", team.redacted());
    insta::assert_snapshot!("acknowledgement", visitor.redacted());
}

#[tokio::test]
async fn a_marked_mail_in_other_letters_is_as_it_was_accepted() {
    let fields = ["Zoë \"李\" <x>, y", "zoe@bücher.example", "", "Grüße, 游戏 \u{1F3AE}"];
    let mails = mails(fields, Some("the form was filled in within 2 seconds")).await;
    let [team] = &mails[..] else { panic!("one mail") };
    insta::assert_snapshot!("team_marked", team.redacted());
}

/// One that was stored before such addresses were refused: not every server takes it, and the team's
/// mail must arrive at any.
#[tokio::test]
async fn an_address_that_few_servers_take_stands_in_the_text_only() {
    let server = SmtpServer::answering(&["ok"]);
    let office = Office::open(Database::sqlite(), &server.url()).await;
    let stored = "UPDATE messages SET email = 'zoë@bücher.example'";
    office.database.connect().await.execute(stored).await.unwrap();
    assert_eq!(office.step().await, Step::Delivered);
    let mails = server.settled().await;
    let [team] = &mails[..] else { panic!("one mail") };
    assert_eq!(team.header("Reply-To"), None);
    assert!(team.raw.is_ascii());
    let error = office.kept().await.last_error;
    assert_eq!(error, "not acknowledged: no mail reaches the visitor's address");
}

/// Nothing that a visitor types becomes a header, a recipient or a command.
#[tokio::test]
async fn no_field_gets_out_of_its_place() {
    for injected in ["Ada\r\nBcc: all@example.com", "Ada\nX: y", "Ada\rX: y", "Ada\u{85}X: y"] {
        for field in ["name", "email", "company"] {
            let form = [("name", "Ada"), ("email", "ada@example.com"), ("message", "Hello")];
            let mut form: Vec<_> = form.into_iter().filter(|(name, _)| *name != field).collect();
            form.push((field, injected));
            let body = serde_urlencoded::to_string(form).unwrap();
            let parsed = ContactMessage::parse(&PostedForm::read(body.as_bytes()));
            assert!(parsed.is_err(), "{field}: {injected:?}");
        }
    }
    let words = "Hello\n.\nRCPT TO:<all@example.com>\n\nBcc: all@example.com";
    let fields = ["=?utf-8?q?Bcc:_x?= <a@b>", "ada@example.com", "Bcc: x, y", words];
    let mails = mails(fields, None).await;
    assert_eq!(mails.len(), 2);
    assert_eq!(mails[0].to, ["team@tickfleet.example"]);
    assert_eq!(mails[0].header("Bcc"), None);
    assert!(mails[0].raw.trim_end().ends_with(&words.replace('\n', "\r\n")), "{}", mails[0].raw);
    // The visitor's address may be somebody else's: no word of the form goes there.
    assert!(!mails[1].raw.contains("all@example.com") && !mails[1].raw.contains("Bcc"));
}

/// A certificate for 127.0.0.1 that nobody but its owner trusts, and its key.
fn certificate() -> (String, String) {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    (made.cert.pem(), made.signing_key.serialize_pem())
}

/// A site that sends its mail to this URL, and one message posted to it.
async fn site_sending_to(url: &str, state: &TempDir, certificates: &str) -> SiteProcess {
    let trusted = state.path().join("trusted.pem");
    std::fs::write(&trusted, certificates).unwrap();
    let variables = [
        ("SMTP_URL", url),
        ("CONTACT_FROM", "site@tickfleet.example"),
        ("CONTACT_TO", "team@tickfleet.example"),
        ("SSL_CERT_FILE", trusted.to_str().unwrap()),
    ];
    let site = SiteProcess::start(state.path(), &variables).await;
    let form =
        [("name", "Ada"), ("email", "ada@example.com"), ("message", "Hello"), ("website", "")];
    let answer = site.post(&Client::new(), &form).await.unwrap();
    assert_eq!(answer.status(), 200);
    site
}

#[tokio::test]
async fn the_site_logs_in_over_starttls_and_over_implicit_tls() {
    for (mode, scheme, query) in [("starttls", "smtp", "?tls=required"), ("implicit", "smtps", "")]
    {
        let (cert, key) = certificate();
        let server = SmtpServer::start(&json!({
            "port": 0,
            "answers": ["ok"],
            "tls": { "mode": mode, "cert": cert, "key": key },
            "password": "p@ss",
        }));
        let url = format!("{scheme}://site:p%40ss@127.0.0.1:{}{query}", server.port());
        let state = TempDir::new().unwrap();
        let _site = site_sending_to(&url, &state, &cert).await;
        for mail in server.received(2).await {
            assert!(mail.secure, "{mode}");
            assert_eq!(mail.user, "site", "{mode}");
        }
    }
}

#[tokio::test]
async fn a_server_that_nobody_vouches_for_gets_no_mail() {
    let (cert, key) = certificate();
    for (mode, scheme, query) in [("starttls", "smtp", "?tls=required"), ("implicit", "smtps", "")]
    {
        let server = SmtpServer::start(&json!({
            "port": 0,
            "answers": ["ok"],
            "tls": { "mode": mode, "cert": cert, "key": key },
        }));
        let url = format!("{scheme}://127.0.0.1:{}{query}", server.port());
        let state = TempDir::new().unwrap();
        let _site = site_sending_to(&url, &state, &certificate().0).await;
        eventually("a failed attempt", async || {
            let list = messages(state.path(), &["export"]).unwrap();
            let list: serde_json::Value = serde_json::from_str(&list).unwrap();
            list[0]["state"] == "pending" && list[0]["last_error"] != ""
        })
        .await;
        assert_eq!(server.mails().len(), 0, "{mode}");
    }
}

/// Told to stop while a mail is on its way, the site brings it to its end: nothing goes out twice.
#[tokio::test]
async fn a_site_that_stops_finishes_the_mail_that_it_is_sending() {
    let server = SmtpServer::answering(&["slow"]);
    let state = TempDir::new().unwrap();
    let mut site = site_sending_to(&server.url(), &state, "").await;
    server.received(1).await;
    assert!(site.stop().await.success());
    assert_eq!(server.received(2).await.len(), 2);
    assert!(messages(state.path(), &["list"]).unwrap().contains("  delivered  "));
}
