//! Texts that have to fit: into one line, or with each of their words into a narrow window. Measured in
//! Chromium with letters of the usual mixture, from 320 px on; beyond these lengths a line breaks that
//! should not, or a word is cut off.

use toml_span::{Error, Value, value::ValueInner};

use super::toml::error;

/// The field that is set in the largest type.
const PRICE: &str = "pricing.cards.plans.*.price";

/// Fields, a `*` for any name or element of a list, each with the most characters (Unicode scalar values)
/// that fit into its line.
const LINES: [(&str, usize); 16] = [
    ("site.name", 20),
    ("navigation.pricing", 11),
    ("navigation.contact", 11),
    ("navigation.documentation", 11),
    ("navigation.dashboard", 11),
    ("home.hero.action", 22),
    ("home.hero.secondary", 22),
    ("home.faq.entries.*.gist", 28),
    ("home.closing.action", 22),
    ("pricing.cards.plans.*.name", 21),
    (PRICE, 7),
    ("pricing.cards.plans.*.action.label", 18),
    ("pricing.closing.start", 22),
    ("pricing.closing.sales", 22),
    ("contact.form.submit", 18),
    ("contact.form.sending", 18),
];

/// The same for texts that may have several lines: the most characters of a word.
const WORDS: [(&str, usize); 4] = [
    ("home.hero.headline", 13),
    ("home.faq.entries.*.question", 25),
    ("footer.columns.*.heading", 16),
    ("footer.columns.*.links.*.label", 16),
];

/// Every text that is longer than its place.
pub(super) fn too_long(document: &Value<'_>) -> Vec<Error> {
    let mut errors = Vec::new();
    look(document, &mut Vec::new(), &mut errors);
    errors
}

fn look(value: &Value<'_>, path: &mut Vec<String>, errors: &mut Vec<Error>) {
    match value.as_ref() {
        ValueInner::String(text) => {
            let limit = |table: &[(&str, usize)]| {
                table.iter().find(|(field, _)| is_at(field, path)).map(|(_, limit)| *limit)
            };
            let length = text.chars().count();
            if let Some(limit) = limit(&LINES).filter(|limit| length > *limit) {
                let advice = if is_at(PRICE, path) && !text.contains(|c: char| c.is_ascii_digit()) {
                    "; a price in words is a short one, such as \"Custom\", and `period` says more, such as \
                     \"on request\""
                } else {
                    ""
                };
                let message =
                    format!("expected at most {limit} characters, found {length}{advice}");
                errors.push(error(value.span, message));
            }
            let longest = text.split_whitespace().max_by_key(|word| word.chars().count());
            if let (Some(limit), Some(word)) = (limit(&WORDS), longest)
                && word.chars().count() > limit
            {
                let message =
                    format!("expected words of at most {limit} characters, found \"{word}\"");
                errors.push(error(value.span, message));
            }
        }
        ValueInner::Table(table) => {
            for (key, value) in table {
                path.push(key.name.to_string());
                look(value, path, errors);
                path.pop();
            }
        }
        ValueInner::Array(items) => {
            for item in items {
                path.push("*".to_owned());
                look(item, path, errors);
                path.pop();
            }
        }
        _ => {}
    }
}

fn is_at(field: &str, path: &[String]) -> bool {
    let steps: Vec<_> = field.split('.').collect();
    steps.len() == path.len()
        && steps.iter().zip(path).all(|(step, name)| *step == "*" || step == name)
}
