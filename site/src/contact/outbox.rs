//! Where messages are kept: SQLite by default, PostgreSQL when several machines share one outbox.
//!
//! All times are the database's: machines whose clocks differ agree on when a lease ends.

mod schema;

use std::{sync::Arc, time::Duration};

use anyhow::Context;
use clap::ValueEnum;
use jiff::Timestamp;
use serde::Serialize;
use sha2::{Digest, Sha256};
use sqlx::{
    Any, AnyPool, AssertSqlSafe, FromRow, Row,
    any::{AnyArguments, AnyRow},
    query::Query,
};
use tokio::sync::RwLock;

use crate::form::{ContactField, FIELDS, FieldKind, Fields};

use super::message::ContactMessage;

pub use schema::pool;
use schema::{Dialect, FileId};

/// How long one delivery may take before another process may begin it again.
pub const LEASE: Duration = Duration::from_mins(3);

const DAY: Duration = Duration::from_hours(24);

/// What became of a message that was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// It is new.
    New,
    /// The same submission had been stored before.
    Repeated,
}

/// How far the delivery of a message has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
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
    /// Every state.
    pub const ALL: [Self; 3] = [Self::Pending, Self::Delivered, Self::Dead];

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
        let known = State::ALL.into_iter().find(|known| known.as_str() == state);
        Ok(Self {
            submission_id: row.try_get("submission_id")?,
            message_id: row.try_get("message_id")?,
            received_at: received_at.map_err(|error| sqlx::Error::Decode(error.into()))?,
            fields: Fields::try_from_fn(|field| row.try_get(field.as_str()))?,
            suspicion: row.try_get("suspicion")?,
            state: known.ok_or_else(|| sqlx::Error::Decode(format!("state {state}").into()))?,
            attempts: u32::try_from(number("attempts")?)
                .map_err(|error| sqlx::Error::Decode(error.into()))?,
            last_error: row.try_get("last_error")?,
            sent: number("sent_at")? > 0,
            acknowledged: number("acknowledged_at")? > 0,
            answered: number("answered_at")? > 0,
        })
    }
}

/// How many messages there are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Census {
    /// Those that people wrote and that wait for their delivery.
    pub pending: i64,
    /// Those that wait and may have been written by a machine.
    pub suspected: i64,
    /// Those that the team has.
    pub delivered: i64,
    /// Those that somebody has to look at.
    pub dead: i64,
    /// How long the oldest of those has been waiting that people wrote.
    pub oldest_waiting: Duration,
}

/// The table of messages.
#[derive(Clone, Debug)]
pub struct Outbox {
    database_url: Arc<str>,
    dialect: &'static Dialect,
    database: Arc<RwLock<Database>>,
}

/// The connections to the database.
#[derive(Debug)]
struct Database {
    pool: AnyPool,
    /// The file that they have open; nothing before they were made.
    opened: Option<FileId>,
}

impl Outbox {
    /// An outbox whose database is opened when it is first needed, so that a site can serve its
    /// pages before; refuses an address that names no database.
    pub fn new(database_url: &str) -> anyhow::Result<Self> {
        let pool = pool(database_url).context("DATABASE_URL names no database")?;
        Ok(Self {
            database_url: database_url.into(),
            dialect: Dialect::of(database_url),
            database: Arc::new(RwLock::new(Database { pool, opened: None })),
        })
    }

    /// Opens the database and brings its tables up to date, which every method does if need be;
    /// anew, where its file is gone or another one has taken its place.
    pub async fn open(&self) -> sqlx::Result<AnyPool> {
        let there = FileId::at(&self.database_url);
        {
            let database = self.database.read().await;
            if database.opened == Some(there) {
                return Ok(database.pool.clone());
            }
        }
        let mut database = self.database.write().await;
        if database.opened.is_some_and(|opened| opened != FileId::at(&self.database_url)) {
            tracing::error!(
                "the file of the contact database is gone, or another one is in its place: opening \
                 what is there"
            );
            let pool = std::mem::replace(&mut database.pool, pool(&self.database_url)?);
            database.opened = None;
            pool.close().await;
        }
        if database.opened.is_none() {
            schema::prepare(&database.pool, &self.database_url).await?;
            database.opened = Some(FileId::at(&self.database_url));
        }
        Ok(database.pool.clone())
    }

