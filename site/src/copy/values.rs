//! The values of the content file that are more than text.

use std::{collections::BTreeMap, fmt, str::FromStr};

use jiff::civil::Date;
use lettre::Address;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use toml_span::{DeserError, Error, ErrorKind, Value, de_helpers::TableHelper};
use ts_rs::TS;
use url::Url;

use crate::form::{FIELDS, FieldKind, Fields};

use super::{FieldWords, toml::refusal};

/// The destination of a link: a path of this site, or an absolute address of another one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[ts(type = "string")]
#[schemars(extend("pattern" = r"^(/([^/].*)?|https://.+)$"))]
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
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[ts(type = "string")]
#[schemars(extend("pattern" = r"^https?://[^/]+$"))]
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
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[ts(type = "string")]
#[schemars(extend("pattern" = r"^[^@]+@[^@]+$"))]
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
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[ts(type = "string")]
#[schemars(extend("pattern" = r"^\+[0-9 ]+$"))]
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
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[ts(type = "string")]
#[schemars(extend("pattern" = r"^[0-9]+(GB|TB)$"))]
pub struct Bandwidth(String);

impl Bandwidth {
    /// As it stands in the page.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same as a number of gigabytes.
    pub fn gigabytes(&self) -> u64 {
        let (number, unit) = self.0.split_at(self.0.len() - "GB".len());
        number.parse::<u64>().unwrap_or_default() * if unit == "TB" { 1000 } else { 1 }
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

/// A language, and perhaps its script and where it is spoken, such as `en`, `en-US` or `zh-Hant-TW`
/// (RFC 5646, section 2.1, without what pages hardly need: variants and extensions).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(type = "string")]
#[schemars(extend("pattern" = r"^[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Z]{2}|[0-9]{3}))?$"))]
pub struct Language(String);

impl Language {
    /// The whole tag.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The language alone.
    pub fn primary(&self) -> &str {
        self.0.split('-').next().unwrap_or_default()
    }

    /// Language and region as the Open Graph protocol has them, such as `en_US`; nothing where the copy
    /// names no region.
    pub fn open_graph(&self) -> Option<String> {
        let region = self.0.split('-').skip(1).find(|part| is_region(part))?;
        Some(format!("{}_{region}", self.primary()))
    }
}

fn is_region(part: &str) -> bool {
    let letters = part.len() == 2 && part.chars().all(|c| c.is_ascii_uppercase());
    letters || (part.len() == 3 && part.chars().all(|c| c.is_ascii_digit()))
}

impl<'de> toml_span::Deserialize<'de> for Language {
    fn deserialize(value: &mut Value<'de>) -> Result<Self, DeserError> {
        let text = value.take_string(None)?.into_owned();
        let mut parts = text.split('-').peekable();
        let is_language = |part: &str| {
            (2..=3).contains(&part.len()) && part.chars().all(|c| c.is_ascii_lowercase())
        };
        let is_script =
            |part: &&str| part.len() == 4 && part.chars().all(|c| c.is_ascii_alphabetic());
        let language = parts.next().is_some_and(is_language);
        parts.next_if(is_script);
        parts.next_if(|part| is_region(part));
        if language && parts.next().is_none() {
            return Ok(Self(text));
        }
        Err(refusal(value.span, "expected a language tag such as \"en\" or \"en-US\""))
    }
}

/// A currency by its three letters (ISO 4217).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(type = "string")]
#[schemars(extend("pattern" = r"^[A-Z]{3}$"))]
pub struct Currency(String);

impl Currency {
    /// The three letters.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> toml_span::Deserialize<'de> for Currency {
    fn deserialize(value: &mut Value<'de>) -> Result<Self, DeserError> {
        let text = value.take_string(None)?.into_owned();
        if text.len() == 3 && text.chars().all(|c| c.is_ascii_uppercase()) {
            return Ok(Self(text));
        }
        Err(refusal(value.span, "expected the three letters of a currency, such as \"USD\""))
    }
}

/// A day of the calendar, such as `2026-05-01`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(type = "string")]
#[schemars(extend("pattern" = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"))]
pub struct Day(#[schemars(with = "String")] Date);

impl Day {
    /// The day by itself.
    pub fn date(self) -> Date {
        self.0
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'de> toml_span::Deserialize<'de> for Day {
    fn deserialize(value: &mut Value<'de>) -> Result<Self, DeserError> {
        let text = value.take_string(None)?;
        let refused = |_| refusal(value.span, "expected a day such as \"2026-05-01\"");
        Date::from_str(&text).map(Self).map_err(refused)
    }
}

/// A word that can be part of an address: small letters, digits and hyphens.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[ts(type = "string")]
#[schemars(extend("pattern" = r"^[a-z0-9-]+$"))]
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

impl JsonSchema for Fields<FieldWords> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "FieldsOfTheForm".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let words = generator.subschema_for::<FieldWords>();
        let names = FIELDS.each_ref().map(|rule| rule.name.as_str());
        let properties: BTreeMap<_, _> = names.iter().map(|name| (*name, &words)).collect();
        json_schema!({
            "type": "object",
            "properties": properties,
            "required": names,
            "additionalProperties": false,
        })
    }
}
