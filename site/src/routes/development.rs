//! What only a development server answers: news of what is served, and the preview page.

use std::{
    fs,
    path::{Path as FilePath, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::Context;
use futures_util::stream::{self, StreamExt};
use maud::Markup;
use poem::{
    EndpointExt, Response, Result, Route, get, handler,
    http::{StatusCode, header},
    web::{
        Data, Path,
        sse::{Event, SSE},
    },
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{assets::Assets, sections::Section, state::App, views::preview};

/// The folder in the state folder where the processes of `make dev` write what is wrong with their
/// sources, a file each (`dev/problems.ts`).
pub const PROBLEMS: &str = "problems";
/// How often there may be news for an open page.
const INTERVAL: Duration = Duration::from_millis(50);
/// After how many milliseconds a page asks again that lost the server.
const RETRY_MS: u64 = 100;

/// Adds the routes of a development server.
pub fn add(routes: Route, problems: PathBuf) -> Route {
    routes
        .at("/_editions", get(editions).data(Problems(problems)))
        .at("/_preview", get(preview_index))
        .at("/_preview/:section/:index", get(preview_example))
}

#[derive(Clone)]
struct Problems(PathBuf);

/// One event for what is served now, and one for each change of it.
#[handler]
fn editions(app: Data<&Arc<App>>, problems: Data<&Problems>) -> SSE {
    let app = Arc::clone(&app);
    let folder = problems.0.0.clone();
    let events = stream::unfold(String::new(), move |told| {
        let app = Arc::clone(&app);
        let folder = folder.clone();
        async move {
            loop {
                let news = news(&app, &folder);
                if news != told {
                    return Some((Event::message(news.clone()), news));
                }
                tokio::time::sleep(INTERVAL).await;
            }
        }
    });
    let retry = stream::iter([Event::retry(RETRY_MS)]);
    SSE::new(retry.chain(events)).keep_alive(Duration::from_secs(15))
}

/// The name of the edition that is served, or null before the first one, and all that is wrong with
/// any of the sources, which is empty where nothing is.
fn news(app: &App, folder: &FilePath) -> String {
    let number = *app.publisher.editions().borrow();
    // The process is part of the name: a restarted server counts from 1 again.
    let edition = (number > 0).then(|| format!("{}-{number}", std::process::id()));
    let mut problems = vec![app.publisher.refusal().borrow().clone()];
    let mut files: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().collect();
    files.sort_by_key(fs::DirEntry::file_name);
    // A file that is gone again was mended.
    problems.extend(files.iter().filter_map(|file| fs::read_to_string(file.path()).ok()));
    problems.retain(|problem| !problem.is_empty());
    json!({ "edition": edition, "problem": problems.join("\n\n") }).to_string()
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
        .header(
            header::CONTENT_SECURITY_POLICY,
            "default-src 'self' 'unsafe-inline'; frame-ancestors 'self'",
        )
        .body(page.into_string())
}

fn failed(error: anyhow::Error) -> poem::Error {
    poem::Error::from_string(format!("{error:#}"), StatusCode::INTERNAL_SERVER_ERROR)
}
