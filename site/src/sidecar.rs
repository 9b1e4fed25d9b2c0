//! The only file that talks to the sidecar.

#![expect(
    clippy::disallowed_types,
    reason = "this is the one client of the one server that the site asks"
)]

use std::{collections::HashMap, time::Duration};

use reqwest::Client;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{config::SidecarAddress, sections::Section};

/// How long the sidecar may take for one batch, from the first byte to the last.
const DEADLINE: Duration = Duration::from_secs(5);
/// The most that one batch weighs, in bytes: the sidecar reads at most 1 MB of a request.
const BATCH_LIMIT: usize = 900_000;
/// The most that is read of one answer, in bytes.
const ANSWER_LIMIT: usize = 16 * 1024 * 1024;

/// Why sections could not be rendered.
#[derive(Debug, Error)]
pub enum RenderError {
    /// Nobody listens, the connection broke, or the deadline passed.
    #[error("the sidecar at {address} does not answer: {cause}")]
    Unreachable {
        /// Where it should listen.
        address: String,
        /// What the connection said.
        cause: String,
    },
    /// It answered something that is not in the contract.
    #[error("the sidecar answered out of contract: {0}")]
    Contract(String),
    /// It runs other components than the assets were built from, so hydration would break.
    #[error(
        "the sidecar runs bundle {theirs}, the assets are bundle {ours}: restart the sidecar, or build and restart the site"
    )]
    Bundle {
        /// The digest of our assets.
        ours: String,
        /// The digest of what the sidecar runs.
        theirs: String,
    },
    /// One section alone is more than a call may weigh.
    #[error("{section} has {bytes} bytes of props; at most {BATCH_LIMIT} travel to the sidecar")]
    TooHeavy {
        /// The section's name.
        section: &'static str,
        /// What its props weigh.
        bytes: usize,
    },
    /// Some components threw.
    #[error("{}", sections.iter().map(|(name, error)| format!("{name} cannot be rendered: {error}")).collect::<Vec<_>>().join("; "))]
    Sections {
        /// Name of each failed section with its error.
        sections: Vec<(&'static str, String)>,
    },
}

/// One section of a batch.
#[derive(Serialize)]
struct Job<'a> {
    key: &'a str,
    #[serde(flatten)]
    section: &'a Section,
}

#[derive(Deserialize)]
struct Answer {
    bundle: String,
    sections: Vec<Rendered>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Rendered {
    Html { key: String, html: String },
    Failed { key: String, error: String },
}

/// A client of one sidecar.
pub struct Sidecar {
    address: String,
    render_url: String,
    client: Client,
}

impl Sidecar {
    /// Prepares a client; connects only when it renders.
    pub fn new(address: &SidecarAddress) -> anyhow::Result<Self> {
        let builder = Client::builder().no_proxy().connect_timeout(Duration::from_millis(500));
        let (builder, base) = match address {
            SidecarAddress::Unix(path) => {
                (builder.unix_socket(path.as_path()), "http://sidecar".to_owned())
            }
            SidecarAddress::Http(url) => (builder, url.as_str().trim_end_matches('/').to_owned()),
        };
        Ok(Self {
            address: address.to_string(),
            render_url: format!("{base}/render"),
            client: builder.build()?,
        })
    }

    /// Renders sections, each to the HTML at its place, in as few calls as their weight allows.
    pub async fn render(
        &self,
        bundle: &str,
        sections: &[Section],
    ) -> Result<Vec<String>, RenderError> {
        let mut html = Vec::new();
        for batch in batches(sections)? {
            html.extend(self.render_batch(bundle, batch).await?);
        }
        Ok(html)
    }

    /// Asks for nothing, to hear whether it answers and runs these components.
    pub async fn check(&self, bundle: &str) -> Result<(), RenderError> {
        let nothing = Batch { first: 0, sections: &[], body: [OPENING, CLOSING].concat() };
        self.render_batch(bundle, nothing).await.map(drop)
    }

