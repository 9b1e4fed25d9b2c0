//! The values of the content file that are more than text.

use std::{collections::HashSet, str::FromStr};

use lettre::Address;
use toml_span::Value;
use url::Url;

use super::{
    FaqItem, PlanItem,
    reader::{Read, Reader},
};

/// The destination of a link: a path of this site, or an absolute address of another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Href(String);

impl Href {
    /// The destination as it stands in the page.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it leads away from this site.
    pub fn is_external(&self) -> bool {
        !self.0.starts_with('/')
    }
}

impl Read for Href {
    fn read(value: &mut Value<'_>, reader: &mut Reader) -> Option<Self> {
        let text = String::read(value, reader)?;
        let own_path = text.starts_with('/') && !text.starts_with("//");
        let elsewhere =
            Url::parse(&text).is_ok_and(|url| url.scheme() == "https" && url.has_host());
        if own_path || elsewhere {
            return Some(Self(text));
        }
        reader.refuse(
            value.span,
            "expected a path such as \"/pricing\" or an address that starts with https://",
        )
    }
}

/// The site's own address: scheme and host, without a path and without a slash at the end.
#[derive(Clone, Debug)]
pub struct Origin(String);

impl Origin {
    /// The absolute address of a path that starts with a slash.
    pub fn join(&self, path: &str) -> String {
        format!("{}{path}", self.0)
    }

    /// The address itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The host without scheme and port.
    pub fn host(&self) -> &str {
        let host = self.0.split_once("://").map_or(self.0.as_str(), |(_, host)| host);
        host.split(':').next().unwrap_or(host)
    }
}

impl Read for Origin {
    fn read(value: &mut Value<'_>, reader: &mut Reader) -> Option<Self> {
        let text = String::read(value, reader)?;
        let origin = Url::parse(&text).ok().map(|url| url.origin());
        if origin.is_some_and(|origin| origin.is_tuple() && origin.ascii_serialization() == text) {
            return Some(Self(text));
        }
        reader.refuse(
            value.span,
            "expected an address without a path, such as \"https://example.com\"",
        )
    }
}

/// An e-mail address (RFC 5321).
#[derive(Clone, Debug)]
pub struct Email(String);

impl Email {
    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Read for Email {
    fn read(value: &mut Value<'_>, reader: &mut Reader) -> Option<Self> {
        let text = String::read(value, reader)?;
        if Address::from_str(&text).is_ok() {
            return Some(Self(text));
        }
        reader.refuse(value.span, "expected an e-mail address such as \"hello@example.com\"")
    }
}

/// A telephone number in international notation (ITU-T E.123): a plus sign, digits and spaces.
#[derive(Clone, Debug)]
pub struct Phone(String);

impl Phone {
    /// The number as people read it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The number as a `tel:` link wants it (RFC 3966).
    pub fn href(&self) -> String {
        format!("tel:{}", self.0.replace(' ', "-"))
    }
}

impl Read for Phone {
    fn read(value: &mut Value<'_>, reader: &mut Reader) -> Option<Self> {
        let text = String::read(value, reader)?;
        let digits = text.strip_prefix('+').unwrap_or_default();
        if !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || c == ' ') {
            return Some(Self(text));
        }
        reader.refuse(value.span, "expected a number such as \"+1 512 555 0142\"")
    }
}

/// A word that can be part of an address: small letters, digits and hyphens.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Slug(String);

impl Slug {
    /// The word.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Read for Slug {
    fn read(value: &mut Value<'_>, reader: &mut Reader) -> Option<Self> {
        let text = String::read(value, reader)?;
        if text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-') {
            return Some(Self(text));
        }
        reader.refuse(
            value.span,
            "expected small letters, digits and hyphens, such as \"how-it-works\"",
        )
    }
}

/// The questions, no two with the same id.
#[derive(Clone, Debug)]
pub struct FaqItems(pub Vec<FaqItem>);

impl Read for FaqItems {
    fn read(value: &mut Value<'_>, reader: &mut Reader) -> Option<Self> {
        let items = Vec::<FaqItem>::read(value, reader)?;
        let mut seen = HashSet::new();
        if let Some(twice) = items.iter().find(|item| !seen.insert(&item.id)) {
            let message =
                format!("expected ids that differ, found \"{}\" twice", twice.id.as_str());
            return reader.refuse(value.span, message);
        }
        Some(Self(items))
    }
}

/// The plans, at most one of them highlighted.
#[derive(Clone, Debug)]
pub struct PlanItems(pub Vec<PlanItem>);

impl Read for PlanItems {
    fn read(value: &mut Value<'_>, reader: &mut Reader) -> Option<Self> {
        let plans = Vec::<PlanItem>::read(value, reader)?;
        if plans.iter().filter(|plan| plan.highlighted).count() > 1 {
            return reader
                .refuse(value.span, "expected at most one plan with `highlighted = true`");
        }
        Some(Self(plans))
    }
}
