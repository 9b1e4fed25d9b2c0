//! Leases: a message is given to one process for its delivery, and to the next one where that process
//! has not been heard of for too long.

use std::time::Duration;

use sha2::{Digest, Sha256};
use sqlx::{Any, FromRow, any::AnyArguments, query::Query};

use super::{
    super::address::mailable, KeptMessage, Outbox, State, milliseconds, query, schema::Dialect,
};

/// How long one delivery may take before another process may begin it again.
pub const LEASE: Duration = Duration::from_mins(3);

/// The longest pause between two attempts at a delivery, before chance adds up to a quarter.
pub const LONGEST_PAUSE: Duration = Duration::from_hours(6);

/// After so many attempts, about two days, a message is dead.
pub const ATTEMPTS: u32 = 16;

/// No pause is that long. What is put off for longer was put off while the database's clock was ahead, and
/// is due. A delivery that goes on while the clock is set back may be repeated.
const TOO_LONG: Duration = LONGEST_PAUSE.saturating_mul(2);

const DAY: Duration = Duration::from_hours(24);

impl Outbox {
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
             WHERE state = 'pending' AND {written} \
             AND (next_attempt_at <= {now} OR next_attempt_at > {now} + $2) \
             ORDER BY next_attempt_at LIMIT 1 {skip_locked}) RETURNING *"
        );
        let claim = query(claim).bind(milliseconds(LEASE)?).bind(milliseconds(TOO_LONG)?);
        let row = claim.fetch_optional(&self.open().await?).await?;
        row.map(|row| KeptMessage::from_row(&row)).transpose()
    }

    /// Notes that the team's mail went out; false where the lease has been lost meanwhile, or the message
    /// deleted.
    pub async fn sent(&self, lease: &KeptMessage) -> sqlx::Result<bool> {
        let now = self.dialect.now;
        let update = leased(&format!("sent_at = {now}"), lease);
        Ok(update.execute(&self.open().await?).await?.rows_affected() == 1)
    }

    /// Whether the sender of this message may be sent an acknowledgement: an address gets one an hour
    /// and three a day, whoever writes it into the form. Asked again for the same message, the
    /// answer is the same, unless another one of that address came between.
    pub async fn may_acknowledge(&self, lease: &KeptMessage) -> sqlx::Result<bool> {
        let now = self.dialect.now;
        let unless_same = |column: &str, shifted: &str| {
            format!(
                "{column} = CASE WHEN acknowledgements.submission_id = excluded.submission_id \
                 THEN acknowledgements.{column} ELSE {shifted} END"
            )
        };
        let second = unless_same("second", "acknowledgements.latest");
        let third = unless_same("third", "acknowledgements.second");
        let noted = query(format!(
            "INSERT INTO acknowledgements (address, submission_id, latest, second, third) \
             VALUES ($1, $2, {now}, 0, 0) ON CONFLICT (address) DO UPDATE SET \
             submission_id = excluded.submission_id, latest = excluded.latest, {second}, {third} \
             WHERE acknowledgements.submission_id = excluded.submission_id \
             OR (acknowledgements.latest <= {now} - $3 AND acknowledgements.third <= {now} - $4)"
        ))
        .bind(mailbox_digest(lease.email()))
        .bind(lease.submission_id.clone())
        .bind(milliseconds(Duration::from_hours(1))?)
        .bind(milliseconds(DAY)?);
        Ok(noted.execute(&self.open().await?).await?.rows_affected() == 1)
    }

    /// Forgets which addresses were sent acknowledgements more than a day ago, or while the clock was ahead.
    pub async fn forget_acknowledgements(&self) -> sqlx::Result<()> {
        let now = self.dialect.now;
        let delete = query(format!(
            "DELETE FROM acknowledgements WHERE latest < {now} - $1 OR latest > {now}"
        ));
        delete.bind(milliseconds(DAY)?).execute(&self.open().await?).await?;
        Ok(())
    }

    /// Ends the delivery: the team has the message, and the visitor an acknowledgement or, where
    /// `error` says so, none. One whose suspicion was taken meanwhile still waits for its own.
    pub async fn delivered(
        &self,
        lease: &KeptMessage,
        acknowledged: bool,
        error: &str,
    ) -> sqlx::Result<()> {
        let at = if acknowledged { self.dialect.now } else { "0" };
        let released =
            if lease.suspicion.is_empty() { "1 = 0" } else { "suspicion = '' AND answered_at = 0" };
        let set = format!(
            "state = CASE WHEN {released} THEN 'pending' ELSE 'delivered' END, \
             acknowledged_at = {at}, last_error = $3"
        );
        leased(&set, lease).bind(error.to_owned()).execute(&self.open().await?).await?;
        Ok(())
    }

    /// Gives the lease back: the message is due again after a pause that begins now, or dead where
    /// there is none; unless somebody has answered it meanwhile.
    pub async fn failed(
        &self,
        lease: &KeptMessage,
        pause: Option<Duration>,
        error: &str,
    ) -> sqlx::Result<()> {
        let now = self.dialect.now;
        let set = format!(
            "state = CASE WHEN answered_at > 0 THEN 'delivered' ELSE $3 END, \
             next_attempt_at = {now} + $4, last_error = $5"
        );
        let state = if pause.is_some() { State::Pending } else { State::Dead };
        leased(&set, lease)
            .bind(state.as_str())
            .bind(milliseconds(pause.unwrap_or_default())?)
            .bind(error.to_owned())
            .execute(&self.open().await?)
            .await?;
        Ok(())
    }
}

/// A digest of the mailbox that an address leads to, however it is spelled: case is ignored, as by nearly
/// every server, and so is what follows a `+` (RFC 5233), or one mailbox would have any number of addresses.
fn mailbox_digest(typed: &str) -> String {
    let mailed = mailable(typed).map_or_else(|| typed.to_owned(), |address| address.to_string());
    let mailed = mailed.to_lowercase();
    let (mailbox, domain) = mailed.rsplit_once('@').unwrap_or((&mailed, ""));
    let mailbox = mailbox.split_once('+').map_or(mailbox, |(mailbox, _)| mailbox);
    hex::encode(Sha256::digest(format!("{mailbox}@{domain}")))
}

/// A statement that changes nothing once somebody else has begun the delivery again.
fn leased(set: &str, lease: &KeptMessage) -> Query<'static, Any, AnyArguments> {
    query(format!("UPDATE messages SET {set} WHERE submission_id = $1 AND attempts = $2"))
        .bind(lease.submission_id.clone())
        .bind(i64::from(lease.attempts))
}
