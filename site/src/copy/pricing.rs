//! The words of the pricing page.

use super::{
    Link, Meta,
    lists::Plans,
    toml::tables,
    values::{Bandwidth, Currency, Slug},
};

tables! {
    /// The pricing page.
    Pricing {
        /// Title and tags.
        meta: Meta,
        /// The page's heading.
        heading: String,
        /// The sentence under it.
        subtitle: String,
        /// The currency of the prices, for search engines.
        currency: Currency,
        /// The plans.
        cards: PricingCards,
        /// What differs and what all plans share, in a table.
        comparison: PricingComparison,
        /// Which plan carries how much.
        estimate: EstimateCopy,
        /// The call to action under the plans.
        closing: PricingClosing,
    }

    /// The plans beside one another; their names, bandwidth and support are those of the cards.
    PricingComparison {
        /// Stands over the table.
        heading: String,
        /// Names the column of what is compared, for screen readers.
        what: String,
        /// Names the access to the engineers.
        engineering: String,
        /// Of a plan whose customers reach them directly.
        direct: String,
        /// Of the other plans.
        through_support: String,
        /// Names documentation and guides.
        documentation: String,
        /// That each plan has them.
        included: String,
        /// Names the uptime.
        uptime: String,
        /// What the guarantee means in minutes.
        minutes: String,
    }

    /// Which plan carries how much: an estimate of a game's traffic, and a table without scripts.
    EstimateCopy {
        /// Stands over the estimate.
        heading: String,
        /// The sentence under it.
        intro: String,
        /// Names the players who are online on average.
        players: String,
        /// Names the kilobytes in each second of one player, in both directions.
        rate: String,
        /// Names the hours of each day.
        hours: String,
        /// Stands at a figure that is none, with the `{most}` that it may be.
        mistake: String,
        /// The result, with `{gigabytes}`.
        month: String,
        /// The plan that carries it, with `{plan}` and the `{share}` of its `{bandwidth}`, in hundredths.
        fits: String,
        /// Where no plan does, with `{bandwidth}` of the largest.
        beyond: String,
        /// Leads to the contact page then.
        talk: String,
        /// Leads to the card of the `{plan}` that fits.
        see: String,
        /// How it is computed, and that it is no quote.
        note: String,
        /// Stands over the table.
        table: String,
        /// What the table counts, and why a plan carries more or less of it.
        player_hour: String,
        /// How many of them the `{players}` take, who are there `{hours}` of each day.
        sum: String,
        /// Their `{total}`.
        total: String,
        /// How many `{hours}` of the `{rate}` the `{plan}` carries that fits.
        carries: String,
        /// Names the column of the rates.
        rate_heading: String,
        /// Names the row of the rate that the visitor gave, beside that rate.
        yours: String,
    }

    /// The plans and what is said about all of them.
    PricingCards {
        /// Names the bandwidth.
        bandwidth: String,
        /// Names the support.
        support: String,
        /// Stands over what all plans include.
        included_heading: String,
        /// What all plans include.
        included: Vec<String>,
        /// The plans, in order.
        plans: Plans,
    }

    /// One plan.
    Plan {
        /// Names the plan where other texts refer to it; unlike its name it stays.
        id: Slug,
        /// The plan's name.
        name: String,
        /// The price with its currency sign.
        price: String,
        /// What the price is for.
        period: String,
        /// Whom the plan is for.
        description: String,
        /// The bandwidth that is included.
        bandwidth: Bandwidth,
        /// The support that is included.
        support: String,
        /// Whether its customers reach the engineers directly.
        #[schemars(default)]
        engineering: bool [off],
        /// Whether the card stands out.
        #[schemars(default)]
        highlighted: bool [off],
        /// The card's button; without a destination it leads to where one signs up.
        action: Link,
    }

    /// The call to action under the plans.
    PricingClosing {
        /// The heading.
        heading: String,
        /// The sentence under it.
        text: String,
        /// The button to where one signs up.
        start: String,
        /// The link to the contact page.
        sales: String,
    }
}
