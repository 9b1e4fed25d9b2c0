//! The last good edition, on the disk: what is served when no new one can be made after a start.

use std::io;

use poem::http::StatusCode;
use serde::{Deserialize, Serialize};

use crate::{
    config::Handling,
    form::ContactField,
    kept::{KeptFiles, Key},
    views::contact::Recipient,
};

use super::LaidOut;

/// What an edition becomes the last good one by, once it is served.
pub struct AsLast(Vec<u8>);

impl AsLast {
    pub(super) fn of(
        copy: &str,
        recipient: &Recipient,
        laid_out: &LaidOut,
    ) -> anyhow::Result<Self> {
        let handling = recipient.handling();
        let last = LastEdition { fields: fields(), handling, copy: copy.to_owned(), laid_out };
        Ok(Self(serde_json::to_vec(&last)?))
    }

    /// Keeps the edition in place of the one before.
    pub fn keep(&self, kept: &KeptFiles) -> io::Result<()> {
        kept.replace(&key(), &self.0)
    }
}

/// All that an edition is made from again, but for the assets.
#[derive(Serialize, Deserialize)]
pub(super) struct LastEdition<Pages = LaidOut> {
    /// The names of the form's fields, by whose order its templates are filled in.
    fields: Vec<String>,
    /// What the page about privacy says of messages; a site of an earlier version didn't keep it.
    handling: Option<Handling>,
    pub(super) copy: String,
    pub(super) laid_out: Pages,
}

/// Under which it is kept: there is one.
fn key() -> Key {
    Key::new("last edition", &[])
}

impl LastEdition {
    /// Reads what was kept; nothing where another version of the site wrote what this one can't use.
    /// Where messages are handled in another way since then, the page about privacy is unavailable.
    pub(super) fn read(kept: &KeptFiles, recipient: &Recipient) -> Option<Self> {
        let mut last: Self = serde_json::from_slice(&kept.get(&key())?).ok()?;
        if last.fields != fields() {
            return None;
        }
        if last.handling != recipient.handling() {
            let unavailable = last
                .laid_out
                .errors
                .iter()
                .find(|it| it.status == StatusCode::SERVICE_UNAVAILABLE)?;
            let (_, privacy) =
                last.laid_out.resources.iter_mut().find(|(path, _)| path == "/privacy")?;
            privacy.clone_from(unavailable);
            tracing::warn!("the last good page about privacy may be untrue, and is not served");
        }
        Some(last)
    }
}

fn fields() -> Vec<String> {
    ContactField::names().map(str::to_owned).into()
}
