//! Braces in a text: `{limit}` is filled in when the text is shown, `{pricing.cards.plans.starter.price}`
//! refers to another text of the file, so that a price stands in one place.

use std::collections::HashMap;

use toml_span::{Error, Value, value::ValueInner};

use super::toml::{error, join};

/// The texts that are filled in when they are shown, each with all that takes part.
pub(super) const FILLED_IN: [(&str, &[&str]); 16] = [
    ("contact.form.left", &["count"]),
    ("contact.form.too_long", &["limit"]),
    ("home.mission.room.hour", &["megabytes"]),
    ("home.mission.room.more", &["count"]),
    ("home.mission.room.places", &["count", "capacity"]),
    ("home.mission.room.round_trip", &["p50", "p95"]),
    ("home.mission.room.status", &["name", "what", "count", "rate"]),
    ("mail.team.subject", &["name"]),
    ("pricing.estimate.beyond", &["bandwidth"]),
    ("pricing.estimate.carries", &["plan", "hours", "rate"]),
    ("pricing.estimate.fits", &["plan", "share", "bandwidth"]),
    ("pricing.estimate.mistake", &["most"]),
    ("pricing.estimate.month", &["gigabytes"]),
    ("pricing.estimate.sum", &["players", "hours"]),
    ("pricing.estimate.total", &["total"]),
    ("privacy.stay.deleted", &["days"]),
];

/// The same for what may do without.
pub(super) const MAY_BE_FILLED_IN: [(&str, &[&str]); 2] =
    [("home.mission.room.estimate", &["count", "rate"]), ("pricing.estimate.see", &["plan"])];

/// Puts the texts that are referred to in the place of references, and says which braces are wrong.
pub(super) fn resolve(document: &mut Value<'_>) -> Vec<Error> {
    let mut texts = HashMap::new();
    collect(document, &[String::new()], &mut texts);
    let mut errors = Vec::new();
    replace(document, "", &texts, &mut errors);
    errors
}

/// Every text by its names: the element of a list is called by its number, and by its `name` or `id`.
fn collect(value: &Value<'_>, names: &[String], texts: &mut HashMap<String, String>) {
    let below = |key: &str| -> Vec<String> { names.iter().map(|name| join(name, key)).collect() };
    match value.as_ref() {
        ValueInner::String(text) => {
            texts.extend(names.iter().map(|name| (name.clone(), text.to_string())));
        }
        ValueInner::Table(table) => {
            for (key, value) in table {
                collect(value, &below(&key.name), texts);
            }
        }
        ValueInner::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                let called = |key: &str| item.pointer(key).and_then(Value::as_str);
                let mut names = below(&(index + 1).to_string());
                names.extend(["/name", "/id"].into_iter().filter_map(called).flat_map(below));
                collect(item, &names, texts);
            }
        }
        _ => {}
    }
}

fn replace(
    value: &mut Value<'_>,
    path: &str,
    texts: &HashMap<String, String>,
    errors: &mut Vec<Error>,
) {
    let mut inner = value.take();
    match &mut inner {
        ValueInner::String(text) if text.contains('{') => match replaced(text, path, texts) {
            Ok(whole) => *text = whole.into(),
            Err(messages) => {
                errors.extend(messages.into_iter().map(|message| error(value.span, message)));
            }
        },
        ValueInner::String(text) => {
            errors.extend(missing(text, path).map(|message| error(value.span, message)));
        }
        ValueInner::Table(table) => {
            for (key, value) in table {
                replace(value, &join(path, &key.name), texts, errors);
            }
        }
        ValueInner::Array(items) => {
            for (index, item) in items.iter_mut().enumerate() {
                replace(item, &join(path, &(index + 1).to_string()), texts, errors);
            }
        }
        _ => {}
    }
    value.set(inner);
}

/// The text with what it refers to, or what is wrong with its braces.
fn replaced(
    text: &str,
    path: &str,
    texts: &HashMap<String, String>,
) -> Result<String, Vec<String>> {
    let mut wrong: Vec<_> = missing(text, path).collect();
    let mut whole = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        whole.push_str(before);
        let closed = after.split_once('}').filter(|(inside, _)| !inside.contains('{'));
        let Some((inside, after)) = closed else {
            wrong.push("a brace is open: expected `}` after `{`".to_owned());
            break;
        };
        rest = after;
        if !inside.contains('.') {
            if !places(path).contains(&inside) {
                wrong.push(unknown(inside, path));
            }
            whole.extend(["{", inside, "}"]);
            continue;
        }
        match texts.get(inside) {
            Some(text) if !text.contains('{') => whole.push_str(text),
            Some(_) => wrong.push(format!("`{{{inside}}}` leads to a text with braces of its own")),
            None => wrong.push(format!(
                "`{{{inside}}}` leads to no text of this file; expected the names of tables, a list's \
                 element by its name, id or number, and a field, such as {{site.name}}"
            )),
        }
    }
    whole.push_str(rest);
    if wrong.is_empty() { Ok(whole) } else { Err(wrong) }
}

/// What is filled into the text at this path.
fn places(path: &str) -> &'static [&'static str] {
    let rows = FILLED_IN.iter().chain(&MAY_BE_FILLED_IN);
    rows.filter(|(field, _)| *field == path).map(|(_, places)| *places).next().unwrap_or_default()
}

/// What should be filled in and has no place in the text.
fn missing(text: &str, path: &str) -> impl Iterator<Item = String> {
    let wanted = FILLED_IN.iter().filter(move |(field, _)| *field == path);
    let absent = wanted
        .flat_map(|(_, places)| places.iter())
        .filter(move |place| !text.contains(&format!("{{{place}}}")));
    absent.map(|place| format!("`{{{place}}}` is missing")).collect::<Vec<_>>().into_iter()
}

fn unknown(inside: &str, path: &str) -> String {
    let known: Vec<_> = places(path).iter().map(|place| format!("{{{place}}}")).collect();
    if known.is_empty() {
        format!("nothing takes the place of `{{{inside}}}` here")
    } else {
        format!("nothing takes the place of `{{{inside}}}` here; expected {}", known.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row that names no field would hold nobody to anything.
    #[test]
    fn every_row_names_a_text_of_the_copy() {
        let text = include_str!("../../tests/site.toml");
        let mut texts = HashMap::new();
        collect(&toml_span::parse(text).unwrap(), &[String::new()], &mut texts);
        for (field, _) in FILLED_IN.iter().chain(&MAY_BE_FILLED_IN) {
            assert!(texts.contains_key(*field), "{field}");
        }
    }
}
