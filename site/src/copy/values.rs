//! The values of the content file that are more than text.

use std::{collections::BTreeMap, fmt, ops::RangeInclusive, str::FromStr};

use jiff::civil::Date;
use lettre::Address;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use toml_span::{DeserError, Error, ErrorKind, Value, de_helpers::TableHelper};
use ts_rs::TS;
use url::Url;

use crate::form::{ContactField, FieldKind, Fields};

use super::{FieldWords, toml::refusal};

/// Texts of the content file that are refused unless they are what their names say. The pattern tells
/// an editor nearly the same.
macro_rules! texts {
    ($($(#[$about:meta])* $name:ident($pattern:literal, $is:path), $wanted:literal;)+) => {$(
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
        #[ts(type = "string")]
        #[schemars(extend("pattern" = $pattern))]
        pub struct $name(String);

        impl $name {
            /// The text as it stands in the content file.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl<'de> toml_span::Deserialize<'de> for $name {
            fn deserialize(value: &mut Value<'de>) -> Result<Self, DeserError> {
                let text = value.take_string(None)?.into_owned();
                if $is(&text) { Ok(Self(text)) } else { Err(refusal(value.span, $wanted)) }
            }
        }
    )+};
}

texts! {
    /// The destination of a link: a path of this site, or an absolute address of another one.
    Href(r"^(/([^/].*)?|https://.+)$", is_href),
    "expected a path such as \"/pricing\" or an address that starts with https://";

    /// The site's own address: scheme and host, without a path and without a slash at the end.
    Origin(r"^https?://[^/]+$", is_origin),
    "expected an address without a path, such as \"https://example.com\"";

    /// An e-mail address (RFC 5321).
    Email(r"^[^@]+@[^@]+$", is_email),
    "expected an e-mail address such as \"hello@example.com\"";

    /// A telephone number in international notation (ITU-T E.123): a plus sign, digits and spaces.
    Phone(r"^\+[0-9 ]+$", is_phone),
    "expected a number such as \"+1 512 555 0142\"";

    /// What a plan carries in a month, in GB or TB (of 10⁹ and 10¹² bytes).
    Bandwidth(r"^[1-9][0-9]*(GB|TB)$", is_bandwidth),
    "expected a whole number of GB or TB, such as \"250GB\"";

    /// A language, and perhaps its script and where it is spoken, such as `en`, `en-US` or `zh-Hant-TW`
    /// (RFC 5646, section 2.1, without what pages hardly need: variants and extensions).
    Language(r"^[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Z]{2}|[0-9]{3}))?$", is_language),
    "expected a language tag such as \"en\" or \"en-US\"";

    /// A currency by its three letters (ISO 4217).
    Currency(r"^[A-Z]{3}$", is_currency),
    "expected the three letters of a currency, such as \"USD\"";

    /// A word that can be part of an address: small letters, digits and hyphens.
    Slug(r"^[a-z0-9-]+$", is_slug),
    "expected small letters, digits and hyphens, such as \"how-it-works\"";
}

impl Href {
    /// Whether it leads away from this site.
    pub fn is_external(&self) -> bool {
        !self.0.starts_with('/')
    }
}

fn is_href(text: &str) -> bool {
    let own_path = text.starts_with('/') && !text.starts_with("//");
    own_path || Url::parse(text).is_ok_and(|url| url.scheme() == "https" && url.has_host())
}

impl Origin {
    /// The absolute address of a path that starts with a slash.
    pub fn join(&self, path: &str) -> String {
        format!("{}{path}", self.0)
    }

    /// The host without scheme and port; an IPv6 address in its brackets.
    pub fn host(&self) -> &str {
        let host = self.0.split_once("://").map_or(self.0.as_str(), |(_, host)| host);
        let port = |rest: &str| rest.chars().all(|c| c.is_ascii_digit());
        host.rsplit_once(':').filter(|(_, rest)| port(rest)).map_or(host, |(host, _)| host)
    }
}

fn is_origin(text: &str) -> bool {
    let origin = Url::parse(text).ok().map(|url| url.origin());
    origin.is_some_and(|origin| origin.is_tuple() && origin.ascii_serialization() == text)
}

fn is_email(text: &str) -> bool {
    Address::from_str(text).is_ok()
}

impl Phone {
    /// The number as a `tel:` link wants it (RFC 3966).
    pub fn href(&self) -> String {
        format!("tel:{}", self.0.replace(' ', "-"))
    }
}

fn is_phone(text: &str) -> bool {
    let digits = text.strip_prefix('+').unwrap_or_default();
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || c == ' ')
}

impl Bandwidth {
    /// The same as a number of gigabytes.
    pub fn gigabytes(&self) -> u64 {
        let (number, unit) = self.0.split_at(self.0.len() - "GB".len());
        number.parse::<u64>().unwrap_or_default() * if unit == "TB" { 1000 } else { 1 }
    }
}

fn is_bandwidth(text: &str) -> bool {
    let number = text.strip_suffix("GB").or_else(|| text.strip_suffix("TB"));
    number.is_some_and(|number| {
        number.starts_with(|c: char| matches!(c, '1'..='9')) && number.parse::<u32>().is_ok()
    })
}

impl Language {
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

fn is_language(text: &str) -> bool {
    let mut parts = text.split('-').peekable();
    let is_primary =
        |part: &str| (2..=3).contains(&part.len()) && part.chars().all(|c| c.is_ascii_lowercase());
    let is_script = |part: &&str| part.len() == 4 && part.chars().all(|c| c.is_ascii_alphabetic());
    let primary = parts.next().is_some_and(is_primary);
    parts.next_if(is_script);
    parts.next_if(|part| is_region(part));
    primary && parts.next().is_none()
}

fn is_region(part: &str) -> bool {
    let letters = part.len() == 2 && part.chars().all(|c| c.is_ascii_uppercase());
    letters || (part.len() == 3 && part.chars().all(|c| c.is_ascii_digit()))
}

fn is_currency(text: &str) -> bool {
    text.len() == 3 && text.chars().all(|c| c.is_ascii_uppercase())
}

fn is_slug(text: &str) -> bool {
    let is_fit = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !text.is_empty() && text.chars().all(is_fit)
}

/// The years of a site; another one is a slip of the pen.
const YEARS: RangeInclusive<i16> = 2000..=2100;

/// A year, such as `2026`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(type = "number")]
pub struct Year(#[schemars(range(min = *YEARS.start(), max = *YEARS.end()))] i16);

impl fmt::Display for Year {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'de> toml_span::Deserialize<'de> for Year {
    fn deserialize(value: &mut Value<'de>) -> Result<Self, DeserError> {
        let year = value.as_integer().and_then(|year| i16::try_from(year).ok());
        let year = year.filter(|year| YEARS.contains(year)).map(Self);
        year.ok_or_else(|| {
            refusal(value.span, "expected a year such as 2026, without quotation marks")
        })
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
        let day = Date::from_str(&text).ok().filter(|day| YEARS.contains(&day.year()));
        day.map(Self).ok_or_else(|| refusal(value.span, "expected a day such as \"2026-05-01\""))
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
        let names = ContactField::names();
        let properties: BTreeMap<_, _> = names.iter().map(|name| (*name, &words)).collect();
        json_schema!({
            "type": "object",
            "properties": properties,
            "required": names,
            "additionalProperties": false,
        })
    }
}
