//! The files that machines read: robots.txt, the site map, the web manifest, the
//! speculation rules.

use anyhow::Context;
use bytes::Bytes;
use poem::http::StatusCode;
use serde_json::json;

use crate::{
    encodings::Encodings,
    resource::{Caching, Draft, Resource},
};

use super::Ingredients;

/// The paths that search engines should know.
const PAGES: [&str; 3] = ["/", "/pricing", "/contact"];

/// Every file with its path.
pub fn all(
    with: Ingredients<'_>,
    encodings: &Encodings,
) -> anyhow::Result<[(&'static str, Resource); 4]> {
    let file = |content_type, text: String| -> anyhow::Result<Resource> {
        let identity = Bytes::from(text);
        Ok(Draft {
            status: StatusCode::OK,
            content_type,
            caching: Caching::Fixed,
            headers: Vec::new(),
            compressed: encodings.of(&identity)?,
            identity,
        }
        .finish())
    };
    Ok([
        ("/robots.txt", file("text/plain; charset=utf-8", robots(with))?),
        ("/sitemap.xml", file("application/xml", sitemap(with))?),
        (
            "/speculation-rules.json",
            file("application/speculationrules+json", speculation_rules())?,
        ),
        ("/site.webmanifest", file("application/manifest+json", manifest(with)?)?),
    ])
}

/// RFC 9309.
fn robots(with: Ingredients<'_>) -> String {
    let sitemap = with.content.site.address.join("/sitemap.xml");
    format!("User-agent: *\nAllow: /\nDisallow: /contact/sent\n\nSitemap: {sitemap}\n")
}

/// The sitemaps.org protocol, version 0.9.
fn sitemap(with: Ingredients<'_>) -> String {
    // An origin holds no character that XML would want escaped: scheme, host and port only.
    let urls: String = PAGES
        .map(|path| format!("  <url><loc>{}</loc></url>\n", with.content.site.address.join(path)))
        .concat();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{urls}</urlset>\n"
    )
}

/// Lets a browser fetch the page behind a link that the visitor is about to follow (HTML,
/// "Speculative loading"). The sent page is not worth it: nobody links to it.
fn speculation_rules() -> String {
    json!({ "prefetch": [{ "where": { "href_matches": "/*" }, "eagerness": "moderate" }] })
        .to_string()
}

/// W3C Web Application Manifest.
fn manifest(with: Ingredients<'_>) -> anyhow::Result<String> {
    let site = &with.content.site;
    let icon = |size: &str| json!({ "src": format!("/icon-{size}.png"), "sizes": format!("{size}x{size}"), "type": "image/png" });
    serde_json::to_string_pretty(&json!({
        "name": site.name,
        "short_name": site.name,
        "description": with.content.home.meta.description,
        "lang": site.language,
        "start_url": "/",
        "display": "browser",
        "icons": [
            { "src": "/favicon.svg", "sizes": "any", "type": "image/svg+xml" },
            icon("192"),
            icon("512"),
        ],
    }))
    .context("the web manifest")
}
