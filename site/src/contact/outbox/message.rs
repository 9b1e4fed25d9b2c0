//! A message as the table has it.

use clap::ValueEnum;
use jiff::Timestamp;
use serde::Serialize;
use sqlx::{FromRow, Row, any::AnyRow};
use strum::{IntoStaticStr, VariantArray};

use crate::form::{ContactField, FieldKind, Fields};

/// How far the delivery of a message has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum, IntoStaticStr, VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum State {
    /// It waits for its turn.
    Pending,
    /// The team has it.
    Delivered,
    /// It was refused for good, or too often; it can be sent again by hand.
    Dead,
}

impl State {
    /// The state as the table knows it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A message as it is kept.
#[derive(Clone, Serialize)]
pub struct KeptMessage {
    /// Names the submission.
    pub submission_id: String,
    /// The Message-ID of the mail to the team, with angle brackets (RFC 5322, section 3.6.4).
    pub message_id: String,
    /// When it was stored.
    pub received_at: Timestamp,
    /// What the visitor wrote.
    #[serde(flatten)]
    pub fields: Fields<String>,
    /// Why a machine may have written it, or nothing.
    pub suspicion: String,
    /// How far its delivery has come.
    pub state: State,
    /// How often delivery was begun.
    pub attempts: u32,
    /// What the last attempt failed with, or nothing.
    pub last_error: String,
    /// Whether the team's mail went out.
    pub sent: bool,
    /// Whether the visitor's acknowledgement went out.
    pub acknowledged: bool,
    /// Whether somebody noted that it was answered.
    pub answered: bool,
}

impl KeptMessage {
    /// The sender's name.
    pub fn name(&self) -> &str {
        &self.fields[ContactField::Name]
    }

    /// The sender's e-mail address.
    pub fn email(&self) -> &str {
        &self.fields[ContactField::Email]
    }

    /// The fields of one line, without the empty ones.
    pub fn lines(&self) -> impl Iterator<Item = (ContactField, &str)> {
        let fields = self.fields.iter().map(|(field, value)| (field, value.as_str()));
        fields.filter(|(field, value)| field.rule().kind != FieldKind::Text && !value.is_empty())
    }

    /// The fields of several lines, a blank line between two.
    pub fn text(&self) -> String {
        let texts = self.fields.iter().filter(|(field, _)| field.rule().kind == FieldKind::Text);
        let texts: Vec<_> = texts.map(|(_, text)| text.as_str()).collect();
        texts.join("\n\n")
    }
}

impl FromRow<'_, AnyRow> for KeptMessage {
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        let number = |name: &str| row.try_get::<i64, _>(name);
        let received_at = Timestamp::from_millisecond(number("received_at")?);
        let state: &str = row.try_get("state")?;
        let known = State::VARIANTS.iter().find(|known| known.as_str() == state);
        Ok(Self {
            submission_id: row.try_get("submission_id")?,
            message_id: row.try_get("message_id")?,
            received_at: received_at.map_err(|error| sqlx::Error::Decode(error.into()))?,
            fields: Fields::from_fn(|field| row.try_get(field.as_str())).transpose()?,
            suspicion: row.try_get("suspicion")?,
            state: *known.ok_or_else(|| sqlx::Error::Decode(format!("state {state}").into()))?,
            attempts: u32::try_from(number("attempts")?)
                .map_err(|error| sqlx::Error::Decode(error.into()))?,
            last_error: row.try_get("last_error")?,
            sent: number("sent_at")? > 0,
            acknowledged: number("acknowledged_at")? > 0,
            answered: number("answered_at")? > 0,
        })
    }
}
