//! Where messages are kept: SQLite by default, PostgreSQL when several machines share one outbox.

mod schema;

use std::{sync::Arc, time::Duration};

use anyhow::Context;
use jiff::Timestamp;
use serde::Serialize;
use sqlx::{AnyPool, FromRow, Row, any::AnyRow};
use tokio::sync::OnceCell;

use super::message::ContactMessage;

pub use schema::pool;

/// How long one delivery may take before another process may begin it again.
pub const LEASE: Duration = Duration::from_mins(3);

/// What became of a message that was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// It is new.
    New,
    /// The same submission had been stored before.
    Repeated,
}

/// How far the delivery of a message has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
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
        match self {
            Self::Pending => "pending",
            Self::Delivered => "delivered",
            Self::Dead => "dead",
        }
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
    /// The sender's name.
    pub name: String,
    /// The sender's e-mail address.
    pub email: String,
    /// The sender's company, or nothing.
    pub company: String,
    /// The message.
    pub message: String,
    /// Why a machine may have written it, or nothing.
    pub suspicion: String,
    /// How far its delivery has come.
    pub state: State,
    /// How often delivery was begun.
    pub attempts: i64,
    /// What the last attempt failed with, or nothing.
    pub last_error: String,
    /// Whether the team's mail went out.
    pub sent: bool,
    /// Whether the visitor's acknowledgement went out.
    pub acknowledged: bool,
}

impl FromRow<'_, AnyRow> for KeptMessage {
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        let time = |name: &str| -> sqlx::Result<Timestamp> {
            Timestamp::from_millisecond(row.try_get(name)?)
                .map_err(|error| sqlx::Error::Decode(error.into()))
        };
        Ok(Self {
            submission_id: row.try_get("submission_id")?,
            message_id: row.try_get("message_id")?,
            received_at: time("received_at")?,
            name: row.try_get("name")?,
            email: row.try_get("email")?,
            company: row.try_get("company")?,
            message: row.try_get("message")?,
            suspicion: row.try_get("suspicion")?,
            state: match row.try_get("state")? {
                "delivered" => State::Delivered,
                "dead" => State::Dead,
                _ => State::Pending,
            },
            attempts: row.try_get("attempts")?,
            last_error: row.try_get("last_error")?,
            sent: row.try_get::<i64, _>("sent_at")? > 0,
            acknowledged: row.try_get::<i64, _>("acknowledged_at")? > 0,
        })
    }
}

/// The table of messages.
#[derive(Clone, Debug)]
pub struct Outbox {
    database_url: Arc<str>,
    pool: AnyPool,
    prepared: Arc<OnceCell<()>>,
    claim: &'static str,
}

/// Begins the delivery that is due first; `$lock` keeps two PostgreSQL sessions from waiting for
/// each other's row, which SQLite, having one writer, needs no word for.
macro_rules! claim {
    ($lock:literal) => {
        concat!(
            "UPDATE messages SET attempts = attempts + 1, next_attempt_at = $2 \
             WHERE submission_id = (SELECT submission_id FROM messages \
             WHERE state = 'pending' AND next_attempt_at <= $1 \
             ORDER BY next_attempt_at LIMIT 1",
            $lock,
            ") RETURNING *"
        )
    };
}

impl Outbox {
    /// An outbox whose database is opened when it is first needed, so that a site can serve its
    /// pages before; refuses an address that names no database.
    pub fn new(database_url: &str) -> anyhow::Result<Self> {
        let shared = database_url.starts_with("postgres");
        Ok(Self {
            database_url: database_url.into(),
            pool: pool(database_url).context("DATABASE_URL names no database")?,
            prepared: Arc::default(),
            claim: if shared { claim!(" FOR UPDATE SKIP LOCKED") } else { claim!("") },
        })
    }

    /// Opens the database and brings its table up to date, which every method does if need be.
    pub async fn open(&self) -> sqlx::Result<&AnyPool> {
        self.prepared.get_or_try_init(|| schema::prepare(&self.pool, &self.database_url)).await?;
        Ok(&self.pool)
    }

    /// Stores a message; it is on the disk when this returns. `host` ends its Message-ID.
    pub async fn store(
        &self,
        message: &ContactMessage,
        suspicion: Option<&str>,
        host: &str,
    ) -> sqlx::Result<Stored> {
        let now = Timestamp::now().as_millisecond();
        let insert = "INSERT INTO messages (submission_id, message_id, received_at, name, email, company, message, \
                      suspicion, state, attempts, next_attempt_at, last_error, sent_at, acknowledged_at) \
                      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'pending', 0, $3, '', 0, 0) \
                      ON CONFLICT (submission_id) DO NOTHING";
        let result = sqlx::query(insert)
            .bind(message.submission_id().to_string())
            .bind(format!("<{}@{host}>", uuid::Uuid::new_v4()))
            .bind(now)
            .bind(message.name())
            .bind(message.email())
            .bind(message.company())
            .bind(message.message())
            .bind(suspicion.unwrap_or_default())
            .execute(self.open().await?)
            .await?;
        Ok(if result.rows_affected() == 0 { Stored::Repeated } else { Stored::New })
    }

