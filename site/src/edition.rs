//! All pages as final bytes: immutable, made whole from one copy and one build of the assets.

use std::{collections::HashMap, sync::Arc};

use anyhow::Context;
use base64::{Engine, prelude::BASE64_STANDARD};
use bytes::Bytes;
use maud::Markup;
use poem::http::{HeaderName, HeaderValue, StatusCode, header};
use sha2::{Digest, Sha256};

use crate::{
    assets::Assets,
    content::Content,
    encodings::Encodings,
    fragments::Fragments,
    resource::{Caching, Draft, Resource},
    sections::{
        ContactDraft, ContactFormProps, ContactFormState, FaqAccordionProps, NavBarProps,
        PricingCardsProps, Section,
    },
    views::{self, Ingredients, layout::Page},
};

/// The paths that the navigation bar marks, and the pages that it doesn't name.
const NAVIGATED: [Option<&str>; 4] = [Some("/"), Some("/pricing"), Some("/contact"), None];

/// The immutable set of everything that is the same for every visitor.
pub struct Edition {
    content: Arc<Content>,
    assets: Arc<Assets>,
    fragments: Fragments,
    resources: HashMap<String, Resource>,
    not_found: Resource,
}

/// The sections that an edition of this copy needs.
pub fn sections(content: &Content) -> Vec<Section> {
    let sent =
        ContactFormProps::new(content, ContactFormState::Sent, ContactDraft::default(), Vec::new());
    NAVIGATED
        .map(|current| Section::NavBar(NavBarProps::new(content, current)))
        .into_iter()
        .chain([
            Section::FaqAccordion(FaqAccordionProps::new(content)),
            Section::PricingCards(PricingCardsProps::new(content)),
            Section::ContactForm(ContactFormProps::empty(content)),
            Section::ContactForm(sent),
        ])
        .collect()
}

impl Edition {
    /// Renders and compresses all pages.
    pub fn build(
        content: Arc<Content>,
        assets: Arc<Assets>,
        fragments: Fragments,
        encodings: &Encodings,
    ) -> anyhow::Result<Self> {
        let with = Ingredients { content: &content, assets: &assets, fragments: &fragments };
        let empty = ContactFormProps::empty(&content);
        let sent = ContactFormProps { state: ContactFormState::Sent, ..empty.clone() };
        let empty_meta = views::contact::meta(&content, &empty);
        let sent_meta = views::contact::meta(&content, &sent);
        let pages = [
            ("/", views::home::page(with)?),
            ("/pricing", views::pricing::page(with)?),
            ("/contact", views::contact::page(with, &empty_meta, empty)),
            ("/contact/sent", views::contact::page(with, &sent_meta, sent)),
        ];
        let mut resources = HashMap::new();
        for (path, page) in pages {
            let resource = page_resource(with, encodings, &page, StatusCode::OK, Caching::Page)
                .with_context(|| format!("the page {path}"))?;
            resources.insert(path.to_owned(), resource);
        }
        for (path, file) in views::files::all(with, encodings)? {
            resources.insert(path.to_owned(), file);
        }
        let meta = views::error::meta(&content, StatusCode::NOT_FOUND);
        let page = views::error::page(with, &meta, StatusCode::NOT_FOUND);
        let not_found =
            page_resource(with, encodings, &page, StatusCode::NOT_FOUND, Caching::Never)?;
        Ok(Self { content, assets, fragments, resources, not_found })
    }

    /// The page or file at a path.
    pub fn resource(&self, path: &str) -> Option<&Resource> {
        self.resources.get(path).or_else(|| self.assets.file(path))
    }

    /// Every page and generated file with its path.
    pub fn resources(&self) -> impl Iterator<Item = (&str, &Resource)> {
        self.resources.iter().map(|(path, resource)| (path.as_str(), resource))
    }

    /// The error view for a path that the edition doesn't hold.
    pub fn not_found(&self) -> &Resource {
        &self.not_found
    }

    /// The error view with any other status.
    pub fn error(&self, status: StatusCode) -> anyhow::Result<Resource> {
        error_resource(self.ingredients(), status)
    }

