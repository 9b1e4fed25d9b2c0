//! What a page says about itself to machines: JSON-LD in the vocabulary of schema.org. It repeats what
//! visitors read, and nothing else.

use serde::Serialize;

use crate::copy::{FaqEntry, Plan, SiteCopy};

/// A thing with the vocabulary that its words are of.
#[derive(Serialize)]
pub struct LinkedData {
    #[serde(rename = "@context")]
    context: &'static str,
    #[serde(flatten)]
    thing: Thing,
}

impl From<Thing> for LinkedData {
    fn from(thing: Thing) -> Self {
        Self { context: "https://schema.org", thing }
    }
}

/// Types and properties of <https://schema.org>, by their own names.
#[derive(Serialize)]
#[serde(tag = "@type", rename_all_fields = "camelCase")]
enum Thing {
    WebSite {
        name: String,
        url: String,
        publisher: Box<Self>,
    },
    Organization {
        name: String,
        url: String,
        logo: String,
        #[serde(flatten)]
        reach: Option<Reach>,
    },
    ContactPoint {
        email: String,
        telephone: String,
    },
    #[serde(rename = "FAQPage")]
    FaqPage {
        is_part_of: Box<Self>,
        main_entity: Vec<Self>,
    },
    Question {
        name: String,
        accepted_answer: Box<Self>,
    },
    Answer {
        text: String,
    },
    WebPage {
        name: String,
        breadcrumb: Box<Self>,
        #[serde(skip_serializing_if = "Option::is_none")]
        main_entity: Option<Box<Self>>,
    },
    ContactPage {
        name: String,
        breadcrumb: Box<Self>,
        main_entity: Box<Self>,
    },
    BreadcrumbList {
        item_list_element: Vec<Self>,
    },
    ListItem {
        position: usize,
        name: String,
        item: String,
    },
    Product {
        name: String,
        description: String,
        offers: Vec<Self>,
    },
    Offer {
        name: String,
        description: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        price_specification: Option<Box<Self>>,
    },
    UnitPriceSpecification {
        price: String,
        price_currency: String,
        unit_text: String,
    },
}

/// Where an organization can be reached.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Reach {
    address: String,
    contact_point: Box<Thing>,
}

/// The questions that the page answers, the site that it is part of, and who publishes that.
pub(super) fn home(copy: &SiteCopy) -> LinkedData {
    let site = Thing::WebSite {
        name: copy.site.name.clone(),
        url: copy.site.address.join("/"),
        publisher: Box::new(organization(copy, None)),
    };
    let questions = copy.home.faq.entries.iter().map(question);
    Thing::FaqPage { is_part_of: Box::new(site), main_entity: questions.collect() }.into()
}

/// The product with an offer for each plan.
pub(super) fn pricing(copy: &SiteCopy) -> LinkedData {
    let plans = copy.pricing.cards.plans.iter();
    let product = Thing::Product {
        name: copy.site.name.clone(),
        description: copy.footer.tagline.clone(),
        offers: plans.map(|plan| offer(plan, copy.pricing.currency.as_str())).collect(),
    };
    Thing::WebPage {
        name: copy.pricing.heading.clone(),
        breadcrumb: Box::new(trail(copy, &copy.navigation.pricing, "/pricing")),
        main_entity: Some(Box::new(product)),
    }
    .into()
}

/// Who can be reached, and how.
pub(super) fn contact(copy: &SiteCopy) -> LinkedData {
    let office = &copy.contact.office;
    let reach = Reach {
        address: office.city.clone(),
        contact_point: Box::new(Thing::ContactPoint {
            email: office.email.as_str().to_owned(),
            telephone: office.phone.as_str().to_owned(),
        }),
    };
    Thing::ContactPage {
        name: copy.contact.heading.clone(),
        breadcrumb: Box::new(trail(copy, &copy.navigation.contact, "/contact")),
        main_entity: Box::new(organization(copy, Some(reach))),
    }
    .into()
}

/// The way to the page about privacy.
pub(super) fn privacy(copy: &SiteCopy) -> LinkedData {
    Thing::WebPage {
        name: copy.privacy.heading.clone(),
        breadcrumb: Box::new(trail(copy, &copy.footer.privacy, "/privacy")),
        main_entity: None,
    }
    .into()
}

