//! The copy: `site.toml` as types, or every mistake in it with file, line and field.

mod copy;
mod reader;
mod values;

use std::fmt;

pub use copy::*;
pub use values::{Email, FaqItems, Href, Origin, Phone, PlanItems, Slug};

use reader::{Read, Reader};

/// A content file that was refused.
#[derive(Debug)]
pub struct ContentError {
    file: String,
    mistakes: Vec<Mistake>,
}

/// One mistake in a content file.
#[derive(Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The line, counted from 1.
    pub line: usize,
    /// The path of the field, such as `home.faq.entries.2.answer`; list elements are counted from 1.
    pub field: String,
    /// What was expected and what was found.
    pub message: String,
}

impl ContentError {
    /// The mistakes, in the order of the file.
    pub fn mistakes(&self) -> &[Mistake] {
        &self.mistakes
    }
}

impl fmt::Display for ContentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Mistake { line, field, message }) in self.mistakes.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            let colon = if field.is_empty() { "" } else { ": " };
            write!(f, "{separator}{}:{line}: {field}{colon}{message}", self.file)?;
        }
        Ok(())
    }
}

impl std::error::Error for ContentError {}

impl Content {
    /// Reads the text of a content file; `file` is its name in error messages.
    pub fn parse(file: &str, text: &str) -> Result<Self, ContentError> {
        let refused = |found: Vec<reader::Found>| ContentError {
            file: file.to_owned(),
            mistakes: found
                .into_iter()
                .map(|found| Mistake {
                    line: 1 + text[..found.offset].matches('\n').count(),
                    field: found.field,
                    message: found.message,
                })
                .collect(),
        };
        let mut document = toml_span::parse(text).map_err(|error| {
            refused(vec![reader::Found {
                offset: error.span.start.min(text.len()),
                field: String::new(),
                message: format!("not valid TOML: {error}"),
            }])
        })?;
        let mut reader = Reader::default();
        let content = Self::read(&mut document, &mut reader);
        let mistakes = reader.into_mistakes();
        match content {
            Some(content) if mistakes.is_empty() => Ok(content),
            _ => Err(refused(mistakes)),
        }
    }
}
