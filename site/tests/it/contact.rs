//! `POST /contact`: what is stored, and what the visitor is told.

use std::sync::Arc;

use futures_util::stream;
use poem::{
    Body,
    http::{StatusCode, header},
};
use site::{
    form::{ContactDraft, ContactField, FIELDS, Fields},
    sections::{ContactFormProps, FieldError, Section},
};
use tokio::io::{AsyncWriteExt, duplex};

use crate::support::{Harness, copy, pretty, snapshot};

const FORM: [(&str, &str); 4] = [
    ("name", "Ada Lovelace"),
    ("email", "ada@example.com"),
    ("company", "Analytical Engines"),
    ("message", "We launch in May.\r\nCan you host 300 rooms?"),
];

#[tokio::test]
async fn a_message_without_scripts_is_stored_and_leads_to_the_success_banner() {
    let harness = Harness::published().await;
    let client = harness.client();
    let response = client.post("/contact").form(&FORM).send().await;
    response.assert_status(StatusCode::SEE_OTHER);
    response.assert_header(header::LOCATION, "/contact/sent");
    assert_eq!(harness.stored().await, 1);
    let page = client.get("/contact/sent").send().await.0.into_body().into_string().await.unwrap();
    assert!(pretty(&page).contains("Thank you for your message! We'll get back to you shortly."));
}

#[tokio::test]
async fn a_repeated_post_stores_one_message() {
    let harness = Harness::published().await;
    let client = harness.client();
    for _ in 0..3 {
        let response = client.post("/contact").form(&FORM).send().await;
        response.assert_status(StatusCode::SEE_OTHER);
    }
    assert_eq!(harness.stored().await, 1);
}

