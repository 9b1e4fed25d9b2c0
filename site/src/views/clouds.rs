//! Stepped clouds, inline, so that they need no request and no document of their own in the browser.
//!
//! They come last in their section. A slow browser may paint a section of which it has read half;
//! what hangs from the section's foot would move when the rest arrives.

use maud::{Markup, html};

use super::raw;

const NEAR: &str = include_str!("../../../assets/clouds/near.svg");
const MID: &str = include_str!("../../../assets/clouds/mid.svg");
const FAR: &str = include_str!("../../../assets/clouds/far.svg");
const BANK: &str = include_str!("../../../assets/clouds/bank.svg");
const BANK_BOX: &str = "0 0 768 16";

/// The sky at the top of a page: the sun or the moon, clouds far away, and banks at its foot.
///
/// The nearest bank has the page's own colour. By night, when the moon lights the second, it is one
/// more.
pub(super) fn high_sky() -> Markup {
    high_sky_with(&luminary(), &html! {})
}

/// The same with what stands far away, behind the clouds, and between the banks.
pub(super) fn high_sky_with(far: &Markup, between: &Markup) -> Markup {
    html! {
        div.cloudscape aria-hidden="true" {
            (far)
            @for _ in 0..2 { (drawing("far-cloud", FAR)) }
            (drawing("bank bank-behind", BANK))
            (between)
            (bank_again("bank"))
            (bank_again("bank bank-before"))
        }
    }
}

/// The sun by day, the moon by night.
pub(super) fn luminary() -> Markup {
    html! { span.luminary {} }
}

/// A sky further down the page, so low that it has one cloud over the banks, and what stands between them.
pub(super) fn low_sky(between: &Markup) -> Markup {
    html! {
        div.cloudscape aria-hidden="true" {
            (drawing("far-cloud", FAR))
            (bank_again("bank bank-behind"))
            (between)
            (bank_again("bank"))
            (bank_again("bank bank-before"))
        }
    }
}

/// The two clouds before the consoles.
pub(super) fn before_consoles() -> Markup {
    html! {
        div.clouds aria-hidden="true" {
            (drawing("cloud cloud-left", NEAR))
            (drawing("cloud cloud-right", MID))
        }
    }
}

/// Clouds at the foot of a drawing.
pub(super) fn below() -> Markup {
    html! { span.clouds-below aria-hidden="true" { (first_bank()) } }
}

/// Clouds at the foot of a section, as which the next one's ground begins.
pub(super) fn rising() -> Markup {
    html! { div.rising aria-hidden="true" { (first_bank()) } }
}

fn drawing(class: &str, svg: &'static str) -> Markup {
    html! { span class=(class) { (raw::drawing(svg)) } }
}

fn bank_again(class: &str) -> Markup {
    html! { span class=(class) { (first_bank()) } }
}

/// The drawing of the page's first bank once more.
fn first_bank() -> Markup {
    html! {
        svg viewBox=(BANK_BOX) preserveAspectRatio="xMinYMax slice" fill="currentColor" shape-rendering="crispEdges" {
            use href="#bank" {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_can_draw_its_first_bank_again() {
        assert!(BANK.contains("id=\"bank\""), "bank.svg has lost its id");
        assert!(BANK.contains(&format!("viewBox=\"{BANK_BOX}\"")), "bank.svg has another view box");
    }
}
