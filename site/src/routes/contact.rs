//! `POST /contact`: one endpoint for the island's `fetch` and for a form without scripts.

use std::{
    collections::HashMap,
    sync::{Arc, atomic::Ordering},
};

use poem::{
    Body, IntoResponse, Request, Response, Result, handler,
    http::{HeaderMap, StatusCode, header},
    web::{Data, Json, Redirect},
};
use serde_json::json;

use crate::{
    app::Site,
    contact::message::{ContactMessage, PostedForm},
    edition::Edition,
    sections::{ContactDraft, ContactFormProps, ContactFormState, FieldError, Section},
    sidecar::{Fragment, FragmentKey, VISITOR_DEADLINE},
};

/// The most bytes of a posted form: 5,000 characters of four bytes, percent-encoded, and the rest.
const BODY_LIMIT: usize = 80 * 1024;

/// What came of a posted form.
enum Outcome {
    Stored,
    Invalid(Vec<FieldError>),
    Failed,
}

/// Stores the message before it answers; nothing that was accepted is lost.
#[handler]
pub async fn submit(request: &Request, body: Body, site: Data<&Arc<Site>>) -> Result<Response> {
    let edition = site.publisher.current();
    let Some(edition) = edition.as_ref() else {
        return Ok(site.publisher.unavailable().answer(request.headers()));
    };
    let edition = Arc::clone(edition);
    let form = PostedForm::read(&body.into_bytes_limit(BODY_LIMIT).await?);
    let outcome = accept(&site, &edition, &form).await;
    if wants_json(request.headers()) {
        return Ok(json_answer(outcome));
    }
    page_answer(&site, &edition, form.draft, outcome, request.headers()).await
}

async fn accept(site: &Site, edition: &Edition, form: &PostedForm) -> Outcome {
    match ContactMessage::parse(form, &edition.content().contact.form.errors) {
        Err(errors) => Outcome::Invalid(errors),
        Ok(message) => match site.outbox.store(&message).await {
            Ok(stored) => {
                tracing::info!(message.stored = ?stored, "message accepted");
                Outcome::Stored
            }
            Err(error) => {
                tracing::error!(%error, "a message could not be stored; the visitor was told so");
                Outcome::Failed
            }
        },
    }
}

fn wants_json(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    accept.is_some_and(|accept| accept.contains("application/json"))
}

fn json_answer(outcome: Outcome) -> Response {
    let (status, body) = match outcome {
        Outcome::Stored => (StatusCode::OK, json!({ "status": "sent" })),
        Outcome::Invalid(errors) => (StatusCode::UNPROCESSABLE_ENTITY, json!({ "errors": errors })),
        Outcome::Failed => (
            StatusCode::SERVICE_UNAVAILABLE,
            json!({ "error": "The message could not be stored." }),
        ),
    };
    Json(body).with_status(status).with_header(header::CACHE_CONTROL, "no-store").into_response()
}

/// Answers a browser without scripts: post, redirect, get; or the form as the visitor left it.
async fn page_answer(
    site: &Site,
    edition: &Edition,
    draft: ContactDraft,
    outcome: Outcome,
    headers: &HeaderMap,
) -> Result<Response> {
    let (status, state, errors) = match outcome {
        Outcome::Stored => return Ok(Redirect::see_other("/contact/sent").into_response()),
        Outcome::Invalid(errors) => {
            (StatusCode::UNPROCESSABLE_ENTITY, ContactFormState::Idle, errors)
        }
        Outcome::Failed => (StatusCode::SERVICE_UNAVAILABLE, ContactFormState::Failed, Vec::new()),
    };
    let form = ContactFormProps::new(edition.content(), state, draft, errors);
    let fragment = render(site, edition, &form).await;
    let page = edition.contact_page(status, form, fragment).map_err(|error| {
        tracing::error!("the contact page can't be laid out: {error:#}");
        StatusCode::INTERNAL_SERVER_ERROR
    })?;
    Ok(page.answer(headers))
}

/// Asks the sidecar for one visitor's form; without an answer in time, plain HTML will do.
async fn render(site: &Site, edition: &Edition, form: &ContactFormProps) -> Option<Fragment> {
    let section = Section::ContactForm(form.clone());
    let bundle = edition.assets().bundle();
    let key = FragmentKey::new(bundle, &section);
    let rendered = match site.renders.try_acquire() {
        Ok(_permit) => {
            let sections = [(key.clone(), &section)];
            site.sidecar.render(bundle, &sections, VISITOR_DEADLINE).await
        }
        Err(_) => Ok(HashMap::new()),
    };
    let fragment = rendered
        .inspect_err(|error| tracing::warn!(%error, "a form was answered in plain HTML"))
        .ok()
        .and_then(|mut fragments| fragments.remove(&key));
    if fragment.is_none() {
        site.plain_forms.fetch_add(1, Ordering::Relaxed);
    }
    fragment
}