    /// Opens a database that a site has made before; makes none.
    pub async fn open_existing(&self) -> anyhow::Result<()> {
        let pool = self.database.read().await.pool.clone();
        schema::exists(&pool, &self.database_url).await.context(
            "there are no messages: start the site once, or name its STATE_DIR or DATABASE_URL",
        )?;
        self.open().await?;
        Ok(())
    }

    /// Stores a message. When this returns it is on the disk, in the file that is at the database's
    /// path. `host` ends its Message-ID.
    pub async fn store(
        &self,
        message: &ContactMessage,
        suspicion: Option<&str>,
        host: &str,
    ) -> sqlx::Result<Stored> {
        let stored = self.insert(message, suspicion, host).await;
        let opened = self.database.read().await.opened;
        if opened == Some(FileId::at(&self.database_url)) {
            return stored;
        }
        // The file was taken away meanwhile: into the one that is there now.
        self.insert(message, suspicion, host).await
    }

    async fn insert(
        &self,
        message: &ContactMessage,
        suspicion: Option<&str>,
        host: &str,
    ) -> sqlx::Result<Stored> {
        let now = self.dialect.now;
        let columns = FIELDS.each_ref().map(|rule| rule.name.as_str()).join(", ");
        let values: Vec<_> = (4..).take(FIELDS.len()).map(|number| format!("${number}")).collect();
        let values = values.join(", ");
        let mut insert = query(format!(
            "INSERT INTO messages (submission_id, message_id, suspicion, {columns}, received_at, \
             state, attempts, next_attempt_at, last_error, sent_at, acknowledged_at) \
             VALUES ($1, $2, $3, {values}, {now}, 'pending', 0, {now}, '', 0, 0) \
             ON CONFLICT (submission_id) DO NOTHING"
        ))
        .bind(message.submission_id().to_string())
        .bind(format!("<{}@{host}>", uuid::Uuid::new_v4()))
        .bind(suspicion.unwrap_or_default().to_owned());
        for (_, value) in message.fields().iter() {
            insert = insert.bind(value.clone());
        }
        let stored = insert.execute(&self.open().await?).await?;
        Ok(if stored.rows_affected() == 0 { Stored::Repeated } else { Stored::New })
    }

    /// Takes the lease of the message that is due first among those that people wrote; nobody else
    /// gets it before [`LEASE`] is over.
    pub async fn claim(&self) -> sqlx::Result<Option<KeptMessage>> {
        self.claim_where("suspicion = ''").await
    }

    /// The same among those that a machine may have written.
    pub async fn claim_suspected(&self) -> sqlx::Result<Option<KeptMessage>> {
        self.claim_where("suspicion <> ''").await
    }

    async fn claim_where(&self, written: &str) -> sqlx::Result<Option<KeptMessage>> {
        let Dialect { now, skip_locked, .. } = self.dialect;
        let claim = format!(
            "UPDATE messages SET attempts = attempts + 1, next_attempt_at = {now} + $1 \
             WHERE submission_id = (SELECT submission_id FROM messages \
             WHERE state = 'pending' AND {written} AND next_attempt_at <= {now} \
             ORDER BY next_attempt_at LIMIT 1 {skip_locked}) RETURNING *"
        );
        let row =
            query(claim).bind(milliseconds(LEASE)?).fetch_optional(&self.open().await?).await?;
        row.map(|row| KeptMessage::from_row(&row)).transpose()
    }

    /// Notes that the team's mail went out; false where the lease has been lost meanwhile.
    pub async fn sent(&self, lease: &KeptMessage) -> sqlx::Result<bool> {
        let now = self.dialect.now;
        let update = leased(&format!("sent_at = {now}"), lease);
        Ok(update.execute(&self.open().await?).await?.rows_affected() == 1)
    }

    /// Whether the sender of this message may be sent an acknowledgement: an address gets one an hour
    /// and three a day, whoever writes it into the form. Asked again for the same message, the
    /// answer is the same.
    pub async fn may_acknowledge(&self, lease: &KeptMessage) -> sqlx::Result<bool> {
        let now = self.dialect.now;
        let unless_same = |column: &str, shifted: &str| {
            format!(
                "{column} = CASE WHEN acknowledgements.submission_id = excluded.submission_id \
                 THEN acknowledgements.{column} ELSE {shifted} END"
            )
        };
        let latest = unless_same("latest", "excluded.latest");
        let second = unless_same("second", "acknowledgements.latest");
        let third = unless_same("third", "acknowledgements.second");
        let noted = query(format!(
            "INSERT INTO acknowledgements (address, submission_id, latest, second, third) \
             VALUES ($1, $2, {now}, 0, 0) ON CONFLICT (address) DO UPDATE SET \
             submission_id = excluded.submission_id, {latest}, {second}, {third} \
             WHERE acknowledgements.submission_id = excluded.submission_id \
             OR (acknowledgements.latest <= {now} - $3 AND acknowledgements.third <= {now} - $4)"
        ))
        .bind(mailbox_digest(lease.email()))
        .bind(lease.submission_id.clone())
        .bind(milliseconds(Duration::from_hours(1))?)
        .bind(milliseconds(DAY)?);
        Ok(noted.execute(&self.open().await?).await?.rows_affected() == 1)
    }

