//! The one place where text becomes HTML unescaped: our own drawings, styles and scripts.

#![expect(clippy::disallowed_types, reason = "whoever calls these vouches for the text")]

use anyhow::Context;
use maud::{Markup, PreEscaped, html};

use super::linked_data::LinkedData;
use crate::svg;

/// A drawing of the source tree.
pub(super) fn drawing(file: &'static str) -> Markup {
    PreEscaped(svg::inline(file))
}

/// A style sheet that the assets' build made.
pub(super) fn style(css: &str) -> Markup {
    html! { style { (PreEscaped(css)) } }
}

/// Rules by which a browser fetches the page behind a link that the visitor is about to follow
/// (HTML, "Speculative loading").
pub(super) fn speculation_rules(json: &'static str) -> Markup {
    html! { script type="speculationrules" { (PreEscaped(json)) } }
}

/// A module that the assets' build made.
pub(super) fn script(js: &str) -> Markup {
    html! { script type="module" { (PreEscaped(js)) } }
}

/// A block of data: a `<` in it could end the element that it stands in (HTML, section 4.12.1.3).
pub(super) fn linked_data(data: &LinkedData) -> anyhow::Result<Markup> {
    let json = serde_json::to_string(data).context("the linked data")?.replace('<', "\\u003c");
    Ok(html! { script type="application/ld+json" { (PreEscaped(json)) } })
}
