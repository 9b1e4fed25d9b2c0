//! What owners and routines do with the messages that are there.

use std::time::Duration;

use futures_util::{Stream, TryStreamExt, stream};
use sqlx::{AssertSqlSafe, Row};

use super::{ATTEMPTS, KeptMessage, LEASE, Outbox, milliseconds, query, schema};

/// How many messages are read at once.
const BATCH: i64 = 100;

/// Sends dead messages again, before all others.
const RETRY: &str = "UPDATE messages SET state = 'pending', attempts = 0, next_attempt_at = 0, \
                     last_error = '' WHERE state = 'dead'";

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
    /// Those that wait because a try failed: the first sign of a mail server that takes none.
    pub postponed: i64,
    /// How long the oldest of those has been waiting that people wrote.
    pub oldest_waiting: Duration,
}

impl Outbox {
    /// All messages, the newest first. Few are in memory at a time, and between two reads nothing is
    /// locked: however slowly they are taken, messages can be stored.
    pub fn all(&self) -> impl Stream<Item = sqlx::Result<KeptMessage>> {
        let batches = stream::try_unfold(None, async |later: Option<KeptMessage>| {
            let batch = self.before(later.as_ref()).await?;
            let earliest = batch.last().cloned();
            let batch = stream::iter(batch.into_iter().map(Ok));
            Ok::<_, sqlx::Error>(earliest.map(|earliest| (batch, Some(earliest))))
        });
        batches.try_flatten()
    }

    /// The messages that arrived before this one, or the last ones; at most [`BATCH`].
    async fn before(&self, later: Option<&KeptMessage>) -> sqlx::Result<Vec<KeptMessage>> {
        let earlier = later.map_or("", |_| "WHERE (received_at, submission_id) < ($2, $3)");
        let mut read = sqlx::query_as(AssertSqlSafe(format!(
            "SELECT * FROM messages {earlier} ORDER BY received_at DESC, submission_id DESC LIMIT $1"
        )))
        .bind(BATCH);
        if let Some(later) = later {
            read = read.bind(later.received_at.as_millisecond()).bind(later.submission_id.clone());
        }
        read.fetch_all(&self.open().await?).await
    }

    /// The messages whose submission ids begin so.
    pub async fn find(&self, beginning: &str) -> sqlx::Result<Vec<KeptMessage>> {
        sqlx::query_as("SELECT * FROM messages WHERE substr(submission_id, 1, length($1)) = $1")
            .bind(beginning)
            .fetch_all(&self.open().await?)
            .await
    }

    /// Notes whether a message was answered; false where there is none with this id. The team has one that
    /// was: it needs no mail, unless that is taken back.
    pub async fn answered(&self, submission_id: &str, answered: bool) -> sqlx::Result<bool> {
        let now = self.dialect.now;
        let set = if answered {
            format!("answered_at = {now}, state = 'delivered'")
        } else {
            format!(
                "answered_at = 0, \
                 state = CASE WHEN answered_at > 0 AND sent_at = 0 THEN 'pending' ELSE state END, \
                 attempts = CASE WHEN answered_at > 0 AND attempts >= {ATTEMPTS} THEN 0 ELSE attempts END"
            )
        };
        let note = query(format!("UPDATE messages SET {set} WHERE submission_id = $1"));
        let note = note.bind(submission_id.to_owned());
        Ok(note.execute(&self.open().await?).await?.rows_affected() == 1)
    }

    /// Takes the suspicion from a message; its sender gets the acknowledgement that was held back, and
    /// the team the mail where that was given up, unless somebody has answered it. False where no
    /// suspected message has this id.
    pub async fn release(&self, submission_id: &str) -> sqlx::Result<bool> {
        let now = self.dialect.now;
        // No delivery that goes on now holds its lease for longer.
        let release = query(format!(
            "UPDATE messages SET suspicion = '', \
             attempts = CASE WHEN state = 'dead' OR state = 'delivered' AND attempts >= {ATTEMPTS} \
             THEN 0 ELSE attempts END, \
             next_attempt_at = CASE WHEN state <> 'pending' THEN 0 \
             WHEN next_attempt_at > {now} + $2 THEN {now} + $2 ELSE next_attempt_at END, \
             last_error = CASE state WHEN 'pending' THEN last_error ELSE '' END, \
             state = CASE WHEN answered_at > 0 THEN state ELSE 'pending' END \
             WHERE submission_id = $1 AND suspicion <> ''"
        ));
        let release = release.bind(submission_id.to_owned()).bind(milliseconds(LEASE)?);
        Ok(release.execute(&self.open().await?).await?.rows_affected() == 1)
    }

