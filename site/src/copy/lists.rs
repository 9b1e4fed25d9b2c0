//! The lists of the content file whose elements must fit together.

use std::ops::Deref;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml_span::{DeserError, Error, Span, Value};
use ts_rs::TS;

use super::{FaqEntry, Plan, Slug, toml::error};

/// The ids of the home page's other parts and drawings, which no question may have.
pub const HOME_IDS: [&str; 14] = [
    "main",
    "nav-bar-menu",
    "features",
    "features-heading",
    "room",
    "mission-heading",
    "faq",
    "faq-heading",
    "closing-heading",
    "bank",
    "blocks",
    "wall",
    "house",
    "city",
];

/// The questions, no two with the same id, and none with that of another part of their page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct FaqEntries(Vec<FaqEntry>);

impl Deref for FaqEntries {
    type Target = [FaqEntry];

    fn deref(&self) -> &[FaqEntry] {
        &self.0
    }
}

impl<'de> toml_span::Deserialize<'de> for FaqEntries {
    fn deserialize(value: &mut Value<'de>) -> Result<Self, DeserError> {
        let ids = places(value, "id", |_| true);
        let entries = <Vec<FaqEntry> as toml_span::Deserialize>::deserialize(value)?;
        none_twice(&ids, entries.iter().map(|entry| &entry.id), "question")?;
        let taken =
            ids.iter().zip(&entries).filter(|(_, entry)| HOME_IDS.contains(&entry.id.as_str()));
        none_of(taken.map(|(span, FaqEntry { id, .. })| {
            let id = id.as_str();
            error(
                *span,
                format!("expected an id that nothing else on the page has, found \"{id}\""),
            )
        }))?;
        Ok(Self(entries))
    }
}

/// The plans, at most one of them highlighted, no two with the same id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Plans(Vec<Plan>);

impl Plans {
    /// The same plans, the one with the least bandwidth first.
    #[must_use]
    pub fn smallest_first(&self) -> Self {
        let mut plans = self.0.clone();
        plans.sort_by_key(|plan| plan.bandwidth.gigabytes());
        Self(plans)
    }
}

impl Deref for Plans {
    type Target = [Plan];

    fn deref(&self) -> &[Plan] {
        &self.0
    }
}

impl<'de> toml_span::Deserialize<'de> for Plans {
    fn deserialize(value: &mut Value<'de>) -> Result<Self, DeserError> {
        let ids = places(value, "id", |_| true);
        let flags = places(value, "highlighted", |flag| flag.as_bool() == Some(true));
        let plans = <Vec<Plan> as toml_span::Deserialize>::deserialize(value)?;
        let several = flags.iter().filter(|_| flags.len() > 1);
        let message = "expected at most one plan with `highlighted = true`";
        none_of(several.map(|span| error(*span, message)))?;
        none_twice(&ids, plans.iter().map(|plan| &plan.id), "plan")?;
        Ok(Self(plans))
    }
}

/// Refuses each id that several elements of a list have.
fn none_twice<'a>(
    places: &[Span],
    ids: impl Iterator<Item = &'a Slug> + Clone,
    what: &str,
) -> Result<(), DeserError> {
    let again = |id: &Slug| ids.clone().filter(|other| *other == id).count() > 1;
    let repeated = places.iter().zip(ids.clone()).filter(|(_, id)| again(id));
    none_of(repeated.map(|(span, id)| {
        let id = id.as_str();
        error(*span, format!("expected an id that no other {what} has, found \"{id}\" again"))
    }))
}

/// Where this field stands in each table of a list that has it, and has it so.
fn places(list: &Value<'_>, field: &str, so: fn(&Value<'_>) -> bool) -> Vec<Span> {
    let tables = list.as_array().into_iter().flatten().filter_map(Value::as_table);
    let values = tables.filter_map(|table| table.get(field)).filter(|value| so(value));
    values.map(|value| value.span).collect()
}

/// Nothing, unless there are errors.
fn none_of(errors: impl Iterator<Item = Error>) -> Result<(), DeserError> {
    let errors: Vec<_> = errors.collect();
    if errors.is_empty() { Ok(()) } else { Err(DeserError { errors }) }
}
