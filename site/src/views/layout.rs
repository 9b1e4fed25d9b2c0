//! What all pages share: head, header, footer.

use anyhow::Context;
use maud::{DOCTYPE, Markup, html};

use crate::{
    copy::{Link, Meta, SiteCopy},
    sections::{NavBarProps, Section},
};

use super::{Ingredients, icons, linked_data::LinkedData, raw};

/// The sky's colour at the top of a page, by day and by night (`--sky-far` in assets/css/tokens.css).
pub(super) const SKY: [&str; 2] = ["#95d5fd", "#050a1f"];

/// Of every page but those on other sites.
pub const SPECULATION_RULES: &str =
    r#"{"prefetch":[{"where":{"href_matches":"/*"},"eagerness":"moderate"}]}"#;

/// What differs from document to document.
pub struct Document {
    /// What search engines and link previews are told.
    pub meta: Meta,
    /// The canonical path, or nothing for a document that should not be found.
    pub canonical: Option<&'static str>,
    /// The content of the header.
    pub header: Header,
    /// What its styles and its social card are called: `home` for `home.css`.
    pub name: &'static str,
    /// Whether a reload shows the top instead of where the visitor was.
    pub starts_on_top: bool,
    /// What the document says about itself to machines.
    pub linked_data: Option<LinkedData>,
    /// Everything between header and footer.
    pub main: Markup,
}

/// The content of a document's header.
pub enum Header {
    /// The navigation bar.
    Navigation {
        /// The path that it marks as current.
        current: Option<&'static str>,
    },
    /// The product's name alone, while there is no edition whose pages one could go to.
    Brand,
}

/// The whole document.
pub fn document(with: Ingredients<'_>, document: &Document) -> anyhow::Result<Markup> {
    let copy = with.copy;
    let stylesheet = with.assets.inline(&format!("{}.css", document.name))?;
    let loader = with.assets.inline("loader.js")?;
    let tags =
        head_tags(with, document).with_context(|| format!("the head of {}", document.name))?;
    Ok(html! {
        (DOCTYPE)
        html lang=(copy.site.language.as_str()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                (tags)
                (raw::style(stylesheet))
            }
            body class=(document.name) data-scroll=[document.starts_on_top.then_some("top")] {
                a.skip-link href="#main" { (copy.navigation.skip) }
                header.site-header { (header(with, &document.header)) }
                main #main tabindex="-1" { (document.main) }
                (footer(copy))
                (raw::speculation_rules(SPECULATION_RULES))
                (raw::script(loader))
                @if let Some(linked_data) = &document.linked_data { (raw::linked_data(linked_data)?) }
            }
        }
    })
}

fn head_tags(with: Ingredients<'_>, document: &Document) -> anyhow::Result<Markup> {
    let Ingredients { copy, assets, .. } = with;
    let Meta { title, description, keywords, card: card_alt, .. } = &document.meta;
    let font = assets.url("fonts/familjen-grotesk.woff2")?;
    let address = document.canonical.map(|path| copy.site.address.join(path));
    let card = match document.canonical {
        Some(_) => Some(
            copy.site.address.join(assets.url(&format!("images/social-{}.png", document.name))?),
        ),
        None => None,
    };
    Ok(html! {
        title { (title) }
        meta name="description" content=(description);
        @if let (Some(address), Some(card)) = (&address, &card) {
            meta name="keywords" content=(keywords.join(", "));
            link rel="canonical" href=(address);
            meta property="og:type" content="website";
            meta property="og:site_name" content=(copy.site.name);
            @if let Some(locale) = copy.site.language.open_graph() {
                meta property="og:locale" content=(locale);
            }
            meta property="og:title" content=(title);
            meta property="og:description" content=(description);
            meta property="og:url" content=(address);
            meta property="og:image" content=(card);
            meta property="og:image:width" content="1200";
            meta property="og:image:height" content="630";
            meta property="og:image:alt" content=(card_alt);
            // The rest of the card is read from the tags above.
            meta name="twitter:card" content="summary_large_image";
            meta name="twitter:image:alt" content=(card_alt);
        } @else {
            meta name="robots" content="noindex";
        }
        meta name="theme-color" media="(prefers-color-scheme: light)" content=(SKY[0]);
        meta name="theme-color" media="(prefers-color-scheme: dark)" content=(SKY[1]);
        // A browser that takes no drawing asks for /favicon.ico by itself.
        link rel="icon" href="/favicon.svg" type="image/svg+xml";
        link rel="apple-touch-icon" href="/apple-touch-icon.png";
        link rel="manifest" href="/site.webmanifest";
        link rel="preload" href=(font) as="font" type="font/woff2" crossorigin;
    })
}

fn header(with: Ingredients<'_>, header: &Header) -> Markup {
    match header {
        Header::Navigation { current } => {
            with.fragments.ask(Section::NavBar(NavBarProps::new(with.copy, *current)))
        }
        Header::Brand => html! {
            nav.nav-bar aria-label=(with.copy.navigation.label) {
                a.nav-bar-brand href="/" { (icons::mark()) (with.copy.site.name) }
            }
        },
    }
}

fn footer(copy: &SiteCopy) -> Markup {
    let footer = &copy.footer;
    let social = &footer.social;
    let marks = [
        (icons::x(), &social.x),
        (icons::tiktok(), &social.tiktok),
        (icons::discord(), &social.discord),
    ];
    html! {
        footer.site-footer {
            div.page {
                div.footer-brand {
                    p.footer-name { (icons::mark()) (copy.site.name) }
                    p { (footer.tagline) }
                }
                nav.footer-columns aria-label=(footer.label) {
                    @for column in &footer.columns {
                        div {
                            h2 { (column.heading) }
                            ul role="list" {
                                @for link in &column.links { li { (footer_link(copy, link, &html! { (link.label) })) } }
                            }
                        }
                    }
                }
                div.footer-end {
                    small {
                        "© " (copy.site.copyright_year) " " (copy.site.name) " "
                        a href="/privacy" { (footer.privacy) }
                    }
                    ul.social role="list" aria-label=(footer.social_label) {
                        @for (mark, link) in &marks {
                            li { (footer_link(copy, link, &html! { (mark) span.visually-hidden { (link.label) } })) }
                        }
                    }
                }
            }
        }
    }
}

/// A link without a destination is an `a` without `href`: a placeholder (HTML, section 4.6.1).
fn footer_link(copy: &SiteCopy, link: &Link, text: &Markup) -> Markup {
    html! {
        @match &link.href {
            None => a { (text) },
            Some(href) if href.is_external() => a href=(href.as_str()) target="_blank" rel="noopener" {
                (text) " " span.visually-hidden { (copy.navigation.new_tab) }
            },
            Some(href) => a href=(href.as_str()) { (text) },
        }
    }
}