    /// Forgets which addresses were sent acknowledgements more than a day ago.
    pub async fn forget_acknowledgements(&self) -> sqlx::Result<()> {
        let now = self.dialect.now;
        let delete = query(format!("DELETE FROM acknowledgements WHERE latest < {now} - $1"));
        delete.bind(milliseconds(DAY)?).execute(&self.open().await?).await?;
        Ok(())
    }

    /// Deletes the oldest of the suspected messages beyond so many; says how many those were.
    pub async fn make_room(&self, suspected: u32) -> sqlx::Result<u64> {
        let delete = sqlx::query(
            "DELETE FROM messages WHERE submission_id IN (SELECT submission_id FROM messages \
             WHERE suspicion <> '' ORDER BY received_at DESC LIMIT 1000000000 OFFSET $1)",
        );
        let deleted = delete.bind(i64::from(suspected)).execute(&self.open().await?).await?;
        Ok(deleted.rows_affected())
    }

    /// Writes a copy of the database into a file that does not exist yet, as of one moment and while
    /// others use it. SQLite only.
    pub async fn back_up(&self, file: &str) -> sqlx::Result<()> {
        let pool = self.open().await?;
        sqlx::query("VACUUM INTO $1").bind(file.to_owned()).execute(&pool).await?;
        Ok(())
    }

    /// Whether the database is a file.
    pub fn is_file(&self) -> bool {
        schema::sqlite_file(&self.database_url).is_some()
    }

    /// Ends the delivery: the team has the message, and the visitor an acknowledgement or, where
    /// `error` says so, none.
    pub async fn delivered(
        &self,
        lease: &KeptMessage,
        acknowledged: bool,
        error: &str,
    ) -> sqlx::Result<()> {
        let at = if acknowledged { self.dialect.now } else { "0" };
        let set = format!("state = 'delivered', acknowledged_at = {at}, last_error = $3");
        leased(&set, lease).bind(error.to_owned()).execute(&self.open().await?).await?;
        Ok(())
    }

    /// Gives the lease back: the message is due again after a pause that begins now, or dead where
    /// there is none.
    pub async fn failed(
        &self,
        lease: &KeptMessage,
        pause: Option<Duration>,
        error: &str,
    ) -> sqlx::Result<()> {
        let now = self.dialect.now;
        let set = format!("state = $3, next_attempt_at = {now} + $4, last_error = $5");
        let state = if pause.is_some() { State::Pending } else { State::Dead };
        leased(&set, lease)
            .bind(state.as_str())
            .bind(milliseconds(pause.unwrap_or_default())?)
            .bind(error.to_owned())
            .execute(&self.open().await?)
            .await?;
        Ok(())
    }

    /// All messages, the newest first.
    pub async fn all(&self) -> sqlx::Result<Vec<KeptMessage>> {
        sqlx::query_as("SELECT * FROM messages ORDER BY received_at DESC, submission_id")
            .fetch_all(&self.open().await?)
            .await
    }

    /// The messages whose submission ids begin so.
    pub async fn find(&self, beginning: &str) -> sqlx::Result<Vec<KeptMessage>> {
        sqlx::query_as("SELECT * FROM messages WHERE substr(submission_id, 1, length($1)) = $1")
            .bind(beginning)
            .fetch_all(&self.open().await?)
            .await
    }

    /// Notes whether a message was answered; false where there is none with this id.
    pub async fn answered(&self, submission_id: &str, answered: bool) -> sqlx::Result<bool> {
        let at = if answered { self.dialect.now } else { "0" };
        let note = format!("UPDATE messages SET answered_at = {at} WHERE submission_id = $1");
        let note = query(note).bind(submission_id.to_owned());
        Ok(note.execute(&self.open().await?).await?.rows_affected() == 1)
    }

