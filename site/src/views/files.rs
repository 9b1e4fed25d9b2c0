//! The files that machines read: robots.txt, the site map, the web manifest.

use std::borrow::Cow;

use anyhow::Context;
use bytes::Bytes;
use poem::http::{HeaderMap, StatusCode};
use serde_json::json;

use crate::resource::{Caching, Original};

use super::{Ingredients, PAGES};

/// Every file with its path.
pub fn all(with: Ingredients<'_>) -> anyhow::Result<[(&'static str, Original); 3]> {
    let file = |content_type: &'static str, text: String| Original {
        status: StatusCode::OK,
        content_type: Cow::Borrowed(content_type),
        caching: Caching::Fixed,
        headers: HeaderMap::new(),
        body: Bytes::from(text),
    };
    Ok([
        ("/robots.txt", file("text/plain; charset=utf-8", robots(with))),
        ("/sitemap.xml", file("application/xml", sitemap(with))),
        ("/site.webmanifest", file("application/manifest+json", manifest(with)?)),
    ])
}

/// RFC 9309.
fn robots(with: Ingredients<'_>) -> String {
    let hidden = PAGES.iter().filter(|page| !page.listed);
    let hidden: Vec<_> = hidden.map(|page| format!("Disallow: {}\n", page.path)).collect();
    let sitemap = with.copy.site.address.join("/sitemap.xml");
    format!("User-agent: *\nAllow: /\n{}\nSitemap: {sitemap}\n", hidden.concat())
}

/// The sitemaps.org protocol, version 0.9.
fn sitemap(with: Ingredients<'_>) -> String {
    // An origin holds no character that XML would want escaped: scheme, host and port only.
    let listed = PAGES.iter().filter(|page| page.listed);
    let addresses = listed.map(|page| with.copy.site.address.join(page.path));
    let urls: Vec<_> =
        addresses.map(|address| format!("  <url><loc>{address}</loc></url>\n")).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{}</urlset>\n",
        urls.concat()
    )
}

/// W3C Web Application Manifest.
fn manifest(with: Ingredients<'_>) -> anyhow::Result<String> {
    let site = &with.copy.site;
    let icon = |size: &str| json!({ "src": format!("/icon-{size}.png"), "sizes": format!("{size}x{size}"), "type": "image/png" });
    serde_json::to_string_pretty(&json!({
        "name": site.name,
        "short_name": site.name,
        "description": with.copy.home.meta.description,
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
