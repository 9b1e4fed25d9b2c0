//! What is no mistake in the copy, but may not be meant.

use jiff::{Timestamp, ToSpan, civil::Date, tz::TimeZone};

use crate::copy::SiteCopy;

use super::PAGES;

/// Signs of currencies. In one that is not here, such as CAD, a price may have any of them.
const SIGNS: [(&str, char); 5] =
    [("USD", '$'), ("EUR", '€'), ("GBP", '£'), ("JPY", '¥'), ("INR", '₹')];

/// What an owner should look at, each with its field.
#[expect(clippy::disallowed_methods, reason = "a day more or less says the same")]
pub fn hints(copy: &SiteCopy) -> Vec<String> {
    let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
    renewal(copy, today).into_iter().chain(ahead(copy, today)).chain(signs(copy)).collect()
}

/// security.txt should hold for a month at least, and for a year at most (RFC 9116, section 2.5.5).
fn renewal(copy: &SiteCopy, today: Date) -> Option<String> {
    let expires = copy.site.security_expires.date();
    (!(today + 30.days()..=today + 1.year()).contains(&expires)).then(|| {
        format!(
            "site.security_expires = \"{expires}\": set another day; security.txt should hold for a month \
             at least, and for a year at most"
        )
    })
}

/// A page can't have changed on a day to come. Today is a day ahead where it is tomorrow already.
fn ahead(copy: &SiteCopy, today: Date) -> impl Iterator<Item = String> {
    PAGES.iter().filter(|page| page.listed).filter_map(move |page| {
        let updated = (page.meta)(copy).updated?.date();
        (updated > today + 1.day()).then(|| {
            let name = page.name;
            format!(
                "{name}.meta.updated = \"{updated}\": set another day; this one is still to come"
            )
        })
    })
}

/// Prices with the sign of another currency than search engines are told.
fn signs(copy: &SiteCopy) -> impl Iterator<Item = String> {
    let currency = copy.pricing.currency.as_str();
    let own = SIGNS.iter().find(|(name, _)| *name == currency).map(|(_, sign)| *sign);
    copy.pricing.cards.plans.iter().filter_map(move |plan| {
        let own = own?;
        let other = |c: char| c != own && SIGNS.iter().any(|(_, sign)| *sign == c);
        plan.price.contains(other).then(|| {
            let (id, price) = (plan.id.as_str(), &plan.price);
            format!(
                "pricing.cards.plans.{id}.price = \"{price}\": write {own}, or set another currency than \
                 \"{currency}\""
            )
        })
    })
}
