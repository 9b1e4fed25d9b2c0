//! The last good edition, on the disk: what is served when no new one can be made after a start.

use serde::{Deserialize, Serialize};

use crate::{form::ContactField, kept::Key};

use super::LaidOut;

/// All that an edition is made from again, but for the assets.
#[derive(Serialize, Deserialize)]
pub(super) struct LastEdition<Pages = LaidOut> {
    /// The names of the form's fields, by whose order its templates are filled in.
    fields: Vec<String>,
    pub(super) copy: String,
    pub(super) laid_out: Pages,
}

/// Under which it is kept: there is one.
pub(super) fn key() -> Key {
    Key::new("last edition", &[])
}

impl<'a> LastEdition<&'a LaidOut> {
    /// The text of the copy and the pages that were laid out from it.
    pub(super) fn new(copy: &str, laid_out: &'a LaidOut) -> Self {
        Self { fields: fields(), copy: copy.to_owned(), laid_out }
    }
}

impl LastEdition {
    /// Reads what was kept; nothing where another version of the site wrote what this one can't use.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let last: Self = serde_json::from_slice(bytes).ok()?;
        (last.fields == fields()).then_some(last)
    }
}

fn fields() -> Vec<String> {
    ContactField::names().map(str::to_owned).into()
}