    fn ingredients(&self) -> Ingredients<'_> {
        Ingredients { content: &self.content, assets: &self.assets, fragments: &self.fragments }
    }

    /// The copy that the edition was made from.
    pub fn content(&self) -> &Content {
        &self.content
    }

    /// The assets that the edition refers to.
    pub fn assets(&self) -> &Assets {
        &self.assets
    }

    /// The fragments that the edition is made of.
    pub fn fragments(&self) -> &Fragments {
        &self.fragments
    }

    /// The contact page with one visitor's form; compressed by nobody and kept nowhere.
    pub fn contact_page(
        &self,
        status: StatusCode,
        form: ContactFormProps,
        fragment: Option<crate::sidecar::Fragment>,
    ) -> anyhow::Result<Resource> {
        let fragments = self.fragments.with(&Section::ContactForm(form.clone()), fragment);
        let with = Ingredients { fragments: &fragments, ..self.ingredients() };
        let meta = views::contact::meta(&self.content, &form);
        let page = views::contact::page(with, &meta, form);
        page_draft(with, &page, status, Caching::Never).map(Draft::finish)
    }
}

/// The error view for the time before the first edition: plain HTML only.
pub fn unavailable(content: &Content, assets: &Assets) -> anyhow::Result<Resource> {
    let fragments = Fragments::default();
    error_resource(
        Ingredients { content, assets, fragments: &fragments },
        StatusCode::SERVICE_UNAVAILABLE,
    )
}

fn error_resource(with: Ingredients<'_>, status: StatusCode) -> anyhow::Result<Resource> {
    let meta = views::error::meta(with.content, status);
    let page = views::error::page(with, &meta, status);
    page_draft(with, &page, status, Caching::Never).map(Draft::finish)
}

fn page_resource(
    with: Ingredients<'_>,
    encodings: &Encodings,
    page: &Page<'_>,
    status: StatusCode,
    caching: Caching,
) -> anyhow::Result<Resource> {
    let mut draft = page_draft(with, page, status, caching)?;
    draft.compressed = encodings.of(&draft.identity)?;
    Ok(draft.finish())
}

fn page_draft(
    with: Ingredients<'_>,
    page: &Page<'_>,
    status: StatusCode,
    caching: Caching,
) -> anyhow::Result<Draft> {
    let html: Markup = views::layout::document(with, page)?;
    let mut headers = security_headers(
        with.assets.inline(&format!("{}.css", page.name))?,
        with.assets.inline("loader.js")?,
    )?;
    if status == StatusCode::SERVICE_UNAVAILABLE {
        headers.push((header::RETRY_AFTER, HeaderValue::from_static("5")));
    }
    Ok(Draft {
        status,
        content_type: "text/html; charset=utf-8",
        caching,
        headers,
        identity: Bytes::from(html.into_string()),
        compressed: Vec::new(),
    })
}

/// What a page may do: load from its own host, run the one script and use the one style sheet that
/// it carries, post its form home (CSP Level 3; hashes instead of nonces, so that pages can be kept).
fn security_headers(style: &str, script: &str) -> anyhow::Result<Vec<(HeaderName, HeaderValue)>> {
    let hash = |text: &str| format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)));
    let policy = format!(
        "default-src 'none'; script-src 'self' {}; style-src {}; img-src 'self'; font-src 'self'; \
         connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        hash(script),
        hash(style),
    );
    let fixed = HeaderValue::from_static;
    Ok(vec![
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_str(&policy)?),
        (header::STRICT_TRANSPORT_SECURITY, fixed("max-age=63072000; includeSubDomains")),
        (HeaderName::from_static("speculation-rules"), fixed("\"/speculation-rules.json\"")),
        (header::REFERRER_POLICY, fixed("strict-origin-when-cross-origin")),
        (
            HeaderName::from_static("permissions-policy"),
            fixed("camera=(), geolocation=(), microphone=()"),
        ),
        (HeaderName::from_static("cross-origin-opener-policy"), fixed("same-origin")),
        (HeaderName::from_static("cross-origin-resource-policy"), fixed("same-origin")),
    ])
}
