//! For whoever watches over the site, on an address that visitors don't reach
//! (docs/operating.md says what to alert on).

use std::{sync::Arc, time::Duration};

use poem::{
    IntoResponse, Response, Result, handler,
    http::StatusCode,
    web::{Data, Json},
};
use serde_json::{Value, json};
use tokio::{join, time::timeout};

use crate::state::App;

/// How long database and sidecar may take to say how they are. A probe of Kubernetes waits for a second
/// unless it is told, and takes a site without an answer out of service.
const PATIENCE: Duration = Duration::from_millis(500);
/// A message that has waited for longer than this is worth a look.
const LONG_WAIT: Duration = Duration::from_mins(15);

/// Whether mails are sent at all; without, messages wait for nobody.
#[derive(Clone, Copy)]
pub struct Delivers(pub bool);

/// 200 as long as the process lives.
#[handler]
pub fn health(app: Data<&Arc<App>>) -> Response {
    let edition = app.publisher.current();
    Json(json!({ "status": "ok", "bundle": edition.assets().bundle() })).into_response()
}

/// 200 while pages are served, 503 before and from the moment that the site is told to stop; and all
/// that is not as it should be meanwhile.
#[handler]
pub async fn ready(app: Data<&Arc<App>>, delivers: Data<&Delivers>) -> Response {
    let stopping = *app.stopping.borrow();
    let ready = app.publisher.current().is_available() && !stopping;
    let (editions, messages) = join!(editions(&app), messages(&app, delivers.0.0));
    let degraded = [editions, messages].concat();
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let answer = json!({ "ready": ready, "stopping": stopping, "degraded": degraded });
    Json(answer).with_status(status).into_response()
}

/// What keeps the newest edition from being served, or would keep the next one.
async fn editions(app: &App) -> Vec<Value> {
    let standing = app.publisher.standing();
    let mut degraded = Vec::new();
    if let Some((cause, since)) = standing.refused {
        let what = if standing.sidecar_away.is_some() { "sidecar" } else { "edition" };
        let seconds = since.elapsed().as_secs();
        degraded.push(json!({ "what": what, "cause": cause, "for_seconds": seconds }));
    } else {
        let cause = match timeout(PATIENCE, app.publisher.check_sidecar()).await {
            Ok(checked) => checked.err().map(|error| error.to_string()),
            Err(_) => Some("no answer".to_owned()),
        };
        degraded.extend(cause.map(|cause| json!({ "what": "sidecar", "cause": cause })));
    }
    if standing.restored {
        degraded.push(json!({ "what": "edition", "cause": "the last good one is served" }));
    }
    if let Some((cause, since)) = standing.unkept {
        let seconds = since.elapsed().as_secs();
        degraded.push(json!({ "what": "state folder", "cause": cause, "for_seconds": seconds }));
    }
    degraded
}

/// What is the matter with the outbox.
async fn messages(app: &App, delivers: bool) -> Vec<Value> {
    let counted = timeout(PATIENCE, app.outbox.census()).await;
    let census = match counted {
        Ok(Ok(census)) => census,
        Ok(Err(error)) => {
            return vec![json!({ "what": "database", "cause": error.to_string() })];
        }
        Err(_) => return vec![json!({ "what": "database", "cause": "no answer" })],
    };
    let mut degraded = Vec::new();
    if delivers && census.oldest_waiting > LONG_WAIT {
        let seconds = census.oldest_waiting.as_secs();
        degraded.push(json!({ "what": "oldest waiting message", "for_seconds": seconds }));
    }
    if delivers && census.postponed > 0 {
        degraded.push(json!({ "what": "postponed messages", "count": census.postponed }));
    }
    if census.dead > 0 {
        degraded.push(json!({ "what": "dead messages", "count": census.dead }));
    }
    degraded
}

/// All that is counted, for Prometheus.
#[handler]
pub async fn metrics(app: Data<&Arc<App>>, delivers: Data<&Delivers>) -> Result<Response> {
    if let Ok(Ok(census)) = timeout(PATIENCE, app.outbox.census()).await {
        let (postponed, oldest_waiting) = if delivers.0.0 {
            (census.postponed, census.oldest_waiting)
        } else {
            Default::default()
        };
        let states = [
            ("pending", census.pending),
            ("suspected", census.suspected),
            ("delivered", census.delivered),
            ("dead", census.dead),
            ("postponed", postponed),
        ];
        for (state, count) in states {
            app.metrics.messages(state, count);
        }
        let seconds = oldest_waiting.as_secs();
        app.metrics.oldest_waiting.set(i64::try_from(seconds).unwrap_or(i64::MAX));
    }
    let text = app.metrics.text().map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    let media_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(Response::builder().content_type(media_type).body(text))
}
