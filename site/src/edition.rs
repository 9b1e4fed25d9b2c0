//! All pages as final bytes: immutable, made whole from one copy and one build of the assets.

mod answers;
mod headers;

use std::{collections::HashMap, sync::Arc};

use anyhow::{Context, ensure};
use bytes::Bytes;
use poem::http::StatusCode;

use crate::{
    assets::Assets,
    compression::{Coding, compressed},
    config::Handling,
    copy::SiteCopy,
    fragments::Fragments,
    kept::KeptFiles,
    resource::{Caching, Original, Resource},
    sidecar::Sidecar,
    views::{
        self, Ingredients, PAGES,
        layout::{self, Document, Header},
    },
};

use answers::FormAnswers;

pub use answers::FormAnswer;

/// The statuses whose error view an edition holds; another one is shown as the first of its class
/// (RFC 9110, section 15).
const ERRORS: [StatusCode; 8] = [
    StatusCode::BAD_REQUEST,
    StatusCode::FORBIDDEN,
    StatusCode::NOT_FOUND,
    StatusCode::METHOD_NOT_ALLOWED,
    StatusCode::REQUEST_TIMEOUT,
    StatusCode::PAYLOAD_TOO_LARGE,
    StatusCode::INTERNAL_SERVER_ERROR,
    StatusCode::SERVICE_UNAVAILABLE,
];

/// The immutable set of everything that is the same for every visitor.
pub struct Edition {
    copy: Arc<SiteCopy>,
    assets: Arc<Assets>,
    resources: HashMap<&'static str, Resource>,
    errors: HashMap<StatusCode, Resource>,
    answers: Option<FormAnswers>,
}

impl Edition {
    /// Lays out all pages, has their sections rendered, and compresses them with these codings.
    ///
    /// Blocks while it compresses and reads kept files: not for a thread that serves.
    pub async fn build(
        copy: Arc<SiteCopy>,
        assets: Arc<Assets>,
        handling: Option<Handling>,
        sidecar: &Sidecar,
        kept: &KeptFiles,
        codings: &[Coding],
    ) -> anyhow::Result<Self> {
        let mut fragments = Fragments::new(assets.bundle());
        lay_out(&copy, &assets, handling, &fragments)?;
        fragments.complete(kept, sidecar).await?;
        let laid_out = lay_out(&copy, &assets, handling, &fragments)?;
        let missing = fragments.missing();
        ensure!(missing.is_empty(), "each time a page is laid out it asks for another {missing:?}");

        let resource = |original: Original| -> anyhow::Result<Resource> {
            let compressed = compressed(&original.body, codings, kept)?;
            Ok(Resource::new(original, compressed))
        };
        let resources = laid_out
            .resources
            .into_iter()
            .map(|(path, original)| Ok((path, resource(original).context(path)?)))
            .collect::<anyhow::Result<_>>()?;
        let errors = laid_out
            .errors
            .into_iter()
            .map(|(status, original)| Ok((status, resource(original)?)))
            .collect::<anyhow::Result<_>>()?;
        Ok(Self { copy, assets, resources, errors, answers: Some(laid_out.answers) })
    }

    /// What is served before there is an edition: the view of status 503 in place of every page.
    pub fn unavailable(
        copy: Arc<SiteCopy>,
        assets: Arc<Assets>,
        handling: Option<Handling>,
    ) -> anyhow::Result<Self> {
        let fragments = Fragments::new(assets.bundle());
        let with = Ingredients { copy: &copy, assets: &assets, fragments: &fragments, handling };
        let errors = ERRORS.map(|status| {
            let shown = match status {
                StatusCode::NOT_FOUND => StatusCode::SERVICE_UNAVAILABLE,
                other => other,
            };
            let document = views::error::document(with, shown, Header::Brand);
            let original = original(with, &document, shown, Caching::Never)?;
            Ok((status, Resource::new(original, Vec::new())))
        });
        let errors = errors.into_iter().collect::<anyhow::Result<_>>()?;
        Ok(Self { copy, assets, resources: HashMap::new(), errors, answers: None })
    }

    /// Whether there are pages.
    pub fn is_available(&self) -> bool {
        self.answers.is_some()
    }

    /// The page or file at a path.
    pub fn resource(&self, path: &str) -> Option<&Resource> {
        self.resources.get(path).or_else(|| self.assets.file(path))
    }

    /// Every page and file with its path.
    pub fn resources(&self) -> impl Iterator<Item = (&str, &Resource)> {
        let pages = self.resources.iter().map(|(path, resource)| (*path, resource));
        pages.chain(self.assets.files())
    }

    /// The error view with a status.
    pub fn error(&self, status: StatusCode) -> &Resource {
        let of_class = if status.is_client_error() {
            StatusCode::BAD_REQUEST
        } else {
            StatusCode::INTERNAL_SERVER_ERROR
        };
        self.errors.get(&status).unwrap_or_else(|| &self.errors[&of_class])
    }

    /// The contact page for one visitor whose form was not accepted; nothing before there are pages.
    pub fn form_answer(&self, answer: &FormAnswer<'_>) -> Option<Resource> {
        self.answers.as_ref().map(|answers| answers.fill(answer))
    }

    /// The copy that the edition was made from.
    pub fn copy(&self) -> &Arc<SiteCopy> {
        &self.copy
    }

    /// The assets that the edition refers to.
    pub fn assets(&self) -> &Assets {
        &self.assets
    }
}

/// All documents of an edition, before they are encoded.
struct LaidOut {
    resources: Vec<(&'static str, Original)>,
    errors: Vec<(StatusCode, Original)>,
    answers: FormAnswers,
}

/// Lays out everything; pure but for what the fragments note.
fn lay_out(
    copy: &SiteCopy,
    assets: &Assets,
    handling: Option<Handling>,
    fragments: &Fragments,
) -> anyhow::Result<LaidOut> {
    let with = Ingredients { copy, assets, fragments, handling };
    let mut resources = Vec::from(views::files::all(with)?);
    for page in &PAGES {
        let page_original = || {
            let document = page.document(with)?;
            original(with, &document, StatusCode::OK, Caching::Page)
        };
        let original = page_original().with_context(|| format!("the page {}", page.path))?;
        resources.push((page.path, original));
    }
    let mut errors = Vec::new();
    for status in ERRORS {
        let header = Header::Navigation { current: None };
        let document = views::error::document(with, status, header);
        errors.push((status, original(with, &document, status, Caching::Never)?));
    }
    Ok(LaidOut { resources, errors, answers: FormAnswers::new(with)? })
}

fn original(
    with: Ingredients<'_>,
    document: &Document,
    status: StatusCode,
    caching: Caching,
) -> anyhow::Result<Original> {
    let html = layout::document(with, document)?;
    let mut headers = headers::of_document(with.assets, document.name)?;
    headers.extend(headers::retry_after(status));
    Ok(Original {
        status,
        content_type: "text/html; charset=utf-8",
        caching,
        headers,
        body: Bytes::from(html.into_string()),
    })
}
