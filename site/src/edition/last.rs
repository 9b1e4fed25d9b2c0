//! The last good edition, on the disk: what is served when no new one can be made after a start.

use serde::{Deserialize, Serialize};

use crate::{
    form::ContactField,
    kept::{KeptFiles, Key},
};

use super::LaidOut;

/// What an edition becomes the last good one by, once it is served.
pub struct AsLast(Vec<u8>);

impl AsLast {
    pub(super) fn of(copy: &str, laid_out: &LaidOut) -> anyhow::Result<Self> {
        let last = LastEdition { fields: fields(), copy: copy.to_owned(), laid_out };
        Ok(Self(serde_json::to_vec(&last)?))
    }

    /// Keeps the edition in place of the one before. A failure is only logged.
    pub fn keep(&self, kept: &KeptFiles) {
        let warning = "the last good edition can't be kept: a start that can make none will serve an \
                       earlier one, or none";
        kept.put_or_warn(&key(), &self.0, warning);
    }
}

/// All that an edition is made from again, but for the assets.
#[derive(Serialize, Deserialize)]
pub(super) struct LastEdition<Pages = LaidOut> {
    /// The names of the form's fields, by whose order its templates are filled in.
    fields: Vec<String>,
    pub(super) copy: String,
    pub(super) laid_out: Pages,
}

/// Under which it is kept: there is one.
fn key() -> Key {
    Key::new("last edition", &[])
}

impl LastEdition {
    /// Reads what was kept; nothing where another version of the site wrote what this one can't use.
    pub(super) fn read(kept: &KeptFiles) -> Option<Self> {
        let last: Self = serde_json::from_slice(&kept.get(&key())?).ok()?;
        (last.fields == fields()).then_some(last)
    }
}

fn fields() -> Vec<String> {
    ContactField::names().map(str::to_owned).into()
}
