//! The pricing page: three plans, what they have in common, an estimate and a call to action.

use maud::{Markup, Render, html};

use crate::{
    copy::{Plan, Pricing},
    sections::{EstimateProps, PricingCardsProps, Section},
};

use super::{Ingredients, closing, clouds};

/// The pricing page.
pub fn page(with: Ingredients<'_>) -> anyhow::Result<Markup> {
    let pricing = &with.copy.pricing;
    let start = with.copy.links.start().as_str();
    let cards = with.fragments.ask(Section::PricingCards(PricingCardsProps::new(with.copy)));
    let estimate = with.fragments.ask(Section::Estimate(EstimateProps::new(with.copy)));
    let style = with.assets.url("styles/which-plan.css")?;
    Ok(html! {
        section.plans.sky aria-labelledby="plans-heading" {
            div.page {
                h1 #plans-heading { (pricing.heading) }
                p.lead { (pricing.subtitle) }
                (cards)
            }
            (clouds::high_sky())
        }
        link rel="stylesheet" href=(style);
        section.comparison aria-labelledby="comparison-heading" {
            div.page {
                h2 #comparison-heading { (pricing.comparison.heading) }
                div.comparison-scroller { (comparison(pricing, start)) }
            }
            (clouds::rising())
        }
        section.which.band aria-labelledby="estimate-heading" {
            div.page {
                div {
                    h2 #estimate-heading { (pricing.estimate.heading) }
                    p.lead { (pricing.estimate.intro) }
                }
                (estimate)
            }
            (clouds::rising())
        }
        (closing::scene(&pricing.closing.heading, &pricing.closing.text, &html! {
            a.button.button-primary href=(start) { (pricing.closing.start) }
            a.button.button-quiet href="/contact" { (pricing.closing.sales) }
        }))
    })
}

/// What differs first, then what each plan's card leads to, then what all plans share.
fn comparison(Pricing { comparison, cards, .. }: &Pricing, start: &str) -> Markup {
    let plans = &cards.plans;
    let most = plans.iter().map(|plan| plan.bandwidth.gigabytes()).max().unwrap_or_default();
    let bandwidth = |plan: &Plan| {
        html! { (plan.bandwidth.as_str()) (share(plan.bandwidth.gigabytes(), most)) }
    };
    let access = |plan: &Plan| {
        if plan.engineering { &comparison.direct } else { &comparison.through_support }
    };
    html! {
        table aria-labelledby="comparison-heading" {
            thead {
                tr {
                    th scope="col" { span.visually-hidden { (comparison.what) } }
                    @for plan in plans.iter() {
                        th scope="col" data-highlighted[plan.highlighted] {
                            (plan.name) " " small { (plan.price) span { " " (plan.period) } }
                        }
                    }
                }
            }
            tbody {
                (row(&cards.bandwidth, plans, bandwidth))
                (row(&cards.support, plans, |plan| &plan.support))
                (row(&comparison.engineering, plans, access))
                (row(&comparison.documentation, plans, |_| &comparison.included))
                tr {
                    td {}
                    @for plan in plans.iter() {
                        td data-highlighted[plan.highlighted] {
                            a.button.button-primary[plan.highlighted]
                                href=(plan.action.href.as_ref().map_or(start, |href| href.as_str()))
                                { (plan.action.label) }
                        }
                    }
                }
            }
            tfoot {
                tr {
                    td colspan=(plans.len() + 1) {
                        div {
                            div {
                                h3 { (cards.included_heading) }
                                ul.marked role="list" { @for item in &cards.included { li { (item) } } }
                            }
                            div { h3 { (comparison.uptime) } p { (comparison.minutes) } }
                        }
                    }
                }
            }
        }
    }
}

/// A share of the largest plan's bandwidth in ten columns of five squares, as many as the plan's card has
/// and lit from the same side; the smallest plan has one.
fn share(of: u64, most: u64) -> Markup {
    let lit = (of * 50 + most / 2).checked_div(most).unwrap_or_default().max(1);
    let columns = |squares: u64| -> String {
        (0..squares.div_ceil(5))
            .map(|column| format!("M{column}.5 0v{}", (squares - 5 * column).min(5)))
            .collect::<Vec<_>>()
            .concat()
    };
    html! {
        svg viewBox="0 0 10 5" aria-hidden="true" { path d=(columns(50)) {} path d=(columns(lit)) {} }
    }
}

/// A row with what each plan has, the highlighted one's in the colour of its column.
fn row<'a, R: Render>(what: &str, plans: &'a [Plan], of: impl Fn(&'a Plan) -> R) -> Markup {
    html! {
        tr {
            th scope="row" { (what) }
            @for plan in plans { td data-highlighted[plan.highlighted] { (of(plan)) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn a_share_is_drawn_in_whole_squares_and_has_at_least_one() {
        let lit = |of| share(of, 3000).into_string().split("<path d=").nth(2).map(str::to_owned);
        assert_eq!(lit(1).as_deref(), Some("\"M0.5 0v1\"></path></svg>"));
        assert_eq!(lit(749).as_deref(), Some("\"M0.5 0v5M1.5 0v5M2.5 0v2\"></path></svg>"));
    }
}
