//! `POST /contact`: one endpoint for the island's `fetch` and for a form without scripts.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use poem::{
    Body, IntoResponse, Request, Response, Result, handler,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    web::{Data, Json, Redirect},
};
use serde_json::json;

use crate::{
    app::Site,
    contact::{
        guard,
        message::{ContactMessage, PostedForm},
    },
    edition::Edition,
    sections::{ContactDraft, ContactFormProps, ContactFormState, FieldError, Section},
    sidecar::{Fragment, FragmentKey, VISITOR_DEADLINE},
};

/// The most bytes of a posted form: 5,000 characters of four bytes, percent-encoded, and the rest.
const BODY_LIMIT: usize = 80 * 1024;

/// How long a form may take to arrive.
const BODY_DEADLINE: Duration = Duration::from_secs(30);

/// How long the database may take; the island waits for 15 s.
const STORE_DEADLINE: Duration = Duration::from_secs(10);

/// What came of a posted form.
enum Outcome {
    Stored,
    Invalid(Vec<FieldError>),
    Limited(Duration),
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
    if !guard::posted_from_here(request.headers(), edition.content().site.address.as_str()) {
        return Err(StatusCode::FORBIDDEN.into());
    }
    let body = tokio::time::timeout(BODY_DEADLINE, body.into_bytes_limit(BODY_LIMIT));
    let form = PostedForm::read(&body.await.map_err(|_| StatusCode::REQUEST_TIMEOUT)??);
    let outcome = accept(&site, &edition, &form, request).await;
    if wants_json(request.headers()) {
        return Ok(json_answer(outcome));
    }
    page_answer(&site, &edition, form.draft, outcome, request.headers()).await
}

async fn accept(site: &Site, edition: &Edition, form: &PostedForm, request: &Request) -> Outcome {
    let content = edition.content();
    let message = match ContactMessage::parse(form, &content.contact.form.errors) {
        Ok(message) => message,
        Err(errors) => return Outcome::Invalid(errors),
    };
    let peer = request.remote_addr().as_socket_addr().map(SocketAddr::ip);
    if let Err(wait) = site.guard.admit(peer, request.headers()) {
        tracing::warn!(
            wait.seconds = wait.as_secs(),
            "a client was asked to wait (a proxy before the site must be named in TRUSTED_PROXIES, \
             or all visitors count as one client)"
        );
        return Outcome::Limited(wait);
    }
    let suspicion = guard::suspicion(form);
    let storing = site.outbox.store(&message, suspicion, content.site.address.host());
    match tokio::time::timeout(STORE_DEADLINE, storing).await {
        Ok(Ok(stored)) => {
            tracing::info!(message.stored = ?stored, message.suspicion = suspicion, "message accepted");
            site.stored.notify_one();
            return Outcome::Stored;
        }
        Ok(Err(error)) => {
            tracing::error!(%error, "a message could not be stored; the visitor was told so");
        }
        // It may have been stored all the same; posted again, it is the same message.
        Err(_) => {
            tracing::error!("the database did not answer in time; the visitor was told so");
        }
    }
    Outcome::Failed
}

fn wants_json(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    accept.is_some_and(|accept| accept.contains("application/json"))
}

fn json_answer(outcome: Outcome) -> Response {
    let retry_after = retry_after(&outcome);
    let (status, body) = match outcome {
        Outcome::Stored => (StatusCode::OK, json!({ "status": "sent" })),
        Outcome::Invalid(errors) => (StatusCode::UNPROCESSABLE_ENTITY, json!({ "errors": errors })),
        Outcome::Limited(_) => (
            StatusCode::TOO_MANY_REQUESTS,
            json!({ "error": "Too many messages in a short time." }),
        ),
        Outcome::Failed => (
            StatusCode::SERVICE_UNAVAILABLE,
            json!({ "error": "The message could not be stored." }),
        ),
    };
    let mut response = Json(body).with_status(status).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.extend(retry_after);
    response
}

/// Whole seconds, rounded up (RFC 9110, section 10.2.3).
fn retry_after(outcome: &Outcome) -> Option<(HeaderName, HeaderValue)> {
    let Outcome::Limited(wait) = outcome else { return None };
    Some((header::RETRY_AFTER, HeaderValue::from(wait.as_secs() + 1)))
}

/// Answers a browser without scripts: post, redirect, get; or the form as the visitor left it.
async fn page_answer(
    site: &Site,
    edition: &Edition,
    draft: ContactDraft,
    outcome: Outcome,
    headers: &HeaderMap,
) -> Result<Response> {
    let retry_after = retry_after(&outcome);
    let (status, state, errors) = match outcome {
        Outcome::Stored => return Ok(Redirect::see_other("/contact/sent").into_response()),
        Outcome::Invalid(errors) => {
            (StatusCode::UNPROCESSABLE_ENTITY, ContactFormState::Idle, errors)
        }
        Outcome::Limited(_) => {
            (StatusCode::TOO_MANY_REQUESTS, ContactFormState::Limited, Vec::new())
        }
        Outcome::Failed => (StatusCode::SERVICE_UNAVAILABLE, ContactFormState::Failed, Vec::new()),
    };
    let form = ContactFormProps::new(edition.content(), state, draft, errors);
    let fragment = render(site, edition, &form).await;
    let page = edition.contact_page(status, form, fragment).map_err(|error| {
        tracing::error!("the contact page can't be laid out: {error:#}");
        StatusCode::INTERNAL_SERVER_ERROR
    })?;
    let mut response = page.answer(headers);
    response.headers_mut().extend(retry_after);
    Ok(response)
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
