//! `POST /contact`: one endpoint for the island's `fetch` and for a form without scripts.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use bytes::Bytes;
use poem::{
    Body, IntoResponse, Request, Response, Result,
    error::ReadBodyError,
    handler,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    web::{Data, Json, Redirect},
};
use serde_json::json;
use tokio::time::timeout;

use crate::{
    contact::{
        guard::{self, Limit},
        message::{ContactMessage, FieldProblem, PostedForm, Problem},
    },
    copy::{ContactForm, SiteCopy},
    edition::{Edition, FormAnswer},
    form::ContactDraft,
    metrics::Trouble,
    resource::of_a_route,
    sections::{ContactFormState, FieldError},
    state::App,
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
pub async fn submit(request: &Request, body: Body, app: Data<&Arc<App>>) -> Result<Response> {
    if !guard::is_same_origin(request.headers(), app.publisher.copy().site.address.as_str()) {
        app.metrics.trouble(Trouble::CrossSite, "");
        return Err(StatusCode::FORBIDDEN.into());
    }
    if !is_form(request.headers()) {
        return Err(StatusCode::UNSUPPORTED_MEDIA_TYPE.into());
    }
    let form = PostedForm::read(&arrived(&app, request, body).await?);
    // After the form has arrived: whoever sends it slowly keeps no edition alive.
    let edition = Arc::clone(&app.publisher.current());
    let outcome = accept(&app, edition.copy(), &form, request).await;
    if wants_json(request.headers()) {
        return Ok(json_answer(outcome));
    }
    Ok(page_answer(&edition, &form.draft, outcome, request.headers()))
}

/// Whether a body is what forms are posted as, and nothing that was compressed: read as a form it would
/// be one whose fields are empty.
fn is_form(headers: &HeaderMap) -> bool {
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let media_type = media_type.map(|it| it.split(';').next().unwrap_or_default().trim());
    headers.get(header::CONTENT_ENCODING).is_none_or(|coding| coding == "identity")
        && media_type.is_none_or(|it| it.eq_ignore_ascii_case("application/x-www-form-urlencoded"))
}

/// The bytes of a form, of which no more than [`BODY_LIMIT`] are read, and no longer than
/// [`BODY_DEADLINE`].
async fn arrived(app: &App, request: &Request, body: Body) -> Result<Bytes> {
    // By what its head says, before it is asked for (RFC 9110, section 10.1.1).
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    let client = app.guard.client(peer(request), request.headers());
    let arrived = if length.is_some_and(|length| length > BODY_LIMIT) {
        Ok(Some(Err(ReadBodyError::PayloadTooLarge)))
    } else {
        let body = app.arrivals.wait_for(client, body.into_bytes_limit(BODY_LIMIT));
        timeout(BODY_DEADLINE, body).await
    };
    match arrived {
        Ok(Some(Ok(body))) => Ok(body),
        Ok(Some(Err(error))) => {
            // Otherwise the client broke off, and hears nothing.
            if matches!(error, ReadBodyError::PayloadTooLarge) {
                app.metrics.trouble(Trouble::TooLarge, "");
            }
            Err(error.into())
        }
        Ok(None) | Err(_) => {
            app.metrics.trouble(Trouble::TooSlow, "");
            Err(StatusCode::REQUEST_TIMEOUT.into())
        }
    }
}

/// Whoever the connection is with, which may be a proxy.
fn peer(request: &Request) -> Option<IpAddr> {
    request.remote_addr().as_socket_addr().map(SocketAddr::ip)
}

async fn accept(app: &App, copy: &SiteCopy, form: &PostedForm, request: &Request) -> Outcome {
    let message = match ContactMessage::parse(form) {
        Ok(message) => message,
        Err(problems) => {
            let words = &copy.contact.form;
            return Outcome::Invalid(problems.iter().map(|it| worded(it, words)).collect());
        }
    };
    let admitted = match app.guard.admit(peer(request), request.headers()) {
        Ok(admitted) => admitted,
        Err(refused) => {
            let kind = match refused.by {
                Limit::Client => Trouble::ClientLimit,
                Limit::Network => Trouble::NetworkLimit,
            };
            app.metrics.trouble(kind, "");
            return Outcome::Limited(refused.wait);
        }
    };
    let suspicion = guard::suspicion(form, &admitted);
    let storing = app.outbox.store(&message, suspicion, copy.site.address.host());
    match timeout(STORE_DEADLINE, storing).await {
        Ok(Ok(stored)) => {
            if admitted.crowded {
                app.metrics.trouble(Trouble::Crowded, "");
            } else {
                tracing::info!(message.stored = ?stored, message.suspicion = suspicion, "message accepted");
            }
            app.stored.notify_one();
            return Outcome::Stored;
        }
        Ok(Err(error)) => app.metrics.trouble(Trouble::NotStored, &error.to_string()),
        // It may have been stored all the same; posted again, it is the same message.
        Err(_) => app.metrics.trouble(Trouble::NotStored, "the database did not answer in time"),
    }
    app.guard.give_back(&admitted);
    Outcome::Failed
}

/// What is wrong with a field, in the words of the copy.
#[expect(clippy::expect_used, reason = "a copy that lacks a sentence is refused when it is read")]
fn worded(&FieldProblem { field, problem }: &FieldProblem, words: &ContactForm) -> FieldError {
    let of_field = &words.fields[field];
    let message = match problem {
        Problem::Missing => of_field.missing.clone(),
        Problem::Malformed => of_field.malformed.clone(),
        Problem::TooLong { limit } => Some(words.too_long.replace("{limit}", &limit.to_string())),
        Problem::ControlCharacter => Some(words.control_character.clone()),
    };
    FieldError { field, message: message.expect("the copy has what the field's rule asks for") }
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
    response.headers_mut().extend(retry_after);
    response
}

/// Whole seconds, rounded up (RFC 9110, section 10.2.3).
fn retry_after(outcome: &Outcome) -> Option<(HeaderName, HeaderValue)> {
    let Outcome::Limited(wait) = outcome else { return None };
    Some((header::RETRY_AFTER, HeaderValue::from(wait.as_secs() + 1)))
}

/// Answers a browser without scripts: post, redirect, get; or the form as the visitor left it.
fn page_answer(
    edition: &Edition,
    draft: &ContactDraft,
    outcome: Outcome,
    headers: &HeaderMap,
) -> Response {
    let retry_after = retry_after(&outcome);
    let (status, state, errors) = match outcome {
        Outcome::Stored => return Redirect::see_other("/contact/sent").into_response(),
        Outcome::Invalid(errors) => {
            (StatusCode::UNPROCESSABLE_ENTITY, ContactFormState::Idle, errors)
        }
        Outcome::Limited(_) => {
            (StatusCode::TOO_MANY_REQUESTS, ContactFormState::Limited, Vec::new())
        }
        Outcome::Failed => (StatusCode::SERVICE_UNAVAILABLE, ContactFormState::Failed, Vec::new()),
    };
    let answer = FormAnswer { status, state, draft: &draft.given_back(), errors: &errors };
    let page = edition.form_answer(&answer);
    let page = page.as_ref().unwrap_or_else(|| edition.error(StatusCode::SERVICE_UNAVAILABLE));
    let mut answer = page.answer(&Method::POST, headers);
    if let Some((name, seconds)) = retry_after {
        // In place of the error view's own, where there is no edition yet.
        answer.headers_mut().insert(name, seconds);
    }
    of_a_route(answer)
}
