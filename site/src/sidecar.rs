//! The only file that talks to the sidecar.

use std::{collections::HashMap, fmt, time::Duration};

use maud::Render;
use reqwest::Client;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::{config::Endpoint, sections::Section};

/// How long the sidecar may take for all sections of an edition.
pub const EDITION_DEADLINE: Duration = Duration::from_secs(5);
/// How long it may take while a visitor waits.
pub const VISITOR_DEADLINE: Duration = Duration::from_millis(800);
/// The most that is read of one answer, in bytes.
const ANSWER_LIMIT: usize = 4 * 1024 * 1024;

/// What a fragment is a pure function of: bundle digest, section name and props.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FragmentKey(String);

impl FragmentKey {
    /// The key of a section as the bundle with this digest renders it.
    pub fn new(bundle: &str, section: &Section) -> Self {
        let mut digest = Sha256::new();
        digest.update(bundle);
        digest.update([0]);
        // The derived form can't fail: every field is a string, a number, a flag or a list of them.
        digest.update(serde_json::to_vec(section).unwrap_or_default());
        Self(hex::encode(digest.finalize()))
    }

    /// The key as a file name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The HTML of a section, as the sidecar rendered it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragment(String);

impl Fragment {
    /// Takes HTML that a sidecar with the right bundle rendered.
    pub fn trusted(html: String) -> Self {
        Self(html)
    }

    /// The HTML.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Written into a page as it is: React has escaped it.
impl Render for Fragment {
    fn render_to(&self, buffer: &mut String) {
        buffer.push_str(&self.0);
    }
}

/// Why sections could not be rendered.
#[derive(Debug, Error)]
pub enum RenderError {
    /// Nobody listens, the connection broke, or the deadline passed.
    #[error("the sidecar at {endpoint} does not answer: {cause}")]
    Unreachable {
        /// Where it should listen.
        endpoint: String,
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
    /// Some components threw.
    #[error("{}", sections.iter().map(|(name, error)| format!("{name} cannot be rendered: {error}")).collect::<Vec<_>>().join("; "))]
    Sections {
        /// Name of each failed section with its error.
        sections: Vec<(&'static str, String)>,
    },
}

#[derive(Serialize)]
struct Job<'a> {
    key: &'a FragmentKey,
    #[serde(flatten)]
    section: &'a Section,
}

#[derive(Serialize)]
struct Batch<'a> {
    sections: Vec<Job<'a>>,
}

#[derive(Deserialize)]
struct Answer {
    bundle: String,
    sections: Vec<Rendered>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Rendered {
    Html { key: FragmentKey, html: String },
    Failed { key: FragmentKey, error: String },
}

/// A client of one sidecar.
#[derive(Clone)]
pub struct Sidecar {
    endpoint: String,
    render_url: String,
    client: Client,
}

impl fmt::Debug for Sidecar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sidecar({})", self.endpoint)
    }
}

impl Sidecar {
    /// Prepares a client; connects only when it renders.
    pub fn new(endpoint: &Endpoint) -> anyhow::Result<Self> {
        let builder = Client::builder().no_proxy().connect_timeout(Duration::from_millis(500));
        let (builder, base) = match endpoint {
            Endpoint::Unix(path) => {
                (builder.unix_socket(path.as_path()), "http://sidecar".to_owned())
            }
            Endpoint::Http(url) => (builder, url.as_str().trim_end_matches('/').to_owned()),
        };
        Ok(Self {
            endpoint: endpoint.to_string(),
            render_url: format!("{base}/render"),
            client: builder.build()?,
        })
    }

    /// Renders all sections in one call, within one deadline from the first byte to the last.
    pub async fn render(
        &self,
        bundle: &str,
        sections: &[(FragmentKey, &Section)],
        deadline: Duration,
    ) -> Result<HashMap<FragmentKey, Fragment>, RenderError> {
        let answer = tokio::time::timeout(deadline, self.ask(sections)).await.map_err(|_| {
            self.unreachable(format!("no answer within {} ms", deadline.as_millis()))
        })??;
        if answer.bundle != bundle {
            return Err(RenderError::Bundle { ours: bundle.to_owned(), theirs: answer.bundle });
        }
        let mut fragments = HashMap::new();
        let mut failed = HashMap::new();
        for rendered in answer.sections {
            match rendered {
                Rendered::Html { key, html } => {
                    fragments.insert(key, Fragment::trusted(html));
                }
                Rendered::Failed { key, error } => {
                    failed.insert(key, error);
                }
            }
        }
        let missing: Vec<_> = sections
            .iter()
            .filter(|(key, _)| !fragments.contains_key(key))
            .map(|(key, section)| {
                (
                    section.name(),
                    failed.remove(key).unwrap_or_else(|| "no answer for it".to_owned()),
                )
            })
            .collect();
        if missing.is_empty() {
            Ok(fragments)
        } else {
            Err(RenderError::Sections { sections: missing })
        }
    }

    async fn ask(&self, sections: &[(FragmentKey, &Section)]) -> Result<Answer, RenderError> {
        let sections = sections.iter().map(|(key, section)| Job { key, section }).collect();
        let request = self.client.post(&self.render_url).json(&Batch { sections });
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
        RenderError::Unreachable { endpoint: self.endpoint.clone(), cause }
    }
}

/// The innermost error says what happened ("Connection refused"); the outer ones only where.
fn root_cause(error: &dyn std::error::Error) -> String {
    error.source().map_or_else(|| error.to_string(), root_cause)
}
