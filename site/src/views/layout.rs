//! What all pages share: head, header, footer.

use anyhow::Context;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::{
    content::{Content, FooterLink, Meta},
    sections::{NavBarProps, Section},
};

use super::{Ingredients, icons, plain};

/// What differs from page to page.
pub struct Page<'a> {
    /// What search engines and link previews are told.
    pub meta: &'a Meta,
    /// The page's canonical path, or nothing for a page that should not be found.
    pub canonical: Option<&'static str>,
    /// The path that the navigation marks as current.
    pub current: Option<&'static str>,
    /// The name of the page's styles and of its social card: `home` for `home.css`.
    pub name: &'static str,
    /// Whether a reload shows the top instead of where the visitor was.
    pub starts_on_top: bool,
    /// Everything between header and footer.
    pub main: Markup,
}

/// The whole document.
pub fn document(with: Ingredients<'_>, page: &Page<'_>) -> anyhow::Result<Markup> {
    let content = with.content;
    let stylesheet = with.assets.inline(&format!("{}.css", page.name))?;
    let loader = with.assets.inline("loader.js")?;
    let tags = head_tags(with, page).with_context(|| format!("the head of {}", page.name))?;
    Ok(html! {
        (DOCTYPE)
        html lang=(content.site.language) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                (tags)
                style { (PreEscaped(stylesheet)) }
            }
            body class=(page.name) data-scroll=[page.starts_on_top.then_some("top")] {
                a.skip-link href="#main" { (content.navigation.skip) }
                header.site-header { (navigation(with, page.current)) }
                main #main tabindex="-1" { (page.main) }
                (footer(content))
                script type="module" { (PreEscaped(loader)) }
            }
        }
    })
}

fn head_tags(with: Ingredients<'_>, page: &Page<'_>) -> anyhow::Result<Markup> {
    let Ingredients { content, assets, .. } = with;
    let Meta { title, description, keywords } = page.meta;
    let font = assets.url("fonts/familjen-grotesk.woff2")?;
    let address = page.canonical.map(|path| content.site.address.join(path));
    let card = match page.canonical {
        Some(_) => Some(
            content.site.address.join(assets.url(&format!("images/social-{}.png", page.name))?),
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
            meta property="og:site_name" content=(content.site.name);
            meta property="og:title" content=(title);
            meta property="og:description" content=(description);
            meta property="og:url" content=(address);
            meta property="og:image" content=(card);
            meta property="og:image:width" content="1200";
            meta property="og:image:height" content="630";
            meta property="og:image:alt" content=(title);
            meta name="twitter:card" content="summary_large_image";
            meta name="twitter:title" content=(title);
            meta name="twitter:description" content=(description);
            meta name="twitter:image" content=(card);
        } @else {
            meta name="robots" content="noindex";
        }
        meta name="theme-color" media="(prefers-color-scheme: light)" content="#95d5fd";
        meta name="theme-color" media="(prefers-color-scheme: dark)" content="#050a1f";
        link rel="icon" href="/favicon.ico" sizes="32x32";
        link rel="icon" href="/favicon.svg" type="image/svg+xml";
        link rel="apple-touch-icon" href="/apple-touch-icon.png";
        link rel="manifest" href="/site.webmanifest";
        link rel="preload" href=(font) as="font" type="font/woff2" crossorigin;
    })
}

fn navigation(with: Ingredients<'_>, current: Option<&str>) -> Markup {
    let props = NavBarProps::new(with.content, current);
    let section = Section::NavBar(props);
    html! {
        @if let Some(fragment) = with.fragments.get(&section) { (fragment) }
        @else { (plain::navigation(with.content, current)) }
    }
}

fn footer(content: &Content) -> Markup {
    let footer = &content.footer;
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
                    p.footer-name { (icons::mark()) (content.site.name) }
                    p { (footer.tagline) }
                }
                nav.footer-columns aria-label=(footer.label) {
                    @for column in &footer.columns {
                        div {
                            h2 { (column.heading) }
                            ul role="list" {
                                @for link in &column.links { li { (footer_link(content, link, &html! { (link.label) })) } }
                            }
                        }
                    }
                }
                div.footer-end {
                    small { "© " (content.site.copyright_year) " " (content.site.name) }
                    ul.social role="list" aria-label=(footer.social_label) {
                        @for (mark, link) in &marks {
                            li { (footer_link(content, link, &html! { (mark) span.visually-hidden { (link.label) } })) }
                        }
                    }
                }
            }
        }
    }
}

/// A link without a destination is an `a` without `href`: a placeholder (HTML, section 4.6.1).
fn footer_link(content: &Content, link: &FooterLink, text: &Markup) -> Markup {
    html! {
        @match &link.href {
            None => a { (text) },
            Some(href) if href.is_external() => a href=(href.as_str()) target="_blank" rel="noopener" {
                (text) " " span.visually-hidden { (content.navigation.new_tab) }
            },
            Some(href) => a href=(href.as_str()) { (text) },
        }
    }
}
