//! The home page: hero, features, mission, questions, closing call.

use maud::{Markup, html};

use crate::{
    assets::Assets,
    copy::{Point, SiteCopy},
    sections::{FaqAccordionProps, RoomProps, Section},
};

use super::{Ingredients, closing, clouds, icons};

/// The widths in which each product view is kept, in pixels.
const WIDE_WIDTHS: [u32; 3] = [480, 800, 1200];
/// The widths in which the views for phones are kept, in pixels; those behind only in the first.
const NARROW_WIDTHS: [u32; 2] = [480, 720];
/// The widths in which the front one is kept for tablets that lie, in pixels.
const MIDDLE_WIDTHS: [u32; 2] = [480, 960];
/// How wide the views are shown, of those behind the part in the window and what it hides
/// (assets/css/parts/hero.css). A tablet is told less: at twice the pixels it is sharp enough.
const SIZES: &str = "(width >= 1024px) 600px, (width > 768px) 80vw, 70vw";

/// The home page.
pub fn page(with: Ingredients<'_>) -> anyhow::Result<Markup> {
    let Ingredients { copy, assets, fragments, .. } = with;
    let questions = fragments.ask(Section::FaqAccordion(FaqAccordionProps::new(copy)));
    Ok(html! {
        (hero(copy, assets)?)
        (features(copy, assets)?)
        (mission(with))
        section.faq #faq aria-labelledby="faq-heading" {
            div.page {
                h2 #faq-heading { (copy.home.faq.heading) }
                (questions)
                div.otherwise {
                    p.talk { span { (copy.home.faq.otherwise) } " " a href="/contact" { (copy.home.faq.write) } }
                    div { @for line in &copy.contact.hours.lines { p { (line) } } }
                    (clouds::below())
                }
            }
        }
        (closing(copy))
    })
}

/// The places that links may lead to: sections, the room, and each question.
pub fn anchors(copy: &SiteCopy) -> Vec<String> {
    let questions = copy.home.faq.entries.iter().map(|entry| entry.id.as_str());
    ["features", "room", "faq"].into_iter().chain(questions).map(str::to_owned).collect()
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
                        (clouds::luminary())
                        @for picture in &pictures { (picture) }
                        (clouds::before_consoles())
                    }
                    figcaption { (hero.caption) " " a.way href="#room" { (hero.try_it) } }
                }
            }
            (clouds::high_sky_with(&html! {}, &html! {}))
        }
    })
}

/// One product view, in the smallest file that is sharp enough for the screen; in one file for a
/// browser that doesn't know AVIF.
///
/// A phone sees a narrower console with larger type, and so does a tablet that lies, beside the words;
/// its front one is between the two. Of those behind only an edge is seen: one file is enough.
fn view(assets: &Assets, name: &str, alt: &str) -> anyhow::Result<Markup> {
    const PHONE: &str = "(width <= 480px)";
    const LYING: &str = "(64em <= width < 72em)";
    let console = format!("console-{name}");
    let files = |canvas: &str, widths: &[u32]| -> anyhow::Result<String> {
        let candidates = widths.iter().map(|width| {
            let url = assets.url(&format!("images/{console}{canvas}-{width}.avif"))?;
            Ok(format!("{url} {width}w"))
        });
        Ok(candidates.collect::<anyhow::Result<Vec<_>>>()?.join(", "))
    };
    let in_front = name == "rooms";
    let narrower = if in_front {
        html! {
            source media=(PHONE) type="image/avif" width="500" height="406"
                srcset=(files("-narrow", &NARROW_WIDTHS)?) sizes="85vw";
            source media=(LYING) type="image/avif" width="640" height="520"
                srcset=(files("-middle", &MIDDLE_WIDTHS)?) sizes="480px";
        }
    } else {
        html! {
            source media={ (PHONE) ", " (LYING) } type="image/avif" width="360" height="240"
                srcset=(files("-narrow", &NARROW_WIDTHS[..1])?) sizes="60vw";
        }
    };
    let fallback = assets.url(&format!("images/{console}-800.webp"))?;
    Ok(html! {
        picture class={ "view view-" (name) } {
            (narrower)
            source type="image/avif" srcset=(files("", &WIDE_WIDTHS)?) sizes=(SIZES);
            img src=(fallback) width="960" height="640" alt=(alt) decoding="async"
                fetchpriority=(if in_front { "high" } else { "low" });
        }
    })
}

fn features(copy: &SiteCopy, assets: &Assets) -> anyhow::Result<Markup> {
    let features = &copy.home.features;
    let style = assets.url("styles/below-fold.css")?;
    let highlights = [
        (icons::blocks(), &features.speed),
        (icons::wall(), &features.security),
        (thousand_windows(), &features.reliability),
    ];
    Ok(html! {
        link rel="stylesheet" href=(style);
        section.features #features aria-labelledby="features-heading" {
            div.page {
                h2 #features-heading { (features.heading) }
                p.lead { (features.intro) }
                ul.highlights role="list" {
                    @for (drawing, Point { heading, text }) in &highlights {
                        li.highlight {
                            div.drawn { (clouds::below()) (drawing) (clouds::below()) }
                            div { h3 { (heading) } p { (text) } }
                        }
                    }
                }
            }
            (clouds::rising())
        }
    })
}

/// 99.9 %: of a thousand windows one is dark; style draws them.
fn thousand_windows() -> Markup {
    html! { span.thousand aria-hidden="true" {} }
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
        section.mission.band aria-labelledby="mission-heading" {
            div.page {
                div {
                    h2 #mission-heading { (mission.heading) }
                    p.statement { (mission.statement) }
                    p { (mission.text) }
                }
                (with.fragments.ask(Section::Room(RoomProps::new(with.copy))))
                ul.points role="list" {
                    @for (part, Point { heading, text }) in points {
                        li.{ "shows-" (part) } {
                            div.piece { div {} }
                            h3 { a href="#room" { (heading) } }
                            p { (text) }
                        }
                    }
                }
            }
            (clouds::rising())
        }
    }
}

fn closing(copy: &SiteCopy) -> Markup {
    let closing = &copy.home.closing;
    closing::scene(
        &closing.heading,
        &closing.text,
        &html! {
            a.button.button-primary href=(copy.links.application.as_str()) { (closing.action) }
        },
    )
}
