//! Carries messages from the outbox into mailboxes, one step at a time.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use lettre::Message;

use crate::{
    copy::SiteCopy,
    metrics::{Metrics, Trouble},
};

use super::{
    mailer::{MailError, Mailer},
    outbox::{ATTEMPTS, KeptMessage, LONGEST_PAUSE, Outbox},
};

/// The pause after the first failed attempt; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_secs(30);

/// A message may wait for longer: until there is a mail server, say. Its sender has long known then.
const LATEST_ACKNOWLEDGEMENT: Duration = Duration::from_hours(7 * 24);

/// The pause between two messages that a machine may have written.
const SUSPECTED_PAUSE: Duration = Duration::from_secs(5);

/// What one step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// No message is due.
    Idle,
    /// A message was delivered.
    Delivered,
    /// An attempt failed; another one will follow.
    Postponed,
    /// A message was refused for good, or too often.
    Dead,
}

/// Delivers what is due.
pub struct Delivery {
    outbox: Outbox,
    mailer: Mailer,
    metrics: Arc<Metrics>,
    /// When the last suspected message had its turn.
    suspected: Mutex<Option<Instant>>,
}

impl Delivery {
    /// Takes messages from the outbox and gives them to the mailer.
    pub fn new(outbox: Outbox, mailer: Mailer, metrics: Arc<Metrics>) -> Self {
        Self { outbox, mailer, metrics, suspected: Mutex::default() }
    }

    /// Delivers the message that is due first. No transaction is open while mail is sent: the
    /// lease keeps other processes away, and ends by itself if this one dies.
    pub async fn step(&self, copy: &SiteCopy) -> sqlx::Result<Step> {
        let Some(kept) = self.claim().await? else { return Ok(Step::Idle) };
        if !kept.sent {
            if let Err(error) = self.send(self.mailer.to_team(&kept, copy)).await {
                return self.failed(&kept, &error).await;
            }
            if !self.outbox.sent(&kept).await? {
                tracing::warn!(
                    message.id = kept.submission_id,
                    "a delivery took longer than its lease, or its message was deleted meanwhile"
                );
                return Ok(Step::Postponed);
            }
        }
        self.acknowledge(&kept, copy).await
    }

    /// What people wrote comes first. What a machine may have written comes at its own pace: a flood
    /// must not become a flood of mail.
    async fn claim(&self) -> sqlx::Result<Option<KeptMessage>> {
        let kept = self.outbox.claim().await?;
        let last = *self.suspected.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.is_some() || last.is_some_and(|last| last.elapsed() < SUSPECTED_PAUSE) {
            return Ok(kept);
        }
        let kept = self.outbox.claim_suspected().await?;
        if kept.is_some() {
            let now = Some(Instant::now());
            *self.suspected.lock().unwrap_or_else(PoisonError::into_inner) = now;
        }
        Ok(kept)
    }

    async fn acknowledge(&self, kept: &KeptMessage, copy: &SiteCopy) -> sqlx::Result<Step> {
        if let Some(why) = self.unacknowledged(kept).await? {
            self.outbox.delivered(kept, false, why).await?;
            return Ok(Step::Delivered);
        }
        match self.send(self.mailer.to_visitor(kept, copy)).await {
            Ok(()) => self.outbox.delivered(kept, true, "").await?,
            Err(error @ MailError::Transient { .. }) if kept.attempts < ATTEMPTS => {
                return self.failed(kept, &error).await;
            }
            // The team has the message; an acknowledgement that nobody takes is no reason to stop.
            Err(error) => {
                let error = format!("not acknowledged: {error}");
                self.outbox.delivered(kept, false, &error).await?;
            }
        }
        Ok(Step::Delivered)
    }

    /// Why the sender gets no acknowledgement, where that is so. The address of a suspected message is
    /// likely to be a bystander's.
    async fn unacknowledged(&self, kept: &KeptMessage) -> sqlx::Result<Option<&'static str>> {
        if !kept.suspicion.is_empty() {
            return Ok(Some(""));
        }
        if self.outbox.age(kept).await? > LATEST_ACKNOWLEDGEMENT {
            return Ok(Some("not acknowledged: the message is more than a week old"));
        }
        let may = self.outbox.may_acknowledge(kept).await?;
        Ok((!may).then_some("not acknowledged: the address has been sent as many as it may"))
    }

    async fn send(&self, mail: Result<Message, MailError>) -> Result<(), MailError> {
        self.mailer.send(mail?).await
    }

    async fn failed(&self, kept: &KeptMessage, error: &MailError) -> sqlx::Result<Step> {
        let reason = match error {
            MailError::Transient { reason, .. } => reason.as_str(),
            MailError::Permanent(_) => "the mail was refused for good",
        };
        let again = matches!(error, MailError::Transient { .. }) && kept.attempts < ATTEMPTS;
        let pause = again.then(|| pause(kept.attempts));
        self.outbox.failed(kept, pause, &error.to_string()).await?;
        if again {
            self.metrics.trouble(Trouble::Postponed, reason);
            Ok(Step::Postponed)
        } else {
            tracing::error!(
                message.id = kept.submission_id,
                reason,
                "a message could not be delivered: see `site messages show`, then `site messages retry`"
            );
            Ok(Step::Dead)
        }
    }
}

/// Doubles with every attempt, up to the longest. Up to a quarter is added by chance, so that
/// messages that failed together are not all tried again together.
fn pause(attempts: u32) -> Duration {
    let times = 2u32.saturating_pow(attempts.saturating_sub(1));
    let pause = FIRST_PAUSE.saturating_mul(times).min(LONGEST_PAUSE);
    pause.mul_f64(rand::random_range(1.0..1.25))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest() {
        for (attempts, least) in
            [(1, FIRST_PAUSE), (2, FIRST_PAUSE * 2), (5, FIRST_PAUSE * 16), (60, LONGEST_PAUSE)]
        {
            let pause = pause(attempts);
            assert!(pause >= least && pause < least.mul_f64(1.25), "{attempts}: {pause:?}");
        }
    }
}
