//! Texts that stand in one line, and the most characters with which they do at every width.

use toml_span::{Error, Value, value::ValueInner};

use super::toml::error;

/// Fields, a `*` for any name or number, each with its limit in characters (Unicode scalar values).
const LIMITS: [(&str, usize); 17] = [
    ("site.name", 20),
    ("navigation.pricing", 16),
    ("navigation.contact", 16),
    ("navigation.documentation", 16),
    ("navigation.dashboard", 16),
    ("footer.columns.*.links.*.label", 28),
    ("home.hero.action", 24),
    ("home.hero.secondary", 24),
    ("home.closing.action", 24),
    ("pricing.cards.plans.*.name", 20),
    ("pricing.cards.plans.*.price", 10),
    ("pricing.cards.plans.*.action.label", 24),
    ("pricing.closing.start", 24),
    ("pricing.closing.sales", 24),
    ("contact.form.submit", 20),
    ("contact.form.sending", 20),
    // Search engines cut what is longer.
    ("*.meta.title", 70),
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
            let length = text.chars().count();
            let limit =
                LIMITS.iter().find(|(field, _)| is_at(field, path)).map(|(_, limit)| *limit);
            if let Some(limit) = limit.filter(|limit| length > *limit) {
                let message = format!("expected at most {limit} characters, found {length}");
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
