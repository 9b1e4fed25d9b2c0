//! What only a development server answers: news of a new edition, and the preview page.

use std::{fs, sync::Arc, time::Duration};

use anyhow::Context;
use futures_util::stream::unfold;
use maud::Markup;
use poem::{
    Response, Result, handler,
    http::{StatusCode, header},
    web::{
        Data, Path,
        sse::{Event, SSE},
    },
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    app::Site,
    assets::Assets,
    sections::Section,
    sidecar::{EDITION_DEADLINE, FragmentKey},
    views::preview,
};

/// The section folders in the source tree; each has an examples file of its own name.
const SECTIONS: [(&str, &str); 4] = [
    ("NavBar", "nav-bar"),
    ("PricingCards", "pricing-cards"),
    ("FaqAccordion", "faq-accordion"),
    ("ContactForm", "contact-form"),
];

/// One event for the edition that is being served and one for each that follows.
#[handler]
pub fn editions(site: Data<&Arc<Site>>) -> SSE {
    let mut editions = site.publisher.editions();
    editions.mark_changed();
    let events = unfold(editions, |mut editions| async {
        editions.changed().await.ok()?;
        let number = *editions.borrow_and_update();
        // The process is part of the name: a restarted server counts from 1 again.
        Some((Event::message(format!("{}-{number}", std::process::id())), editions))
    });
    SSE::new(events).keep_alive(Duration::from_secs(15))
}

/// Every token, and every section in all its states.
#[handler]
pub fn preview_index() -> Result<Response> {
    let page = || -> anyhow::Result<Response> {
        let assets = Assets::load()?;
        let css = source("assets/css/tokens.css")?;
        let tokens = preview::tokens(&css);
        let style = assets.inline("preview.css")?.to_owned() + &preview::swatches(&tokens);
        let mut states = Vec::new();
        for (section, folder) in SECTIONS {
            let examples = examples(folder)?.into_iter().enumerate();
            states.extend(examples.map(|(index, example)| preview::Example {
                section,
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
pub async fn preview_example(
    Path((section, index)): Path<(String, usize)>,
    site: Data<&Arc<Site>>,
) -> Result<Response> {
    let Some((name, folder)) = SECTIONS.iter().find(|(name, _)| *name == section) else {
        return Err(StatusCode::NOT_FOUND.into());
    };
    let page = async {
        let assets = Assets::load()?;
        let example =
            examples(folder)?.into_iter().nth(index).context("there is no such example")?;
        let section: Section =
            serde_json::from_value(json!({ "name": name, "props": example.props }))?;
        let key = FragmentKey::new(assets.bundle(), &section);
        let sections = [(key.clone(), &section)];
        let rendered = site.sidecar.render(assets.bundle(), &sections, EDITION_DEADLINE).await?;
        let fragment = rendered.get(&key).context("the sidecar left the section out")?;
        Ok(framed(preview::example(&assets, assets.inline("preview.css")?, fragment)?))
    };
    page.await.map_err(failed)
}

/// A state of a section, as its examples file has it.
#[derive(Deserialize)]
struct Example {
    name: String,
    props: Value,
}

fn examples(folder: &str) -> anyhow::Result<Vec<Example>> {
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
