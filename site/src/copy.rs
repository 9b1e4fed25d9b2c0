//! The copy: `site.toml` as types, or every mistake in it with file, line and field.
//!
//! These types are the props of the components as they are, so a word is declared once.

mod braces;
mod chrome;
mod contact;
mod home;
mod lengths;
mod lists;
mod mail;
mod pricing;
mod privacy;
mod room;
mod site;
mod toml;
mod values;

use std::fmt;

pub use chrome::*;
pub use contact::*;
pub use home::*;
pub use lists::{FaqEntries, HOME_IDS, Plans};
pub use mail::*;
pub use pricing::*;
pub use privacy::*;
pub use room::*;
pub use site::*;
pub use values::{Bandwidth, Currency, Day, Email, Href, Language, Origin, Phone, Slug, Year};

use toml::Outline;
use toml_span::Deserialize;

/// A copy that was refused.
#[derive(Debug)]
pub struct CopyError {
    file: String,
    mistakes: Vec<Mistake>,
}

/// One mistake in the copy.
#[derive(Debug)]
struct Mistake {
    /// The line, counted from 1.
    line: usize,
    /// The path of the field, such as `home.faq.entries.2.answer`; list elements are counted from 1.
    field: String,
    /// What was expected and what was found.
    message: String,
}

impl fmt::Display for CopyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Mistake { line, field, message }) in self.mistakes.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            let colon = if field.is_empty() { "" } else { ": " };
            write!(f, "{separator}{}:{line}: {field}{colon}{message}", self.file)?;
        }
        Ok(())
    }
}

impl std::error::Error for CopyError {}

impl SiteCopy {
    /// Reads the text of a copy; `file` is its name in error messages. `link` says what is wrong with
    /// the destination of a link within the site, which only the pages know.
    pub fn parse(
        file: &str,
        text: &str,
        link: impl Fn(&Self, &str) -> Option<String>,
    ) -> Result<Self, CopyError> {
        let by_line = |errors: &[toml_span::Error], outline: &Outline| {
            let mut mistakes: Vec<_> =
                errors.iter().flat_map(|error| toml::mistakes(error, text, outline)).collect();
            mistakes.sort_by_key(|mistake| mistake.line);
            mistakes
        };
        let mut document = toml_span::parse(text).map_err(|error| CopyError {
            file: file.to_owned(),
            mistakes: by_line(&[error], &Outline::default()),
        })?;
        let outline = Outline::of(&document);
        let mut errors = toml::unfit_values(&document);
        let unresolved = braces::resolve(&mut document);
        // A text whose reference is wrong is not as long as it will be.
        let whole = |mistake: &toml_span::Error| {
            unresolved.iter().all(|reference| reference.span != mistake.span)
        };
        errors.extend(lengths::too_long(&document).into_iter().filter(whole));
        let links = toml::own_links(&document);
        match Self::deserialize(&mut document) {
            Ok(copy) => {
                errors.extend(links.into_iter().filter_map(|(span, destination)| {
                    Some(toml::error(span, link(&copy, &destination)?))
                }));
                if errors.is_empty() && unresolved.is_empty() {
                    return Ok(copy);
                }
            }
            Err(refusals) => errors.extend(refusals.errors),
        }
        // What texts refer to may be missing because of what is wrong elsewhere: that comes first.
        let mut mistakes = by_line(&errors, &outline);
        mistakes.extend(by_line(&unresolved, &outline));
        Err(CopyError { file: file.to_owned(), mistakes })
    }
}