fn organization(copy: &SiteCopy, reach: Option<Reach>) -> Thing {
    Thing::Organization {
        name: copy.site.name.clone(),
        url: copy.site.address.join("/"),
        logo: copy.site.address.join("/icon-512.png"),
        reach,
    }
}

fn question(entry: &FaqEntry) -> Thing {
    let answer = Thing::Answer { text: entry.answer.join("\n") };
    Thing::Question { name: entry.question.clone(), accepted_answer: Box::new(answer) }
}

/// A plan; one without a number for a price, such as "Custom", has no price for machines either.
fn offer(plan: &Plan, currency: &str) -> Thing {
    let specification = amount(&plan.price).map(|price| Thing::UnitPriceSpecification {
        price,
        price_currency: currency.to_owned(),
        unit_text: plan.period.clone(),
    });
    Thing::Offer {
        name: plan.name.clone(),
        description: plan.description.clone(),
        price_specification: specification.map(Box::new),
    }
}

/// The amount that a price names, with a dot before its cents, be it written like `$1,500.00` or like
/// `1.500,00 €`; three digits after a mark are thousands. Nothing where it might be another amount.
fn amount(price: &str) -> Option<String> {
    let is_digit = |c: char| c.is_ascii_digit();
    let (before, rest) = price.split_at(price.find(is_digit)?);
    let (number, after) = rest.split_at(rest.rfind(is_digit)? + 1);
    // A single letter, as in `$1.5k`, may stand for thousands; more are a currency.
    let mut letters = after.chars().take_while(|letter| letter.is_alphabetic());
    let multiplies = letters.next().is_some_and(|it| it.is_ascii()) && letters.next().is_none();
    if before.ends_with(['.', ',']) || multiplies {
        return None;
    }
    let (whole, cents) = match number.rsplit_once(['.', ',']) {
        Some((whole, cents)) if cents.len() < 3 => (whole, cents),
        _ => (number, ""),
    };
    let groups: Vec<_> =
        whole.split(['.', ',', ' ', '\u{a0}', '\u{202f}', '\'', '\u{2019}']).collect();
    let (first, others) = groups.split_first()?;
    let thousands = others.iter().all(|group| group.len() == 3)
        && (others.is_empty() || (first.len() <= 3 && !first.starts_with('0')));
    let digits = groups.concat();
    if !thousands
        || digits.is_empty()
        || !(digits.chars().all(is_digit) && cents.chars().all(is_digit))
    {
        return None;
    }
    Some(if cents.is_empty() { digits } else { format!("{digits}.{cents}") })
}

/// From the home page to the page at this path.
fn trail(copy: &SiteCopy, name: &str, path: &str) -> Thing {
    let steps = [(copy.site.name.as_str(), "/"), (name, path)].into_iter().enumerate();
    let item = |(index, (name, path)): (usize, (&str, &str))| Thing::ListItem {
        position: index + 1,
        name: name.to_owned(),
        item: copy.site.address.join(path),
    };
    Thing::BreadcrumbList { item_list_element: steps.map(item).collect() }
}

#[cfg(test)]
mod tests {
    use super::amount;

    #[test]
    fn a_price_is_the_same_amount_however_it_is_written() {
        for (price, wanted) in [
            ("$15", "15"),
            ("9,99 €", "9.99"),
            ("$9.99", "9.99"),
            ("$1,500", "1500"),
            ("1.500,00 €", "1500.00"),
            ("1\u{202f}500 €", "1500"),
            ("CHF 1\u{2019}500.50", "1500.50"),
            ("from 20 $", "20"),
            ("15 kr", "15"),
            ("15€", "15"),
            ("50zł", "50"),
            ("1,500円", "1500"),
        ] {
            assert_eq!(amount(price).as_deref(), Some(wanted), "{price}");
        }
    }

    #[test]
    fn a_price_that_is_no_amount_or_might_be_two_is_none() {
        for price in
            ["Custom", "", "$.99", "$10 to $20", "0.125 €", "1234,567", "$5/10", "10-20", "$1.5k"]
        {
            assert_eq!(amount(price), None, "{price}");
        }
    }
}