/// Megabytes would stay in memory for as long as its sender likes, up to half a minute.
#[tokio::test]
async fn a_form_that_arrives_slowly_keeps_no_earlier_edition() {
    let harness = Harness::published().await;
    let publisher = &harness.app.publisher;
    let first = Arc::downgrade(&publisher.current());
    let (mut sender, body) = duplex(100);
    let client = harness.client();
    let posted = client.post("/contact").body(Body::from_async_read(body)).send();
    let arrives = async {
        sender.write_all(b"name=Ada&").await.unwrap();
        publisher.publish().await.unwrap();
        assert!(first.upgrade().is_none());
        sender.write_all(b"email=ada").await.unwrap();
        drop(sender);
    };
    let (answer, ()) = tokio::join!(posted, arrives);
    answer.assert_status(StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn the_island_is_answered_in_json() {
    let harness = Harness::published().await;
    let client = harness.client();
    let sent = client.post("/contact").header(header::ACCEPT, "application/json").form(&FORM);
    let response = sent.send().await;
    response.assert_status_is_ok();
    response.assert_json(serde_json::json!({ "status": "sent" })).await;
    let wrong = [("name", ""), ("email", "ada"), ("company", ""), ("message", "Hello")];
    let sent = client.post("/contact").header(header::ACCEPT, "application/json").form(&wrong);
    let response = sent.send().await;
    response.assert_status(StatusCode::UNPROCESSABLE_ENTITY);
    insta::assert_snapshot!("errors_json", response.0.into_body().into_string().await.unwrap());
}

#[tokio::test]
async fn a_wrong_form_comes_back_with_what_was_typed_and_what_is_wrong() {
    let harness = Harness::published().await;
    let wrong = [
        ("name", "<script>alert(1)</script>"),
        ("email", "ada"),
        ("company", "Analytical Engines"),
        ("message", ""),
    ];
    let response = harness.client().post("/contact").form(&wrong).send().await;
    response.assert_status(StatusCode::UNPROCESSABLE_ENTITY);
    insta::assert_snapshot!("contact_invalid", snapshot(response).await);
    assert_eq!(harness.stored().await, 0);
}

/// The server fills in what React laid out; an island wakes on it without a difference.
#[tokio::test]
async fn every_answer_is_what_the_component_itself_would_write() {
    let (harness, _sidecar) = Harness::with_sidecar().await;
    let client = harness.client();
    let copy = copy();
    let evil = "</script><b>\"'& \u{2028}\u{FDD0}\t";
    let typed = |bits: usize, field: ContactField| match (bits >> field as usize & 1, field) {
        (0, ContactField::Email) => "ada@example.com".to_owned(),
        (1, ContactField::Email) => format!("{evil}@"),
        (0, ContactField::Message) => format!("\n\n{evil}"),
        (1, _) if !field.rule().required => "x".repeat(field.rule().limit + 1),
        (1, _) => " ".to_owned(),
        _ => evil.replace('\t', ""),
    };
    for bits in 1..1 << FIELDS.len() {
        let draft = ContactDraft(Fields::from_fn(|field| typed(bits, field)));
        let form: Vec<_> = draft.0.iter().map(|(field, text)| (field.as_str(), text)).collect();
        let island = client.post("/contact").header(header::ACCEPT, "application/json");
        let told = island.form(&form).send().await.0.into_body().into_string().await.unwrap();
        let told: serde_json::Value = serde_json::from_str(&told).unwrap();
        let errors: Vec<FieldError> = serde_json::from_value(told["errors"].clone()).unwrap();
        assert_eq!(errors.len(), bits.count_ones() as usize, "{told}");

        let page = client.post("/contact").form(&form).send().await;
        page.assert_status(StatusCode::UNPROCESSABLE_ENTITY);
        let page = page.0.into_body().into_string().await.unwrap();
        let draft = draft.given_back();
        let props = ContactFormProps { draft, errors, ..ContactFormProps::new(&copy) };
        let rendered = harness.app.publisher.render(Section::ContactForm(props)).await.unwrap();
        let rendered = rendered.into_string();
        let markup = rendered.split("<script type=").next().unwrap();
        assert!(page.contains(markup), "{bits:04b}: {page}");
        let props = |html: &str| -> serde_json::Value {
            let (_, json) = html.split_once(markup).unwrap();
            let json = json.strip_prefix("<script type=\"application/json\">").unwrap();
            serde_json::from_str(json.split_once("</script>").unwrap().0).unwrap()
        };
        assert_eq!(props(&page), props(&rendered));
    }
}

#[tokio::test]
async fn a_message_that_cannot_be_stored_shows_the_error_banner_and_keeps_the_fields() {
    let harness = Harness::published().await;
    harness.app.outbox.close().await;
    let response = harness.client().post("/contact").form(&FORM).send().await;
    response.assert_status(StatusCode::SERVICE_UNAVAILABLE);
    insta::assert_snapshot!("contact_failed", snapshot(response).await);
}

/// Read as a form it would be one whose fields are empty, and its sender would be told to fill them in.
#[tokio::test]
async fn what_is_no_form_is_refused_as_that() {
    let harness = Harness::published().await;
    let client = harness.client();
    let form = "name=Ada&email=ada@example.com&message=Hello";
    for (name, value) in [
        (header::CONTENT_TYPE, "application/json"),
        (header::CONTENT_TYPE, "multipart/form-data; boundary=x"),
        (header::CONTENT_ENCODING, "gzip"),
    ] {
        let post = client.post("/contact").header(name, value).body(form);
        post.send().await.assert_status(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    }
    let spelled = "Application/X-WWW-Form-URLencoded; charset=utf-8";
    let post = client.post("/contact").header(header::CONTENT_TYPE, spelled).body(form);
    post.send().await.assert_status(StatusCode::SEE_OTHER);
}

/// Nobody sends what will be refused.
#[tokio::test]
async fn a_body_that_its_head_says_is_too_large_is_not_waited_for() {
    let harness = Harness::published().await;
    let never = Body::from_bytes_stream(stream::pending::<std::io::Result<Vec<u8>>>());
    let client = harness.client();
    let post = client.post("/contact").header(header::CONTENT_LENGTH, 81_921);
    post.body(never).send().await.assert_status(StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn a_body_beyond_all_limits_is_refused_with_the_error_view() {
    let harness = Harness::published().await;
    let body = format!("name=Ada&message={}", "x".repeat(1024 * 1024));
    let response = harness.client().post("/contact").body(body).send().await;
    response.assert_status(StatusCode::PAYLOAD_TOO_LARGE);
    let body = response.0.into_body().into_string().await.unwrap();
    assert!(body.contains("Unexpected Application Error!"), "{body}");
}
