//! The words of the pricing page.

use super::{Link, Meta, toml::tables, values::Plans};

tables! {
    /// The pricing page.
    Pricing {
        /// Title and tags.
        meta: Meta,
        /// The page's heading.
        heading: String,
        /// The sentence under it.
        subtitle: String,
        /// The plans.
        cards: PricingCards,
        /// The call to action under the plans.
        closing: PricingClosing,
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
        /// The plan's name.
        name: String,
        /// The price with its currency sign.
        price: String,
        /// What the price is for.
        period: String,
        /// Whom the plan is for.
        description: String,
        /// The bandwidth that is included.
        bandwidth: String,
        /// The support that is included.
        support: String,
        /// Whether the card stands out.
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
