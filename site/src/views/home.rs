//! The home page: hero, features, mission, questions, closing call.

use maud::{Markup, html};

use crate::{
    assets::Assets,
    copy::{Point, SiteCopy},
    sections::{FaqAccordionProps, RoomProps, Section},
};

use super::{Ingredients, clouds, icons};

/// The widths in which each product view is kept, in pixels.
const WIDE_WIDTHS: [u32; 3] = [480, 800, 1200];
/// The widths in which the views for phones are kept, in pixels; those behind only in the first.
const NARROW_WIDTHS: [u32; 2] = [480, 720];
/// How wide the front view is shown (assets/css/pages/home.css).
const FRONT_SIZES: &str = "(min-width: 1024px) 580px, (min-width: 769px) 80vw, 85vw";
/// How wide the two views behind it are shown.
const REAR_SIZES: &str = "(min-width: 1024px) 400px, (min-width: 769px) 55vw, 60vw";

/// The home page.
pub fn page(with: Ingredients<'_>) -> anyhow::Result<Markup> {
    let Ingredients { copy, assets, fragments } = with;
    let questions = fragments.ask(Section::FaqAccordion(FaqAccordionProps::new(copy)));
    Ok(html! {
        (hero(copy, assets)?)
        (features(copy))
        (mission(with))
        section.faq #faq aria-labelledby="faq-heading" {
            div.page {
                h2 #faq-heading { (copy.home.faq.heading) }
                (questions)
            }
        }
        (closing(copy))
    })
}

fn hero(copy: &SiteCopy, assets: &Assets) -> anyhow::Result<Markup> {
    let hero = &copy.home.hero;
    let views =
        [("rooms", &hero.views.rooms), ("log", &hero.views.log), ("objects", &hero.views.objects)];
    let mut pictures = Vec::new();
    for (name, alt) in views {
        pictures.push(view(assets, name, alt)?);
    }
    Ok(html! {
        section.hero.sky {
            div.page {
                div.hero-words {
                    h1 { (hero.headline) }
                    p.hero-text { (hero.text) }
                    p.actions {
                        a.button.button-primary href=(copy.links.application.as_str()) { (hero.action) }
                        a.button.button-quiet href="/pricing" { (hero.secondary) }
                    }
                }
                figure.hero-views {
                    div.hero-stage {
                        @for picture in &pictures { (picture) }
                        (clouds::before_consoles())
                    }
                    figcaption { (hero.caption) }
                }
            }
            (clouds::high_sky())
        }
    })
}

/// One product view, in the smallest file that is sharp enough for the screen.
///
/// A phone sees a narrower console with larger type, and of the two views behind the front one only
/// an edge, so one file each is enough. A tablet is not offered the largest file.
fn view(assets: &Assets, name: &str, alt: &str) -> anyhow::Result<Markup> {
    let in_front = name == "rooms";
    let sizes = if in_front { FRONT_SIZES } else { REAR_SIZES };
    let (width, height) = if in_front { (720, 540) } else { (600, 400) };
    let narrow_widths = if in_front { &NARROW_WIDTHS[..] } else { &NARROW_WIDTHS[..1] };
    let wide = format!("console-{name}");
    let narrow = format!("console-{name}-narrow");
    let files = |console: &str, widths: &[u32], format: &str| -> anyhow::Result<String> {
        let candidates = widths.iter().map(|width| {
            let url = assets.url(&format!("images/{console}-{width}.{format}"))?;
            Ok(format!("{url} {width}w"))
        });
        Ok(candidates.collect::<anyhow::Result<Vec<_>>>()?.join(", "))
    };
    let smallest = assets.url(&format!("images/{wide}-480.webp"))?;
    Ok(html! {
        picture class={ "view view-" (name) } {
            @for format in ["avif", "webp"] {
                source media="(max-width: 480px)" type={ "image/" (format) } width=(width) height=(height)
                    srcset=(files(&narrow, narrow_widths, format)?) sizes=(sizes);
            }
            @for format in ["avif", "webp"] {
                source media="(max-width: 768px)" type={ "image/" (format) }
                    srcset=(files(&wide, &WIDE_WIDTHS[..2], format)?) sizes=(sizes);
            }
            source type="image/avif" srcset=(files(&wide, &WIDE_WIDTHS, "avif")?) sizes=(sizes);
            img src=(smallest) srcset=(files(&wide, &WIDE_WIDTHS, "webp")?) sizes=(sizes)
                width="960" height="640" alt=(alt) decoding="async"
                fetchpriority=(if in_front { "high" } else { "low" });
        }
    })
}

fn features(copy: &SiteCopy) -> Markup {
    let features = &copy.home.features;
    let highlights = [
        (icons::bolt(), &features.speed),
        (icons::shield(), &features.security),
        (icons::uptime(), &features.reliability),
    ];
    html! {
        section.features #features aria-labelledby="features-heading" {
            div.page {
                h2 #features-heading { (features.heading) }
                p.lead { (features.intro) }
                ul.highlights role="list" {
                    @for (icon, Point { heading, text }) in &highlights {
                        li.highlight { (icon) h3 { (heading) } p { (text) } }
                    }
                }
            }
        }
    }
}

fn mission(with: Ingredients<'_>) -> Markup {
    let mission = &with.copy.home.mission;
    let points = &mission.points;
    let points = [
        ("players", &points.control),
        ("objects", &points.objects),
        ("log", &points.log),
        ("head", &points.setup),
        ("sum", &points.sessions),
    ];
    html! {
        section.mission aria-labelledby="mission-heading" {
            div.page {
                div.mission-words {
                    h2 #mission-heading { (mission.heading) }
                    p.statement { (mission.statement) }
                    p { (mission.text) }
                }
                (with.fragments.ask(Section::Room(RoomProps::new(with.copy))))
                ul.points role="list" {
                    @for (part, Point { heading, text }) in points {
                        li.{ "shows-" (part) } { h3 { a href="#room" { (heading) } } p { (text) } }
                    }
                }
            }
        }
    }
}

fn closing(copy: &SiteCopy) -> Markup {
    let closing = &copy.home.closing;
    html! {
        section.closing.sky aria-labelledby="closing-heading" {
            div.page {
                h2 #closing-heading { (closing.heading) }
                p { (closing.text) }
                p.actions {
                    a.button.button-primary href=(copy.links.application.as_str()) { (closing.action) }
                }
            }
            (clouds::low_sky())
        }
    }
}
