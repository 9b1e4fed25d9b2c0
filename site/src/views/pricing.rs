//! The pricing page: three plans and a call to action.

use maud::{Markup, html};

use crate::sections::{PricingCardsProps, Section};

use super::{Ingredients, closing, clouds};

/// The pricing page.
pub fn page(with: Ingredients<'_>) -> Markup {
    let pricing = &with.copy.pricing;
    let start = with.copy.links.start().as_str();
    let cards = with.fragments.ask(Section::PricingCards(PricingCardsProps::new(with.copy)));
    html! {
            section.plans.sky aria-labelledby="plans-heading" {
                div.page {
                    h1 #plans-heading { (pricing.heading) }
                    p.lead { (pricing.subtitle) }
                    (cards)
                }
                (clouds::high_sky())
            }
            (closing::scene(&pricing.closing.heading, &pricing.closing.text, &html! {
                a.button.button-primary href=(start) { (pricing.closing.start) }
                a.button.button-quiet href="/contact" { (pricing.closing.sales) }
            }))
    }
}
