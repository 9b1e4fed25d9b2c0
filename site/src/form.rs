//! The fields of the contact form: one table that the form, the parser, the database, the mails and
//! the exports follow.
//!
//! A new field is a variant and a row here, its words in `site.toml`, and a migration that adds its
//! column: `ALTER TABLE messages ADD COLUMN phone TEXT NOT NULL DEFAULT ''`.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    fmt,
    ops::{Index, IndexMut},
};

use serde::{Deserialize, Serialize, Serializer};
use strum::IntoStaticStr;
use ts_rs::{Config, TS, TypeVisitor};

/// A field of the contact form.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    IntoStaticStr,
    TS,
)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
pub enum ContactField {
    /// The sender's name.
    Name,
    /// The sender's e-mail address.
    Email,
    /// The sender's company.
    Company,
    /// The message.
    Message,
}

impl ContactField {
    /// The field's name, one word in lower case: in the posted form, in JSON and in the database.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The field with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|field| field.as_str() == name)
    }

    /// All fields, in the order of the form.
    pub fn all() -> [Self; FIELDS.len()] {
        FIELDS.each_ref().map(|rule| rule.name)
    }

    /// The names of all fields, in the order of the form.
    pub fn names() -> [&'static str; FIELDS.len()] {
        Self::all().map(Self::as_str)
    }

    /// The field's row of the table.
    pub fn rule(self) -> &'static FieldRule {
        &FIELDS[self as usize]
    }
}

/// What a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum FieldKind {
    /// Text without line breaks.
    Line,
    /// An e-mail address (RFC 5321).
    Email,
    /// Text of any number of lines.
    Text,
}

/// What one field of the contact form takes, and how it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FieldRule {
    /// The field.
    pub name: ContactField,
    /// What it takes.
    pub kind: FieldKind,
    /// The most characters (Unicode scalar values) that it takes.
    pub limit: usize,
    /// Whether it must be filled in.
    pub required: bool,
    /// How many lines it shows.
    pub lines: u8,
    /// What a browser may fill in (HTML, section 4.10.18.7.1: autofill detail tokens), or nothing.
    pub autofill: Option<Cow<'static, str>>,
}

/// All fields, in the order of the form and of [`ContactField`].
pub static FIELDS: [FieldRule; 4] = [
    FieldRule {
        name: ContactField::Name,
        kind: FieldKind::Line,
        limit: 100,
        required: true,
        lines: 1,
        autofill: Some(Cow::Borrowed("name")),
    },
    FieldRule {
        name: ContactField::Email,
        kind: FieldKind::Email,
        // A path has 256 octets, two of them for angle brackets (RFC 5321, section 4.5.3.1.3).
        limit: 254,
        required: true,
        lines: 1,
        autofill: Some(Cow::Borrowed("email")),
    },
    FieldRule {
        name: ContactField::Company,
        kind: FieldKind::Line,
        limit: 100,
        required: false,
        lines: 1,
        autofill: Some(Cow::Borrowed("organization")),
    },
    FieldRule {
        name: ContactField::Message,
        kind: FieldKind::Text,
        limit: 5000,
        required: true,
        lines: 6,
        autofill: None,
    },
];

/// One value for each field: in JSON an object with the fields' names as keys.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "BTreeMap<ContactField, T>")]
pub struct Fields<T>(Vec<T>);

impl<T> Fields<T> {
    /// Makes the value of each field.
    pub fn from_fn(value: impl FnMut(ContactField) -> T) -> Self {
        Self(ContactField::all().into_iter().map(value).collect())
    }

    /// Each field with its value, in the order of the form.
    pub fn iter(&self) -> impl Iterator<Item = (ContactField, &T)> {
        ContactField::all().into_iter().zip(&self.0)
    }
}

impl<T, E> Fields<Result<T, E>> {
    /// All values, or the first error.
    pub fn transpose(self) -> Result<Fields<T>, E> {
        self.0.into_iter().collect::<Result<_, E>>().map(Fields)
    }
}

impl<T: Default> Default for Fields<T> {
    fn default() -> Self {
        Self::from_fn(|_| T::default())
    }
}

impl<T> Index<ContactField> for Fields<T> {
    type Output = T;

    fn index(&self, field: ContactField) -> &T {
        &self.0[field as usize]
    }
}

impl<T> IndexMut<ContactField> for Fields<T> {
    fn index_mut(&mut self, field: ContactField) -> &mut T {
        &mut self.0[field as usize]
    }
}

impl<T> TryFrom<BTreeMap<ContactField, T>> for Fields<T> {
    type Error = String;

