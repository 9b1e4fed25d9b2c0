//! Background tasks: opening the database, delivery, cleaning up, reminding.

use std::{collections::HashMap, pin::pin, sync::Arc, time::Duration};

use tokio::time::{Instant, sleep, timeout};

use crate::{
    config::Handling,
    contact::{
        delivery::{Delivery, Step},
        outbox::{LEASE, Outbox},
    },
    metrics::{Metrics, Trouble},
    publisher::Publisher,
    state::App,
};

/// How long the delivery sleeps at most: a retry may be due, or another process may have stored
/// a message.
const DELIVERY_INTERVAL: Duration = Duration::from_secs(5);
/// How long to wait before trying again to open the database.
const DATABASE_INTERVAL: Duration = Duration::from_secs(5);
/// How often one kind of trouble is reported.
const REPORT_INTERVAL: Duration = Duration::from_secs(10);
/// After how long without another one a kind of trouble is over.
const QUIET: Duration = Duration::from_mins(1);
/// How often what is no longer needed is cleared away.
const CLEARING_INTERVAL: Duration = Duration::from_mins(1);
/// How long the database may take for that.
const CLEARING_DEADLINE: Duration = Duration::from_mins(10);
/// How often it is said that the copy wants to be renewed.
const REMINDER_INTERVAL: Duration = Duration::from_hours(24);
/// How many messages that a machine may have written are kept.
const SUSPECTED_LIMIT: u32 = 100_000;

/// Opens the database as soon as that is possible; until then pages are served and messages refused.
pub async fn open_database(outbox: Outbox) {
    let mut refused = false;
    while let Err(error) = outbox.open().await {
        if !refused {
            tracing::error!(
                %error,
                "the contact database can't be opened (DATABASE_URL, STATE_DIR): messages are \
                 refused until it can"
            );
        }
        refused = true;
        sleep(DATABASE_INTERVAL).await;
    }
    if refused {
        tracing::info!("the contact database could be opened after all");
    }
}

/// Delivers messages as they come, until it is told to stop. A mail that is on its way then is
/// brought to its end: cut off, it would go out a second time.
pub async fn deliver(app: Arc<App>, delivery: Delivery) {
    let mut unusable = false;
    while !*app.stopping.borrow() {
        let step = match app.outbox.open().await {
            Ok(_) => {
                // After that the lease is over: what is still being done is another process's to do.
                let copy = app.publisher.copy();
                let step = timeout(LEASE, delivery.step(&copy)).await;
                step.unwrap_or(Err(sqlx::Error::PoolTimedOut))
            }
            Err(error) => Err(error),
        };
        if let Err(error) = &step
            && !unusable
        {
            tracing::error!(%error, "the outbox can't be used; trying again");
        } else if step.is_ok() && unusable {
            tracing::info!("the outbox can be used again");
        }
        unusable = step.is_err();
        let worked = match step {
            Ok(Step::Delivered) => Some("delivered"),
            Ok(Step::Postponed) => Some("postponed"),
            Ok(Step::Dead) => Some("dead"),
            Ok(Step::Idle) | Err(_) => None,
        };
        if let Some(result) = worked {
            app.metrics.delivery(result);
            continue;
        }
        tokio::select! {
            () = app.stopped() => {}
            _ = timeout(DELIVERY_INTERVAL, app.stored.notified()) => {}
        }
    }
}

/// Reports troubles: of each kind at once when the first one comes, then how many there were, at
/// most once in [`REPORT_INTERVAL`]; and when there have been none for [`QUIET`]. Ends with the work
/// in which they may come, and with a last report.
pub async fn report(metrics: &Metrics, work: impl Future) {
    let mut work = pin!(work);
    let mut reported = HashMap::new();
    loop {
        let news = timeout(QUIET, metrics.trouble.notified());
        tokio::select! {
            _ = &mut work => break,
            _ = news => report_new(metrics, &mut reported),
        }
        tokio::select! {
            _ = &mut work => break,
            () = sleep(REPORT_INTERVAL) => {}
        }
    }
    report_new(metrics, &mut reported);
}

/// A kind of trouble that was reported.
struct Reported {
    count: u64,
    at: Instant,
    over: bool,
}

