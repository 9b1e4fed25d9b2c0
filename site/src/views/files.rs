//! The files that machines read: robots.txt, the site map, llms.txt, security.txt, the web manifest.

use std::borrow::Cow;

use anyhow::Context;
use bytes::Bytes;
use poem::http::{HeaderMap, StatusCode};
use serde_json::json;

use crate::{
    copy::PricingCards,
    resource::{Caching, Original},
};

use super::{Ingredients, PAGES, layout::SKY};

/// Every file with its path.
pub fn all(with: Ingredients<'_>) -> anyhow::Result<[(&'static str, Original); 5]> {
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
        ("/llms.txt", file("text/plain; charset=utf-8", llms(with))),
        ("/.well-known/security.txt", file("text/plain; charset=utf-8", security(with))),
        ("/site.webmanifest", file("application/manifest+json", manifest(with)?)),
    ])
}

/// RFC 9309. Nothing is closed to crawlers: one that may not read a page can't read there either that
/// it should not be found.
fn robots(with: Ingredients<'_>) -> String {
    format!("User-agent: *\nAllow: /\n\nSitemap: {}\n", with.copy.site.address.join("/sitemap.xml"))
}

/// The sitemaps.org protocol, version 0.9. The days are the copy's own: the day of a build would change
/// the bytes of an edition whose words are the same, and tell crawlers of news where there are none.
fn sitemap(with: Ingredients<'_>) -> String {
    // An origin holds no character that XML would want escaped: scheme, host and port only.
    let listed = PAGES.iter().filter(|page| page.listed).map(|page| {
        let address = with.copy.site.address.join(page.path);
        let updated = (page.meta)(with.copy).updated;
        let updated = updated.map(|day| format!("<lastmod>{day}</lastmod>")).unwrap_or_default();
        format!("  <url><loc>{address}</loc>{updated}</url>\n")
    });
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{}</urlset>\n",
        listed.collect::<String>()
    )
}

/// What the site says, for language models (llmstxt.org): the pages, the plans, the questions.
fn llms(with: Ingredients<'_>) -> String {
    let copy = with.copy;
    let listed = PAGES.iter().filter(|page| page.listed).map(|page| {
        let meta = (page.meta)(copy);
        let address = copy.site.address.join(page.path);
        format!("- [{}]({address}): {}\n", meta.title, meta.description)
    });
    let plans = copy.pricing.cards.plans.iter().map(|plan| {
        let PricingCards { bandwidth, support, .. } = &copy.pricing.cards;
        format!(
            "- {}: {} {}, {bandwidth} {}, {support} {}. {}.\n",
            plan.name,
            plan.price,
            plan.period,
            plan.bandwidth.as_str(),
            plan.support,
            plan.description
        )
    });
    let questions = copy.home.faq.entries.iter();
    let questions = questions
        .map(|entry| format!("\n### {}\n\n{}\n", entry.question, entry.answer.join("\n\n")));
    format!(
        "# {}\n\n> {}\n\n{}\n## {}\n\n{}\n## {}\n{}",
        copy.site.name,
        copy.home.meta.description,
        listed.collect::<String>(),
        copy.pricing.heading,
        plans.collect::<String>(),
        copy.home.faq.heading,
        questions.collect::<String>(),
    )
}

/// RFC 9116.
fn security(with: Ingredients<'_>) -> String {
    let site = &with.copy.site;
    format!(
        "Contact: mailto:{}\nContact: {}\nExpires: {}T00:00:00Z\nPreferred-Languages: {}\n\
         Canonical: {}\n",
        with.copy.contact.office.email.as_str(),
        site.address.join("/contact"),
        site.security_expires,
        site.language.primary(),
        site.address.join("/.well-known/security.txt"),
    )
}

/// W3C Web Application Manifest.
fn manifest(with: Ingredients<'_>) -> anyhow::Result<String> {
    let site = &with.copy.site;
    let icon = |size: &str, purpose: &str| json!({ "src": format!("/icon-{size}.png"), "sizes": format!("{size}x{size}"), "type": "image/png", "purpose": purpose });
    serde_json::to_string_pretty(&json!({
        "id": "/",
        "name": site.name,
        "short_name": site.name,
        "description": with.copy.home.meta.description,
        "lang": site.language.as_str(),
        "start_url": "/",
        "scope": "/",
        "display": "browser",
        "theme_color": SKY[0],
        "background_color": SKY[0],
        "icons": [
            { "src": "/favicon.svg", "sizes": "any", "type": "image/svg+xml" },
            icon("192", "any"),
            icon("512", "any"),
            // The mark stays within the circle that every mask leaves (section "Icon masks and safe zone").
            icon("192", "maskable"),
            icon("512", "maskable"),
        ],
    }))
    .context("the web manifest")
}
