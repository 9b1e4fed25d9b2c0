//! The pricing page: three plans and a call to action.

use anyhow::Context;
use maud::html;

use crate::sections::{PricingCardsProps, Section};

use super::{Ingredients, clouds, layout::Page};

/// The pricing page.
pub fn page(with: Ingredients<'_>) -> anyhow::Result<Page<'_>> {
    let pricing = &with.content.pricing;
    let start = with.content.links.start().as_str();
    let cards = Section::PricingCards(PricingCardsProps::new(with.content));
    let cards = with.fragments.get(&cards).context("the plans have not been rendered")?;
    Ok(Page {
        meta: &pricing.meta,
        canonical: Some("/pricing"),
        current: Some("/pricing"),
        name: "pricing",
        starts_on_top: true,
        main: html! {
            section.plans.sky aria-labelledby="plans-heading" {
                div.page {
                    h1 #plans-heading { (pricing.heading) }
                    p.lead { (pricing.subtitle) }
                    (cards)
                }
                (clouds::high_sky())
            }
            section.closing.sky aria-labelledby="closing-heading" {
                div.page {
                    h2 #closing-heading { (pricing.closing.heading) }
                    p { (pricing.closing.text) }
                    p.actions {
                        a.button.button-primary href=(start) { (pricing.closing.start) }
                        a.button.button-quiet href="/contact" { (pricing.closing.sales) }
                    }
                }
                (clouds::low_sky())
            }
        },
    })
}