fn report_new(metrics: &Metrics, reported: &mut HashMap<Trouble, Reported>) {
    for (kind, count, cause) in metrics.troubles() {
        let before = reported.get(&kind).map_or(0, |reported| reported.count);
        if count > before {
            let (new, what) = (count - before, kind.sentence());
            if kind.is_ours() {
                tracing::error!(trouble = %kind, count = new, cause, "{what}");
            } else {
                tracing::warn!(trouble = %kind, count = new, "{what}");
            }
            reported.insert(kind, Reported { count, at: Instant::now(), over: false });
        } else if let Some(last) = reported.get_mut(&kind)
            && !last.over
            && last.at.elapsed() >= QUIET
        {
            last.over = true;
            tracing::info!(trouble = %kind, "over: none of this for a minute");
        }
    }
}

/// Reminds of what runs out while nobody changes the copy; each edition does so, too. Never returns.
pub async fn remind(publisher: Arc<Publisher>) {
    loop {
        sleep(REMINDER_INTERVAL).await;
        publisher.remind();
    }
}

/// Whether messages may be deleted by the database's clock. One that is ahead for a while, such as at a start
/// before the time is known, must not delete them all.
#[derive(Default)]
struct SteadyClock(Option<(Instant, Duration)>);

impl SteadyClock {
    /// How long the clock has to go as this process's own does.
    const TRIAL: Duration = Duration::from_hours(1);
    /// By how much the two may differ then: messages are kept for days.
    const TOLERANCE: Duration = Duration::from_hours(2);

    /// Takes what the two clocks say.
    fn is_steady(&mut self, own: Instant, database: Duration) -> bool {
        let (since, then) = *self.0.get_or_insert((own, database));
        let passed = own - since;
        if database.abs_diff(then + passed) > Self::TOLERANCE {
            self.0 = Some((own, database));
            return false;
        }
        passed >= Self::TRIAL
    }
}

/// Deletes messages after so many days and suspected ones beyond so many, and forgets idle clients.
/// Never returns.
pub async fn clean_up(app: Arc<App>, handling: Handling) {
    let mut interval = tokio::time::interval(CLEARING_INTERVAL);
    let mut clock = SteadyClock::default();
    let mut failing = false;
    loop {
        interval.tick().await;
        app.guard.forget_idle_clients();
        app.arrivals.forget_empty_lines();
        let cleared =
            timeout(CLEARING_DEADLINE, clear_outbox(&app.outbox, handling, &mut clock)).await;
        match cleared.unwrap_or(Err(sqlx::Error::PoolTimedOut)) {
            Ok(()) => failing = false,
            Err(_) if failing => {}
            Err(error) => {
                tracing::error!(%error, "messages can't be cleared away");
                failing = true;
            }
        }
    }
}

async fn clear_outbox(
    outbox: &Outbox,
    handling: Handling,
    clock: &mut SteadyClock,
) -> sqlx::Result<()> {
    outbox.forget_acknowledgements().await?;
    let suspected = outbox.make_room(SUSPECTED_LIMIT).await?;
    if suspected > 0 {
        tracing::warn!(
            deleted = suspected,
            "the oldest of the suspected messages made room: there are more than {SUSPECTED_LIMIT}"
        );
    }
    if let Some(days) = handling.retention_days
        && clock.is_steady(Instant::now(), outbox.now().await?)
    {
        let age = Duration::from_hours(24 * u64::from(days));
        let deleted = outbox.delete_old(age, handling.mailed).await?;
        if deleted > 0 {
            tracing::info!(deleted, "messages were deleted after their time");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_trusted_an_hour_after_it_was_set() {
        let own = Instant::now();
        let mut clock = SteadyClock::default();
        let mut is_steady = |minute: u64, set: u64| {
            let database = Duration::from_mins(minute) + Duration::from_hours(24 * set);
            clock.is_steady(own + Duration::from_mins(minute), database)
        };
        for (minute, days_ahead, wanted) in [
            (0, 9, false),
            (59, 9, false),
            (60, 9, true),
            (61, 400, false),
            (120, 400, false),
            (121, 9, false),
            (180, 9, false),
            (181, 9, true),
        ] {
            assert_eq!(is_steady(minute, days_ahead), wanted, "minute {minute}");
        }
    }
}