    fn try_from(mut values: BTreeMap<ContactField, T>) -> Result<Self, String> {
        let value =
            |field| values.remove(&field).ok_or_else(|| format!("`{}` is missing", field.as_str()));
        Fields::from_fn(value).transpose()
    }
}

impl<T: Serialize> Serialize for Fields<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<T: TS> TS for Fields<T> {
    type WithoutGenerics = Self;
    type OptionInnerType = Self;

    fn name(config: &Config) -> String {
        format!("Record<{}, {}>", ContactField::name(config), T::name(config))
    }

    fn inline(config: &Config) -> String {
        Self::name(config)
    }

    fn visit_generics(visitor: &mut impl TypeVisitor)
    where
        Self: 'static,
    {
        visitor.visit::<ContactField>();
        visitor.visit::<T>();
    }
}

/// The text of each field as a visitor typed it.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ContactDraft(pub Fields<String>);

impl ContactDraft {
    /// The texts as a form that comes back has them: as typed, but of one that is too long as much as its
    /// field takes. Each character may become ten bytes of a page of which somebody reads nothing.
    #[must_use]
    pub fn given_back(&self) -> Self {
        Self(Fields::from_fn(|field| {
            // As they are counted when they are checked.
            let (typed, limit) = (&self.0[field], field.rule().limit);
            let counted = typed.replace("\r\n", "\n");
            let counted = counted.trim();
            let fits = counted.chars().count() <= limit;
            if fits { typed.clone() } else { counted.chars().take(limit).collect() }
        }))
    }
}

/// Hides what a visitor typed: a draft in a log or a panic message would be a leak.
impl fmt::Debug for ContactDraft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ContactDraft(…)")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_str, json, to_value};

    use super::*;

    /// The type's declaration has all variants, so a field without a row is found here.
    #[test]
    fn every_field_has_its_row_in_order_and_one_name() {
        let names = FIELDS.iter().map(|rule| format!("\"{}\"", rule.name.as_str()));
        let names: Vec<_> = names.collect();
        assert_eq!(ContactField::inline(&Config::default()), names.join(" | "));
        for rule in &FIELDS {
            assert_eq!(rule.name.rule(), rule);
            assert_eq!(to_value(rule.name).unwrap(), rule.name.as_str());
            assert_eq!(ContactField::named(rule.name.as_str()), Some(rule.name));
            assert_eq!(rule.kind == FieldKind::Text, rule.lines > 1, "{}", rule.name.as_str());
        }
        assert_eq!(ContactField::named("website"), None);
    }

    #[test]
    fn rules_and_drafts_come_back_from_json() {
        let rules = serde_json::to_string(&FIELDS).unwrap();
        assert_eq!(from_str::<Vec<FieldRule>>(&rules).unwrap(), FIELDS);
        let draft = ContactDraft(Fields::from_fn(|field| field.as_str().to_uppercase()));
        let text = to_value(&draft).unwrap();
        assert_eq!(text["company"], "COMPANY");
        assert_eq!(from_str::<ContactDraft>(&text.to_string()).unwrap(), draft);
    }

    #[test]
    fn a_draft_holds_each_field_and_nothing_else() {
        let whole = to_value(ContactDraft::default()).unwrap();
        let mut short = whole.clone();
        short.as_object_mut().unwrap().remove("email");
        let error = serde_json::from_value::<ContactDraft>(short).unwrap_err();
        assert_eq!(error.to_string(), "`email` is missing");
        let mut long = whole;
        long["telex"] = json!("");
        let error = serde_json::from_value::<ContactDraft>(long).unwrap_err();
        assert!(error.to_string().contains("unknown variant `telex`"), "{error}");
    }

    #[test]
    fn a_text_comes_back_as_typed_unless_it_is_too_long() {
        let given_back = |typed: &str| {
            let draft = ContactDraft(Fields::from_fn(|_| typed.to_owned())).given_back();
            draft.0[ContactField::Message].clone()
        };
        // A browser counts an end of a line as one character, and posts two.
        let lines = "line\r\n".repeat(1000) + "  ";
        assert_eq!(given_back(&lines), lines);
        assert_eq!(given_back(&"<".repeat(80_000)), "<".repeat(5000));
    }

    #[test]
    fn a_draft_shows_nothing_of_what_was_typed() {
        let draft = ContactDraft(Fields::from_fn(|_| "secret".to_owned()));
        assert_eq!(format!("{draft:?}"), "ContactDraft(…)");
    }
}