    /// Takes the lease of the message that is due first; nobody else gets it before [`LEASE`] is over.
    pub async fn claim(&self, now: Timestamp) -> sqlx::Result<Option<KeptMessage>> {
        let now = now.as_millisecond();
        let until =
            now.saturating_add_unsigned(u64::try_from(LEASE.as_millis()).unwrap_or(u64::MAX));
        sqlx::query_as(self.claim).bind(now).bind(until).fetch_optional(self.open().await?).await
    }

    /// Notes that the team's mail went out; false where the lease has been lost meanwhile.
    pub async fn sent(&self, lease: &KeptMessage, now: Timestamp) -> sqlx::Result<bool> {
        let update = "UPDATE messages SET sent_at = $3 WHERE submission_id = $1 AND attempts = $2";
        let result =
            leased(update, lease).bind(now.as_millisecond()).execute(self.open().await?).await?;
        Ok(result.rows_affected() == 1)
    }

    /// Ends the delivery: the team has the message, and the visitor an acknowledgement or, where
    /// `error` says so, none.
    pub async fn delivered(
        &self,
        lease: &KeptMessage,
        acknowledged: bool,
        error: &str,
        now: Timestamp,
    ) -> sqlx::Result<()> {
        let update = "UPDATE messages SET state = 'delivered', acknowledged_at = $3, last_error = $4 \
                      WHERE submission_id = $1 AND attempts = $2";
        let acknowledged_at = if acknowledged { now.as_millisecond() } else { 0 };
        leased(update, lease)
            .bind(acknowledged_at)
            .bind(error.to_owned())
            .execute(self.open().await?)
            .await?;
        Ok(())
    }

    /// Gives the lease back until `next_attempt`, or for good where there is none.
    pub async fn failed(
        &self,
        lease: &KeptMessage,
        next_attempt: Option<Timestamp>,
        error: &str,
    ) -> sqlx::Result<()> {
        let update = "UPDATE messages SET state = $3, next_attempt_at = $4, last_error = $5 \
                      WHERE submission_id = $1 AND attempts = $2";
        let state = if next_attempt.is_some() { State::Pending } else { State::Dead };
        leased(update, lease)
            .bind(state.as_str())
            .bind(next_attempt.map_or(0, Timestamp::as_millisecond))
            .bind(error.to_owned())
            .execute(self.open().await?)
            .await?;
        Ok(())
    }

    /// All messages, the newest first.
    pub async fn all(&self) -> sqlx::Result<Vec<KeptMessage>> {
        sqlx::query_as("SELECT * FROM messages ORDER BY received_at DESC, submission_id")
            .fetch_all(self.open().await?)
            .await
    }

    /// The message with this submission id.
    pub async fn find(&self, submission_id: &str) -> sqlx::Result<Option<KeptMessage>> {
        sqlx::query_as("SELECT * FROM messages WHERE submission_id = $1")
            .bind(submission_id)
            .fetch_optional(self.open().await?)
            .await
    }

    /// Makes a dead message due at once; false where there is no dead message with this id.
    pub async fn retry(&self, submission_id: &str) -> sqlx::Result<bool> {
        let update = "UPDATE messages SET state = 'pending', attempts = 0, next_attempt_at = 0 \
                      WHERE submission_id = $1 AND state = 'dead'";
        let result = sqlx::query(update).bind(submission_id).execute(self.open().await?).await?;
        Ok(result.rows_affected() == 1)
    }

    /// Deletes a message for good; false where there is none with this id.
    pub async fn delete(&self, submission_id: &str) -> sqlx::Result<bool> {
        let delete = sqlx::query("DELETE FROM messages WHERE submission_id = $1");
        Ok(delete.bind(submission_id).execute(self.open().await?).await?.rows_affected() == 1)
    }

    /// Deletes what was delivered before a moment; says how many messages that were.
    pub async fn delete_delivered_before(&self, moment: Timestamp) -> sqlx::Result<u64> {
        let delete = "DELETE FROM messages WHERE state = 'delivered' AND sent_at < $1";
        let result =
            sqlx::query(delete).bind(moment.as_millisecond()).execute(self.open().await?).await?;
        Ok(result.rows_affected())
    }

    /// Closes all connections; what is stored afterwards fails.
    pub async fn close(&self) {
        self.pool.close().await;
    }
}

/// A statement that changes nothing once somebody else has begun the delivery again.
fn leased<'q>(
    update: &'static str,
    lease: &KeptMessage,
) -> sqlx::query::Query<'q, sqlx::Any, sqlx::any::AnyArguments> {
    sqlx::query(update).bind(lease.submission_id.clone()).bind(lease.attempts)
}
