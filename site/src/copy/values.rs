//! The values of the content file that are more than text.

use std::{collections::HashSet, ops::Deref, str::FromStr};

use lettre::Address;
use serde::{Deserialize, Serialize};
use toml_span::{DeserError, Error, ErrorKind, Value, de_helpers::TableHelper};
use ts_rs::TS;
use url::Url;

use crate::form::{FieldKind, Fields};

use super::{FaqEntry, FieldWords, Plan, toml::refusal};

/// The destination of a link: a path of this site, or an absolute address of another one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(type = "string")]
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

impl<'de> toml_span::Deserialize<'de> for Href {
    fn deserialize(value: &mut Value<'de>) -> Result<Self, DeserError> {
        let text = value.take_string(None)?.into_owned();
        let own_path = text.starts_with('/') && !text.starts_with("//");
        let elsewhere =
            Url::parse(&text).is_ok_and(|url| url.scheme() == "https" && url.has_host());
        if own_path || elsewhere {
            return Ok(Self(text));
        }
        Err(refusal(
            value.span,
            "expected a path such as \"/pricing\" or an address that starts with https://",
        ))
    }
}

/// The site's own address: scheme and host, without a path and without a slash at the end.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(type = "string")]
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

impl<'de> toml_span::Deserialize<'de> for Origin {
    fn deserialize(value: &mut Value<'de>) -> Result<Self, DeserError> {
        let text = value.take_string(None)?.into_owned();
        let origin = Url::parse(&text).ok().map(|url| url.origin());
        if origin.is_some_and(|origin| origin.is_tuple() && origin.ascii_serialization() == text) {
            return Ok(Self(text));
        }
        Err(refusal(
            value.span,
            "expected an address without a path, such as \"https://example.com\"",
        ))
    }
}

/// An e-mail address (RFC 5321).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(type = "string")]
pub struct Email(String);

impl Email {
    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> toml_span::Deserialize<'de> for Email {
    fn deserialize(value: &mut Value<'de>) -> Result<Self, DeserError> {
        let text = value.take_string(None)?.into_owned();
        if Address::from_str(&text).is_ok() {
            return Ok(Self(text));
        }
        Err(refusal(value.span, "expected an e-mail address such as \"hello@example.com\""))
    }
}

/// A telephone number in international notation (ITU-T E.123): a plus sign, digits and spaces.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(type = "string")]
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

impl<'de> toml_span::Deserialize<'de> for Phone {
    fn deserialize(value: &mut Value<'de>) -> Result<Self, DeserError> {
        let text = value.take_string(None)?.into_owned();
        let digits = text.strip_prefix('+').unwrap_or_default();
        if !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || c == ' ') {
            return Ok(Self(text));
        }
        Err(refusal(value.span, "expected a number such as \"+1 512 555 0142\""))
    }
}

/// What a plan carries in a month, in GB or TB (of 10⁹ and 10¹² bytes).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(type = "string")]
pub struct Bandwidth(String);

impl Bandwidth {
    /// As it stands in the page.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> toml_span::Deserialize<'de> for Bandwidth {
    fn deserialize(value: &mut Value<'de>) -> Result<Self, DeserError> {
        let text = value.take_string(None)?.into_owned();
        let number = text.strip_suffix("GB").or_else(|| text.strip_suffix("TB"));
        if number.is_some_and(|number| number.parse::<u32>().is_ok()) {
            return Ok(Self(text));
        }
        Err(refusal(value.span, "expected a whole number of GB or TB, such as \"250GB\""))
    }
}

/// A word that can be part of an address: small letters, digits and hyphens.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(type = "string")]
pub struct Slug(String);

impl Slug {
    /// The word.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> toml_span::Deserialize<'de> for Slug {
    fn deserialize(value: &mut Value<'de>) -> Result<Self, DeserError> {
        let text = value.take_string(None)?.into_owned();
        if text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-') {
            return Ok(Self(text));
        }
        Err(refusal(
            value.span,
            "expected small letters, digits and hyphens, such as \"how-it-works\"",
        ))
    }
}

/// The questions, no two with the same id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FaqEntries(Vec<FaqEntry>);

impl Deref for FaqEntries {
    type Target = [FaqEntry];

    fn deref(&self) -> &[FaqEntry] {
        &self.0
    }
}

impl<'de> toml_span::Deserialize<'de> for FaqEntries {
    fn deserialize(value: &mut Value<'de>) -> Result<Self, DeserError> {
        let entries = <Vec<FaqEntry> as toml_span::Deserialize>::deserialize(value)?;
        let mut seen = HashSet::new();
        if let Some(twice) = entries.iter().find(|entry| !seen.insert(&entry.id)) {
            let twice = twice.id.as_str();
            let message = format!("expected ids that differ, found \"{twice}\" twice");
            return Err(refusal(value.span, message));
        }
        Ok(Self(entries))
    }
}

/// The plans, at most one of them highlighted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Plans(Vec<Plan>);

impl Deref for Plans {
    type Target = [Plan];

    fn deref(&self) -> &[Plan] {
        &self.0
    }
}

impl<'de> toml_span::Deserialize<'de> for Plans {
    fn deserialize(value: &mut Value<'de>) -> Result<Self, DeserError> {
        let plans = <Vec<Plan> as toml_span::Deserialize>::deserialize(value)?;
        if plans.iter().filter(|plan| plan.highlighted).count() > 1 {
            let message = "expected at most one plan with `highlighted = true`";
            return Err(refusal(value.span, message));
        }
        Ok(Self(plans))
    }
}

/// A table for each field of the form, with the sentences that the field's rule asks for.
impl<'de> toml_span::Deserialize<'de> for Fields<FieldWords> {
    fn deserialize(value: &mut Value<'de>) -> Result<Self, DeserError> {
        let mut table = TableHelper::new(value)?;
        let read = Fields::from_fn(|field| {
            let words = table.required_s::<FieldWords>(field.as_str())?;
            let rule = field.rule();
            for (name, wanted, given) in [
                ("missing", rule.required, &words.value.missing),
                ("malformed", rule.kind == FieldKind::Email, &words.value.malformed),
            ] {
                if wanted && given.is_none() {
                    table.errors.push((ErrorKind::MissingField(name), words.span).into());
                }
            }
            Ok::<_, Error>(words.value)
        });
        table.finalize(None)?;
        Ok(read.transpose()?)
    }
}
