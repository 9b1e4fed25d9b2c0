//! All pages as final bytes: immutable, made whole from one copy and one build of the assets.

mod answers;
mod headers;
mod last;

use std::{collections::HashMap, sync::Arc};

use anyhow::{Context, ensure};
use bytes::Bytes;
use poem::http::StatusCode;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use crate::{
    assets::Assets,
    compression::{Coding, compressed},
    copy::SiteCopy,
    fragments::Fragments,
    headers::EveryAnswer,
    kept::KeptFiles,
    resource::{Caching, Original, Resource},
    sidecar::Sidecar,
    views::{
        self, Ingredients, PAGES,
        contact::Recipient,
        layout::{self, Document, Header},
    },
};

use answers::FormAnswers;
use last::LastEdition;

pub use answers::FormAnswer;
pub use last::AsLast;

/// The statuses whose error view an edition holds; another one is shown as the first of its class
/// (RFC 9110, section 15).
const ERRORS: [StatusCode; 10] = [
    StatusCode::BAD_REQUEST,
    StatusCode::FORBIDDEN,
    StatusCode::NOT_FOUND,
    StatusCode::METHOD_NOT_ALLOWED,
    StatusCode::REQUEST_TIMEOUT,
    StatusCode::PAYLOAD_TOO_LARGE,
    StatusCode::UNSUPPORTED_MEDIA_TYPE,
    StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
    StatusCode::INTERNAL_SERVER_ERROR,
    StatusCode::SERVICE_UNAVAILABLE,
];

/// How what was laid out becomes bytes.
#[derive(Clone, Copy)]
pub struct Encoding<'a> {
    /// The codings that pages are compressed with.
    pub codings: &'a [Coding],
    /// Where compressed forms are kept.
    pub kept: &'a KeptFiles,
    /// The headers of every answer.
    pub every: &'a EveryAnswer,
}

/// The immutable set of everything that is the same for every visitor.
pub struct Edition {
    copy: Arc<SiteCopy>,
    assets: Arc<Assets>,
    resources: HashMap<String, Resource>,
    errors: HashMap<StatusCode, Resource>,
    answers: Option<FormAnswers>,
}

impl Edition {
    /// Lays out all pages from the text of a copy, has their sections rendered, and encodes them. Where
    /// it is served, it can be kept for a start after which none can be made.
    ///
    /// Blocks while it compresses and reads kept files: not for a thread that serves.
    pub async fn build(
        (copy, text): (Arc<SiteCopy>, &str),
        assets: Arc<Assets>,
        recipient: &Recipient,
        sidecar: &Sidecar,
        with: Encoding<'_>,
    ) -> anyhow::Result<(Self, AsLast)> {
        let mut fragments = Fragments::new(assets.bundle());
        lay_out(&copy, &assets, recipient, &fragments)?;
        fragments.complete(with.kept, sidecar).await?;
        let laid_out = lay_out(&copy, &assets, recipient, &fragments)?;
        let missing = fragments.missing();
        ensure!(missing.is_empty(), "each time a page is laid out it asks for another {missing:?}");
        let as_last = AsLast::of(text, recipient, &laid_out)?;
        Ok((Self::encode(laid_out, copy, assets, with)?, as_last))
    }

    /// The last edition that was built, as it was kept. `copy` finds the copy that its text stands
    /// for: the form and the mails have words of it. Its files are served as long as they are kept.
    ///
    /// Blocks as building does.
    pub fn restore(
        copy: impl FnOnce(&str) -> anyhow::Result<Arc<SiteCopy>>,
        assets: Arc<Assets>,
        recipient: &Recipient,
        with: Encoding<'_>,
    ) -> Option<anyhow::Result<Self>> {
        let last = LastEdition::read(with.kept, recipient)?;
        let restored = copy(&last.copy);
        Some(restored.and_then(|copy| Self::encode(last.laid_out, copy, assets, with)))
    }

    fn encode(
        laid_out: LaidOut,
        copy: Arc<SiteCopy>,
        assets: Arc<Assets>,
        with: Encoding<'_>,
    ) -> anyhow::Result<Self> {
        let resource = |original: Original| -> anyhow::Result<Resource> {
            let compressed = compressed(&original.body, with.codings, with.kept)?;
            Ok(Resource::new(original, compressed).completed(with.every))
        };
        let resources = laid_out
            .resources
            .into_par_iter()
            .map(|(path, original)| {
                let resource = resource(original).with_context(|| path.clone())?;
                Ok((path, resource))
            })
            .collect::<anyhow::Result<_>>()?;
        let errors = laid_out
            .errors
            .into_par_iter()
            .map(|original| Ok((original.status, resource(original)?)))
            .collect::<anyhow::Result<_>>()?;
        Ok(Self { copy, assets, resources, errors, answers: Some(laid_out.answers) })
    }

    /// What is served before there is an edition: the view of status 503 in place of every page.
    pub fn unavailable(
        copy: Arc<SiteCopy>,
        assets: Arc<Assets>,
        recipient: &Recipient,
        every: &EveryAnswer,
    ) -> anyhow::Result<Self> {
        let fragments = Fragments::new(assets.bundle());
        let with = Ingredients { copy: &copy, assets: &assets, fragments: &fragments, recipient };
        let errors = ERRORS.map(|status| {
            let shown = match status {
                StatusCode::NOT_FOUND => StatusCode::SERVICE_UNAVAILABLE,
                other => other,
            };
            let document = views::error::document(with, shown, Header::Brand);
            let original = original(with, &document, shown, Caching::Never)?;
            Ok((status, Resource::new(original, Vec::new()).completed(every)))
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
        let pages = self.resources.iter().map(|(path, resource)| (path.as_str(), resource));
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
        self.answers.as_ref()?.fill(answer)
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
#[derive(Serialize, Deserialize)]
struct LaidOut {
    resources: Vec<(String, Original)>,
    errors: Vec<Original>,
    answers: FormAnswers,
}

/// Lays out everything; pure but for what the fragments note.
fn lay_out(
    copy: &SiteCopy,
    assets: &Assets,
    recipient: &Recipient,
    fragments: &Fragments,
) -> anyhow::Result<LaidOut> {
    let with = Ingredients { copy, assets, fragments, recipient };
    let files = views::files::all(with)?;
    let mut resources: Vec<_> =
        files.into_iter().map(|(path, original)| (path.to_owned(), original)).collect();
    for page in &PAGES {
        let page_original = || {
            let document = page.document(with)?;
            original(with, &document, StatusCode::OK, Caching::Page)
        };
        let original = page_original().with_context(|| format!("the page {}", page.path))?;
        resources.push((page.path.to_owned(), original));
    }
    let mut errors = Vec::new();
    for status in ERRORS {
        let header = Header::Navigation { current: None };
        let document = views::error::document(with, status, header);
        errors.push(original(with, &document, status, Caching::Never)?);
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
    let mut headers = headers::of_document(with, document.name)?;
    headers.extend(headers::retry_after(status));
    Ok(Original {
        status,
        content_type: "text/html; charset=utf-8".into(),
        caching,
        headers,
        body: Bytes::from(html.into_string()),
    })
}