    async fn render_batch(
        &self,
        bundle: &str,
        Batch { first, sections, body }: Batch<'_>,
    ) -> Result<Vec<String>, RenderError> {
        let answer = tokio::time::timeout(DEADLINE, self.ask(body)).await.map_err(|_| {
            self.unreachable(format!("no answer within {} ms", DEADLINE.as_millis()))
        })??;
        if answer.bundle != bundle {
            return Err(RenderError::Bundle { ours: bundle.to_owned(), theirs: answer.bundle });
        }
        let mut answers: HashMap<String, Result<String, String>> = answer
            .sections
            .into_iter()
            .map(|rendered| match rendered {
                Rendered::Html { key, html } if html.is_empty() => {
                    (key, Err("it came out empty".to_owned()))
                }
                Rendered::Html { key, html } => (key, Ok(html)),
                Rendered::Failed { key, error } => (key, Err(error)),
            })
            .collect();
        let mut html = Vec::new();
        let mut failed = Vec::new();
        for (index, section) in sections.iter().enumerate() {
            match answers.remove(&(first + index).to_string()) {
                Some(Ok(fragment)) => html.push(fragment),
                Some(Err(error)) => failed.push((section.name(), error)),
                None => failed.push((section.name(), "no answer for it".to_owned())),
            }
        }
        if failed.is_empty() { Ok(html) } else { Err(RenderError::Sections { sections: failed }) }
    }

    async fn ask(&self, body: Vec<u8>) -> Result<Answer, RenderError> {
        let request = self.client.post(&self.render_url).body(body);
        let mut response =
            request.send().await.map_err(|error| self.unreachable(root_cause(&error)))?;
        let status = response.status();
        let mut body = Vec::new();
        while let Some(chunk) =
            response.chunk().await.map_err(|error| self.unreachable(root_cause(&error)))?
        {
            body.extend_from_slice(&chunk);
            if body.len() > ANSWER_LIMIT {
                return Err(RenderError::Contract(format!("more than {ANSWER_LIMIT} bytes")));
            }
        }
        if !status.is_success() {
            let start: String = String::from_utf8_lossy(&body).chars().take(200).collect();
            return Err(RenderError::Contract(format!("status {status}: {start}")));
        }
        serde_json::from_slice(&body).map_err(|error| RenderError::Contract(error.to_string()))
    }

    fn unreachable(&self, cause: String) -> RenderError {
        RenderError::Unreachable { address: self.address.clone(), cause }
    }
}

/// The innermost error says what happened ("Connection refused"); the outer ones only where.
fn root_cause(error: &dyn std::error::Error) -> String {
    error.source().map_or_else(|| error.to_string(), root_cause)
}

// What stands around the sections of a call.
const OPENING: &[u8] = b"{\"sections\":[";
const CLOSING: &[u8] = b"]}";

/// Sections that travel in one call.
struct Batch<'a> {
    /// The index of its first section among all.
    first: usize,
    sections: &'a [Section],
    body: Vec<u8>,
}

/// Splits sections by weight; refuses one that is too heavy by itself.
fn batches(sections: &[Section]) -> Result<Vec<Batch<'_>>, RenderError> {
    let mut batches = Vec::<Batch<'_>>::new();
    for (index, section) in sections.iter().enumerate() {
        let key = index.to_string();
        let job = serde_json::to_vec(&Job { key: &key, section })
            .map_err(|error| RenderError::Contract(error.to_string()))?;
        if job.len() > BATCH_LIMIT {
            return Err(RenderError::TooHeavy { section: section.name(), bytes: job.len() });
        }
        match batches.last_mut() {
            Some(batch) if batch.body.len() + job.len() < BATCH_LIMIT => {
                batch.sections = &sections[batch.first..=index];
                batch.body.push(b',');
                batch.body.extend(job);
            }
            _ => batches.push(Batch {
                first: index,
                sections: &sections[index..=index],
                body: [OPENING, &job].concat(),
            }),
        }
    }
    for batch in &mut batches {
        batch.body.extend(CLOSING);
    }
    Ok(batches)
}
