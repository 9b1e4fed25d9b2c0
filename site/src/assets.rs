//! The built assets: read from the disk in a development build, embedded in a release build.

use std::collections::{BTreeMap, HashMap};

use anyhow::{Context, bail};
use bytes::Bytes;
use poem::http::{HeaderMap, HeaderValue, StatusCode, header};
use rust_embed::{EmbeddedFile, RustEmbed};
use serde::Deserialize;

use sha2::{Digest, Sha256};

use crate::{
    compression::CODINGS,
    headers::EveryAnswer,
    resource::{Caching, Original, Resource},
};

#[derive(RustEmbed)]
#[folder = "../assets/dist"]
#[allow_missing = true]
struct Dist;

/// `manifest.json`, as `assets/build.ts` writes it.
#[derive(Deserialize)]
struct Manifest {
    bundle: String,
    assets: BTreeMap<String, String>,
}

/// One build of the assets.
pub struct Assets {
    digest: [u8; 32],
    bundle: String,
    urls: BTreeMap<String, String>,
    inline: BTreeMap<String, String>,
    files: HashMap<String, Resource>,
}

impl Assets {
    /// Reads the build; fails where a file that it names is missing.
    pub fn load() -> anyhow::Result<Self> {
        let manifest =
            read("manifest.json").context("the assets are not built: run `make build`")?;
        let digest = Sha256::digest(&manifest).into();
        let manifest: Manifest =
            serde_json::from_slice(&manifest).context("assets/dist/manifest.json")?;
        let mut files = HashMap::new();
        let mut urls = BTreeMap::new();
        for (name, file) in manifest.assets {
            let url = format!("/assets/{file}");
            files.insert(url.clone(), resource(&format!("files/{file}"), Caching::Immutable)?);
            urls.insert(name, url);
        }
        let mut inline = BTreeMap::new();
        for path in Dist::iter() {
            if let Some(name) = path.strip_prefix("inline/") {
                let text =
                    String::from_utf8(read(&path)?.to_vec()).with_context(|| path.to_string())?;
                inline.insert(name.to_owned(), text);
            } else if let Some(name) = path.strip_prefix("root/") {
                files.insert(format!("/{name}"), resource(&path, Caching::Fixed)?);
            }
        }
        Ok(Self { digest, bundle: manifest.bundle, urls, inline, files })
    }

    /// The same with a bar on each page that says that it is a draft, and whether a newer one was refused.
    #[must_use]
    pub fn of_a_draft(mut self, refused: bool) -> Self {
        let bar = if refused { "draft-refused.css" } else { "draft.css" };
        let bar = self.inline.get(bar).cloned().unwrap_or_default();
        for (_, text) in self.inline.iter_mut().filter(|(name, _)| *name != "loader.js") {
            text.push_str(&bar);
        }
        self
    }

    /// A file of another build, under its name; nothing where it is of no kind that is served.
    pub(crate) fn earlier(name: &str, body: Vec<u8>) -> Option<Resource> {
        let content_type = content_type(name).ok()?;
        let original = Original {
            status: StatusCode::OK,
            content_type: content_type.into(),
            caching: Caching::Immutable,
            headers: of_kind(content_type),
            body: body.into(),
        };
        Some(Resource::new(original, Vec::new()))
    }

    /// The same with what every answer has.
    #[must_use]
    pub fn completed(mut self, every: &EveryAnswer) -> Self {
        let files = self.files.into_iter();
        self.files = files.map(|(path, file)| (path, file.completed(every))).collect();
        self
    }

    /// Digest of the manifest on the disk; cheap enough to compute every second.
    pub fn fingerprint() -> anyhow::Result<[u8; 32]> {
        Ok(Sha256::digest(read("manifest.json")?).into())
    }

    /// Digest of this build's manifest.
    pub fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// The digest of the components that the browser would hydrate with.
    pub fn bundle(&self) -> &str {
        &self.bundle
    }

    /// The address of an asset under its name in the source tree, such as `images/mark.svg`.
    pub fn url(&self, name: &str) -> anyhow::Result<&str> {
        match self.urls.get(name) {
            Some(url) => Ok(url),
            None => bail!("assets/dist has no {name}: run `make build`"),
        }
    }

    /// Every asset's name in the source tree with its address.
    pub fn urls(&self) -> impl Iterator<Item = (&str, &str)> {
        self.urls.iter().map(|(name, url)| (name.as_str(), url.as_str()))
    }

    /// A text that pages carry in themselves, such as `home.css`.
    pub fn inline(&self, name: &str) -> anyhow::Result<&str> {
        match self.inline.get(name) {
            Some(text) => Ok(text),
            None => bail!("assets/dist has no inline/{name}: run `make build`"),
        }
    }

    /// The file at a path.
    pub fn file(&self, path: &str) -> Option<&Resource> {
        self.files.get(path)
    }

    /// Every file with its path.
    pub fn files(&self) -> impl Iterator<Item = (&str, &Resource)> {
        self.files.iter().map(|(path, resource)| (path.as_str(), resource))
    }
}

fn read(path: &str) -> anyhow::Result<Bytes> {
    let EmbeddedFile { data, .. } =
        Dist::get(path).with_context(|| format!("assets/dist/{path} is missing"))?;
    Ok(match data {
        std::borrow::Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        std::borrow::Cow::Owned(bytes) => Bytes::from(bytes),
    })
}

/// A file with the compressed forms that the build put beside it.
fn resource(path: &str, caching: Caching) -> anyhow::Result<Resource> {
    let compressed = CODINGS
        .into_iter()
        .filter_map(|coding| Some((coding, read(&format!("{path}.{}", coding.extension)).ok()?)))
        .collect();
    let content_type = content_type(path)?;
    let original = Original {
        status: StatusCode::OK,
        content_type: content_type.into(),
        caching,
        headers: of_kind(content_type),
        body: read(path)?,
    };
    Ok(Resource::new(original, compressed))
}

/// A drawing that is opened by itself may have a style of its own; anything else says what every
/// answer says.
fn of_kind(content_type: &str) -> HeaderMap {
    const DRAWING: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
    let is_drawing = content_type == "image/svg+xml";
    let policy = (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(DRAWING));
    is_drawing.then_some(policy).into_iter().collect()
}

fn content_type(path: &str) -> anyhow::Result<&'static str> {
    Ok(match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("avif") => "image/avif",
        Some("css") => "text/css; charset=utf-8",
        Some("ico") => "image/vnd.microsoft.icon",
        Some("jpg") => "image/jpeg",
        Some("js") => "text/javascript; charset=utf-8",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        Some("txt") => "text/plain; charset=utf-8",
        Some("webp") => "image/webp",
        Some("woff2") => "font/woff2",
        _ => {
            bail!("assets/dist/{path}: add the media type of this extension to site/src/assets.rs")
        }
    })
}