    /// Makes a dead message due before all others; false where there is no dead message with this id.
    pub async fn retry(&self, submission_id: &str) -> sqlx::Result<bool> {
        let retry = query(format!("{RETRY} AND submission_id = $1")).bind(submission_id.to_owned());
        Ok(retry.execute(&self.open().await?).await?.rows_affected() == 1)
    }

    /// The same with every dead message; says how many those were.
    pub async fn retry_all(&self) -> sqlx::Result<u64> {
        Ok(sqlx::query(RETRY).execute(&self.open().await?).await?.rows_affected())
    }

    /// Deletes a message for good; false where there is none with this id.
    pub async fn delete(&self, submission_id: &str) -> sqlx::Result<bool> {
        let delete = sqlx::query("DELETE FROM messages WHERE submission_id = $1");
        Ok(delete.bind(submission_id).execute(&self.open().await?).await?.rows_affected() == 1)
    }

    /// How many messages there are in each state, and how long the oldest has been waiting.
    pub async fn census(&self) -> sqlx::Result<Census> {
        let now = self.dialect.now;
        let counts = query(format!(
            "SELECT CASE WHEN suspicion <> '' AND state = 'pending' THEN 'suspected' ELSE state END \
             AS kind, COUNT(*) AS count, {now} - MIN(received_at) AS age \
             FROM messages GROUP BY 1"
        ));
        let postponed = sqlx::query_scalar(
            "SELECT COUNT(*) FROM messages WHERE state = 'pending' AND last_error <> ''",
        );
        let pool = self.open().await?;
        let mut census =
            Census { postponed: postponed.fetch_one(&pool).await?, ..Census::default() };
        for row in counts.fetch_all(&pool).await? {
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

    /// Why the newest of the messages could not be mailed that will be tried again; nothing where all went
    /// well.
    pub async fn last_refusal(&self) -> sqlx::Result<Option<String>> {
        sqlx::query_scalar(
            "SELECT last_error FROM messages WHERE state = 'pending' AND last_error <> '' \
             ORDER BY received_at DESC LIMIT 1",
        )
        .fetch_optional(&self.open().await?)
        .await
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

    /// Deletes messages that are older than this, whatever became of them; says how many those were. Where
    /// they are `mailed`, one that is still to be tried stays until it is delivered or dead.
    pub async fn delete_old(&self, age: Duration, mailed: bool) -> sqlx::Result<u64> {
        let now = self.dialect.now;
        let spared = if mailed { "AND state <> 'pending'" } else { "" };
        let delete = query(format!("DELETE FROM messages WHERE received_at < {now} - $1 {spared}"));
        let deleted = delete.bind(milliseconds(age)?).execute(&self.open().await?).await?;
        Ok(deleted.rows_affected())
    }

    /// The database's clock: how long ago 1970 began.
    pub async fn now(&self) -> sqlx::Result<Duration> {
        let now = sqlx::query_scalar(AssertSqlSafe(format!("SELECT {}", self.dialect.now)));
        let now: i64 = now.fetch_one(&self.open().await?).await?;
        Ok(Duration::from_millis(u64::try_from(now).unwrap_or(0)))
    }

    /// How long ago a message arrived, by the database's clock.
    pub async fn age(&self, message: &KeptMessage) -> sqlx::Result<Duration> {
        let arrived = u64::try_from(message.received_at.as_millisecond()).unwrap_or(0);
        Ok(self.now().await?.saturating_sub(Duration::from_millis(arrived)))
    }

    /// Writes a copy of the database into an empty file, or one that does not exist yet, as of one
    /// moment. Others may read meanwhile, and wait to write. SQLite only.
    pub async fn back_up(&self, file: &str) -> sqlx::Result<()> {
        let pool = self.open().await?;
        sqlx::query("VACUUM INTO $1").bind(file.to_owned()).execute(&pool).await?;
        Ok(())
    }

    /// Whether the database is a file.
    pub fn is_file(&self) -> bool {
        schema::sqlite_file(&self.database_url).is_some()
    }
}