    /// Takes the suspicion from a message; its sender gets the acknowledgement that was held back. False
    /// where no suspected message has this id.
    pub async fn release(&self, submission_id: &str) -> sqlx::Result<bool> {
        let release = "UPDATE messages SET suspicion = '', next_attempt_at = 0, \
                       state = CASE state WHEN 'delivered' THEN 'pending' ELSE state END \
                       WHERE submission_id = $1 AND suspicion <> ''";
        let release = sqlx::query(release).bind(submission_id);
        Ok(release.execute(&self.open().await?).await?.rows_affected() == 1)
    }

    /// How many messages there are in each state, and how long the oldest has been waiting.
    pub async fn census(&self) -> sqlx::Result<Census> {
        let now = self.dialect.now;
        let counts = query(format!(
            "SELECT CASE WHEN suspicion <> '' AND state = 'pending' THEN 'suspected' ELSE state END \
             AS kind, COUNT(*) AS count, {now} - MIN(received_at) AS age FROM messages GROUP BY 1"
        ));
        let mut census = Census::default();
        for row in counts.fetch_all(&self.open().await?).await? {
            let count = row.try_get("count")?;
            match row.try_get("kind")? {
                "suspected" => census.suspected = count,
                "delivered" => census.delivered = count,
                "dead" => census.dead = count,
                _ => {
                    census.pending = count;
                    let age = u64::try_from(row.try_get::<i64, _>("age")?).unwrap_or(0);
                    census.oldest_waiting = Duration::from_millis(age);
                }
            }
        }
        Ok(census)
    }

    /// Makes a dead message due before all others; false where there is no dead message with this id.
    pub async fn retry(&self, submission_id: &str) -> sqlx::Result<bool> {
        let retry = "UPDATE messages SET state = 'pending', attempts = 0, next_attempt_at = 0 \
                     WHERE submission_id = $1 AND state = 'dead'";
        let retry = sqlx::query(retry).bind(submission_id);
        Ok(retry.execute(&self.open().await?).await?.rows_affected() == 1)
    }

    /// Deletes a message for good; false where there is none with this id.
    pub async fn delete(&self, submission_id: &str) -> sqlx::Result<bool> {
        let delete = sqlx::query("DELETE FROM messages WHERE submission_id = $1");
        Ok(delete.bind(submission_id).execute(&self.open().await?).await?.rows_affected() == 1)
    }

    /// Deletes messages that are older than this, whatever became of them; says how many those were. Where
    /// they are `mailed`, one that is still to be tried stays until it is delivered or dead.
    pub async fn delete_old(&self, age: Duration, mailed: bool) -> sqlx::Result<u64> {
        let now = self.dialect.now;
        let spared = if mailed { "AND state <> 'pending'" } else { "" };
        let delete = query(format!("DELETE FROM messages WHERE received_at < {now} - $1 {spared}"));
        let deleted = delete.bind(milliseconds(age)?).execute(&self.open().await?).await?;
        Ok(deleted.rows_affected())
    }

    /// Closes all connections; what is stored afterwards fails.
    pub async fn close(&self) {
        self.database.read().await.pool.close().await;
    }
}

/// A digest of the mailbox that an address leads to: case is ignored, as by nearly every server, and
/// so is what follows a `+` (RFC 5233), or one mailbox would have any number of addresses.
fn mailbox_digest(address: &str) -> String {
    let address = address.to_lowercase();
    let (mailbox, domain) = address.rsplit_once('@').unwrap_or((&address, ""));
    let mailbox = mailbox.split_once('+').map_or(mailbox, |(mailbox, _)| mailbox);
    hex::encode(Sha256::digest(format!("{mailbox}@{domain}")))
}

/// A statement that was put together from our own words only; values are bound to it.
fn query(statement: String) -> Query<'static, Any, AnyArguments> {
    sqlx::query(AssertSqlSafe(statement))
}

/// A statement that changes nothing once somebody else has begun the delivery again.
fn leased(set: &str, lease: &KeptMessage) -> Query<'static, Any, AnyArguments> {
    query(format!("UPDATE messages SET {set} WHERE submission_id = $1 AND attempts = $2"))
        .bind(lease.submission_id.clone())
        .bind(i64::from(lease.attempts))
}

fn milliseconds(duration: Duration) -> sqlx::Result<i64> {
    i64::try_from(duration.as_millis()).map_err(|error| sqlx::Error::Encode(error.into()))
}
