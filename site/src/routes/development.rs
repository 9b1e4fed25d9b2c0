//! What only a development server answers: news of a new edition, and the preview page.

use std::{fs, sync::Arc, time::Duration};

use anyhow::Context;
use futures_util::stream::unfold;
use maud::Markup;
use poem::{
    Response, Result, Route, get, handler,
    http::{StatusCode, header},
    web::{
        Data, Path,
        sse::{Event, SSE},
    },
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{assets::Assets, sections::Section, state::App, views::preview};

/// Adds the routes of a development server.
pub fn add(routes: Route) -> Route {
    routes
        .at("/_editions", get(editions))
        .at("/_preview", get(preview_index))
        .at("/_preview/:section/:index", get(preview_example))
}

/// One event for what is served now, and one for each change of it: the edition's name, and what
/// keeps a newer one away.
#[handler]
fn editions(app: Data<&Arc<App>>) -> SSE {
    let mut editions = app.publisher.editions();
    editions.mark_changed();
    let events = unfold((editions, app.publisher.refusal()), |(mut editions, mut refusal)| async {
        tokio::select! {
            changed = editions.changed() => changed.ok()?,
            changed = refusal.changed() => changed.ok()?,
        }
        let number = *editions.borrow_and_update();
        let problem = refusal.borrow_and_update().clone();
        // The process is part of the name: a restarted server counts from 1 again.
        let edition = format!("{}-{number}", std::process::id());
        let news = json!({ "edition": edition, "problem": problem });
        Some((Event::message(news.to_string()), (editions, refusal)))
    });
    SSE::new(events).keep_alive(Duration::from_secs(15))
}

/// Every token, and every section in all its states.
#[handler]
fn preview_index(app: Data<&Arc<App>>) -> Result<Response> {
    let page = || -> anyhow::Result<Response> {
        let assets = Assets::load()?;
        let css = source("assets/css/tokens.css")?;
        let tokens = preview::tokens(&css);
        let style = assets.inline("preview.css")?.to_owned() + &preview::swatches(&tokens);
        let mut states = Vec::new();
        for section in Section::samples(&app.publisher.copy()) {
            let examples = examples(&section)?.into_iter().enumerate();
            states.extend(examples.map(|(index, example)| preview::Example {
                section: section.name(),
                index,
                name: example.name,
            }));
        }
        Ok(framed(preview::index(&style, &tokens, &states)))
    };
    page().map_err(failed)
}

/// One section in one of its states.
#[handler]
async fn preview_example(
    Path((name, index)): Path<(String, usize)>,
    app: Data<&Arc<App>>,
) -> Result<Response> {
    let mut samples = Section::samples(&app.publisher.copy()).into_iter();
    let Some(section) = samples.find(|section| section.name() == name) else {
        return Err(StatusCode::NOT_FOUND.into());
    };
    let page = async {
        let assets = Assets::load()?;
        let example =
            examples(&section)?.into_iter().nth(index).context("there is no such example")?;
        let fragment = app.publisher.render(section.with(&example.props)?).await?;
        Ok(framed(preview::example(&assets, assets.inline("preview.css")?, &fragment)?))
    };
    page.await.map_err(failed)
}

/// A state of a section: what differs there from the props with the words of the copy.
#[derive(Deserialize)]
struct Example {
    name: String,
    props: Value,
}

/// The examples of a section, from its folder: its name in kebab case.
fn examples(section: &Section) -> anyhow::Result<Vec<Example>> {
    let folder = section.folder();
    let path = format!("components/src/{folder}/{folder}.examples.json");
    serde_json::from_str(&source(&path)?).context(path)
}

/// A file of the source tree, which a development server stands in.
fn source(path: &str) -> anyhow::Result<String> {
    fs::read_to_string(path).with_context(|| format!("{path}: start the site in the source tree"))
}

/// The preview may frame its own pages, which no page of the site may.
fn framed(page: Markup) -> Response {
    Response::builder()
        .content_type("text/html; charset=utf-8")
        .header(header::CACHE_CONTROL, "no-store")
        .header(
            header::CONTENT_SECURITY_POLICY,
            "default-src 'self' 'unsafe-inline'; frame-ancestors 'self'",
        )
        .body(page.into_string())
}

fn failed(error: anyhow::Error) -> poem::Error {
    poem::Error::from_string(format!("{error:#}"), StatusCode::INTERNAL_SERVER_ERROR)
}
