//! From a TOML document to types, with every mistake on the way in words for whoever wrote it.

use toml_span::{Error, ErrorKind, Span, Value, value::ValueInner};

use crate::unseen::{is_blank, is_stray};

use super::Mistake;

/// Defines structs whose fields are the fields of a TOML table, each with its doc comment.
///
/// They are read from TOML (`snake_case`), and travel to the components as they are (`camelCase`).
/// `[optional]` marks a field that may be left out, `[off]` a flag that is false when it is.
macro_rules! tables {
    ($($(#[$doc:meta])* $name:ident {
        $($(#[$field_doc:meta])* $field:ident: $type:ty $([$missing:ident])?,)*
    })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, ts_rs::TS)]
        #[derive(schemars::JsonSchema)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        #[schemars(rename_all = "snake_case")]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $type,)*
        }

        impl<'de> toml_span::Deserialize<'de> for $name {
            fn deserialize(value: &mut toml_span::Value<'de>) -> Result<Self, toml_span::DeserError> {
                let mut table = toml_span::de_helpers::TableHelper::new(value)?;
                $(let $field = $crate::copy::toml::field!(table, $field $($missing)?);)*
                table.finalize(None)?;
                Ok(Self { $($field: $field?,)* })
            }
        }
    )*};
}

/// Takes one field out of a table; the table's helper collects what is wrong with it.
macro_rules! field {
    ($table:ident, $name:ident) => {
        $table.required(stringify!($name))
    };
    ($table:ident, $name:ident optional) => {
        Ok::<_, toml_span::Error>($table.optional(stringify!($name)))
    };
    ($table:ident, $name:ident off) => {
        Ok::<_, toml_span::Error>($table.optional(stringify!($name)).unwrap_or(false))
    };
}

pub(super) use {field, tables};

/// What is wrong with a value, for a reason of our own.
pub(super) fn error(span: Span, message: impl Into<String>) -> Error {
    Error::from((ErrorKind::Custom(message.into().into()), span))
}

/// Refuses a value for a reason of our own.
pub(super) fn refusal(span: Span, message: impl Into<String>) -> toml_span::DeserError {
    error(span, message).into()
}

/// The fields of the type `Href`.
const LINKS: [&str; 4] = ["application", "documentation", "href", "sign_up"];

/// Every destination within the site, with its place.
pub(super) fn own_links(value: &Value<'_>) -> Vec<(Span, String)> {
    match value.as_ref() {
        ValueInner::Array(items) => items.iter().flat_map(own_links).collect(),
        ValueInner::Table(table) => table
            .iter()
            .flat_map(|(key, value)| match value.as_str() {
                Some(text) if text.starts_with('/') && LINKS.contains(&&*key.name) => {
                    vec![(value.span, text.to_owned())]
                }
                _ => own_links(value),
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// The document's values by place: where each one begins, and how it is called.
///
/// Errors carry their place alone; whoever reads them wants the field's name too.
#[derive(Default)]
pub(super) struct Outline(Vec<(Span, String)>);

impl Outline {
    /// Walks through a document.
    pub(super) fn of(document: &Value<'_>) -> Self {
        let mut outline = Self(Vec::new());
        outline.add(document, String::new());
        outline
    }

    fn add(&mut self, value: &Value<'_>, path: String) {
        match value.as_ref() {
            ValueInner::Table(table) => {
                for (key, value) in table {
                    self.add(value, join(&path, &key.name));
                }
            }
            ValueInner::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.add(item, join(&path, &(index + 1).to_string()));
                }
            }
            _ => {}
        }
        self.0.push((value.span, path));
    }

    /// The name of the value at a place; of a table and its only field, which share it, the table's.
    fn name_of(&self, span: Span) -> &str {
        self.0.iter().rfind(|(place, _)| *place == span).map_or("", |(_, path)| path)
    }
}

/// The name of a value inside of another one.
pub(super) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// What no text and no list of the copy may be: empty, or a text with what nobody sees.
pub(super) fn unfit_values(value: &Value<'_>) -> Vec<Error> {
    let refused = |message: &str| vec![error(value.span, message)];
    match value.as_ref() {
        ValueInner::String(text) if is_blank(text) => {
            refused("expected a text, found an empty one")
        }
        ValueInner::String(text) => match text.chars().find(|character| is_stray(*character)) {
            Some(stray) => refused(&format!(
                "{} stands in this text: expected a space or nothing",
                unseen(stray)
            )),
            None => Vec::new(),
        },
        ValueInner::Array(items) if items.is_empty() => {
            refused("expected at least one element, found an empty list")
        }
        ValueInner::Array(items) => items.iter().flat_map(unfit_values).collect(),
        ValueInner::Table(table) => table.values().flat_map(unfit_values).collect(),
        _ => Vec::new(),
    }
}

/// A character that can't be seen, by its number, and by name where it comes along often.
fn unseen(character: char) -> String {
    let name = match character {
        '\u{a0}' => ", a no-break space",
        '\u{200b}' => ", a zero width space",
        '\u{feff}' => ", a byte order mark",
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => ", a mark of the direction of writing",
        _ => "",
    };
    format!("a character that can't be seen (U+{:04X}{name})", u32::from(character))
}

/// Says what is wrong in words that fit a text file; an error about several keys becomes several mistakes.
pub(super) fn mistakes(error: &Error, text: &str, outline: &Outline) -> Vec<Mistake> {
    let mistake = |span: Span, message: String| Mistake {
        line: line_of(span, text),
        field: outline.name_of(error.span).to_owned(),
        message,
    };
    match &error.kind {
        ErrorKind::UnexpectedKeys { keys, expected } => keys
            .iter()
            .map(|(key, span)| {
                let expected = expected.join(", ");
                mistake(*span, format!("`{key}` is not a field here; expected one of: {expected}"))
            })
            .collect(),
        ErrorKind::UnquotedString => vec![mistake(error.span, unquoted(error.span, text))],
        kind => vec![mistake(error.span, worded(kind, text))],
    }
}

/// The line of a place, counted from 1.
fn line_of(span: Span, text: &str) -> usize {
    1 + text.bytes().take(span.start).filter(|byte| *byte == b'\n').count()
}

/// What a word should be that stands without quotation marks.
fn unquoted(span: Span, text: &str) -> String {
    let rest = text.get(span.start..).unwrap_or_default();
    let word = rest.split(|letter: char| !letter.is_alphanumeric()).next();
    let word = word.unwrap_or_default().to_lowercase();
    let flag = ["yes", "no", "on", "off", "true", "false"].contains(&word.as_str());
    let expected = if flag { "true or false, or a text" } else { "a text" };
    format!("expected {expected} in quotation marks")
}

fn worded(kind: &ErrorKind, text: &str) -> String {
    match kind {
        ErrorKind::MissingField(name) => format!("`{name}` is missing"),
        ErrorKind::Wanted { expected, found } => {
            format!("expected {}, found {}", in_plain_words(expected), in_plain_words(found))
        }
        ErrorKind::Custom(message) => message.to_string(),
        ErrorKind::UnterminatedString => {
            "a text begins here and does not end: expected a quotation mark after it".to_owned()
        }
        ErrorKind::InvalidCharInString('\n') => {
            "a text begins here and its line ends before it does: expected a quotation mark after it"
                .to_owned()
        }
        ErrorKind::InvalidCharInString(character) => {
            format!("{} stands in this text: expected a space or nothing", unseen(*character))
        }
        ErrorKind::InvalidEscape(letter) => {
            format!("`\\{letter}` has no meaning in a text; a backslash is written `\\\\`")
        }
        ErrorKind::InvalidHexEscape(_) | ErrorKind::InvalidEscapeValue(_) => {
            "expected the four digits of a character after `\\u`, such as `\\u00e9`".to_owned()
        }
        ErrorKind::InvalidNumber => {
            "expected a number of digits alone, or a text in quotation marks".to_owned()
        }
        ErrorKind::Unexpected('\r') => {
            "lines end as on old Macs: save the file with the line ends of Unix (LF) or Windows (CRLF)"
                .to_owned()
        }
        ErrorKind::Unexpected('\0') => "save the file as UTF-8: it seems to be UTF-16".to_owned(),
        ErrorKind::Unexpected(character)
            if character.is_whitespace() || character.is_control() || is_stray(*character) =>
        {
            format!("{} stands here: expected a space, or nothing", unseen(*character))
        }
        ErrorKind::Unexpected(character) => {
            format!("`{character}` can't stand here: a text stands in quotation marks")
        }
        ErrorKind::UnexpectedEof => {
            "the file ends here in the middle of a field: expected its value, or a closing bracket"
                .to_owned()
        }
        ErrorKind::DuplicateKey { key, first } => {
            format!("`{key}` is here a second time; the first is on line {}", line_of(*first, text))
        }
        ErrorKind::DuplicateTable { name, first } => {
            format!("[{name}] is here a second time; the first is on line {}", line_of(*first, text))
        }
        ErrorKind::RedefineAsArray => {
            "expected one way of writing: `[name]` for a table, or `[[name]]` for each element of a list"
                .to_owned()
        }
        ErrorKind::DottedKeyInvalidType { first } => {
            format!("what stands before the dot is no table: see line {}", line_of(*first, text))
        }
        ErrorKind::MultilineStringKey => "expected a field's name within one line".to_owned(),
        ErrorKind::ExceededDepthLimit => "expected fewer brackets within brackets".to_owned(),
        // Only types that the copy doesn't have are read with these.
        ErrorKind::UnexpectedKeys { .. }
        | ErrorKind::Deprecated { .. }
        | ErrorKind::OutOfRange(_)
        | ErrorKind::UnquotedString
        | ErrorKind::UnexpectedValue { .. } => "expected another value".to_owned(),
    }
}

/// TOML's names for kinds of values and signs, as people call them.
fn in_plain_words(kind: &'static str) -> &'static str {
    match kind {
        "a string" | "string" | "a multiline string" => "a text",
        "integer" | "float" => "a number",
        "a bool" | "boolean" => "true or false",
        "an array" | "array" => "a list",
        "a table" | "table" => "a table",
        "a table key" => "a field's name",
        "an identifier" => "a word without quotation marks",
        "an equals" => "`=`",
        "a period" => "`.`",
        "a comma" => "`,`",
        "a colon" => "`:`",
        "a plus" => "`+`",
        "a right brace" => "`}`",
        "a left brace" => "`{`",
        "a right bracket" => "`]`",
        "a left bracket" => "`[`",
        "newline" | "a newline" => "the end of the line",
        "whitespace" => "a space",
        "eof" => "the end of the file",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::LINKS;
    use crate::copy::SiteCopy;

    #[test]
    fn every_field_that_is_a_link_is_looked_at() {
        let schema = serde_json::to_value(schemars::schema_for!(SiteCopy)).unwrap();
        let tables = schema["$defs"].as_object().unwrap().values();
        let fields = tables.filter_map(|table| table["properties"].as_object()).flatten();
        let is_link = |(_, field): &(_, &Value)| field.to_string().contains("\"#/$defs/Href\"");
        let links: BTreeSet<_> = fields.filter(is_link).map(|(name, _)| name.as_str()).collect();
        assert!(links.iter().eq(&LINKS), "{links:?}");
    }
}
