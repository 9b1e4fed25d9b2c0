//! Looks at copy and assets again and again, and tries again what was refused.

use std::{
    io,
    pin::pin,
    sync::{Arc, PoisonError},
    time::{Duration, Instant},
};

use tokio::{task::spawn_blocking, time::timeout};

use crate::{copy::CopyError, edition::AsLast, sidecar::RenderError};

use super::{Audience, Inputs, Publisher, RESTORED, Standing, UNKEPT};

/// The first pause after a refused build; each further one is twice as long.
pub(super) const FIRST_PAUSE: Duration = Duration::from_millis(50);
/// The longest pause after a refused build.
pub(super) const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// A sidecar that is being started or replaced is away for less than this, and nobody is told.
const START: Duration = Duration::from_secs(10);
/// When the first edition takes longer than this, the last good one is served meanwhile.
const RESTORE_AFTER: Duration = Duration::from_secs(1);
/// How often it is tried again to keep what could not be kept.
const KEEP_INTERVAL: Duration = Duration::from_secs(5);

/// How far the publisher has come with what it saw last.
#[derive(Default)]
struct Progress {
    published: Option<Inputs>,
    refused: Option<Refused>,
}

/// Inputs that no edition came of.
struct Refused {
    /// `None` where they could not be read.
    inputs: Option<Inputs>,
    cause: String,
    at: Instant,
    pause: Duration,
}

/// Why no edition came of it, in a word for the metrics, and whether it is the sidecar's absence.
fn kind_of(error: &anyhow::Error) -> (&'static str, bool) {
    match error.downcast_ref() {
        Some(RenderError::Unreachable { .. }) => ("sidecar_away", true),
        Some(RenderError::Bundle { .. }) => ("other_bundle", true),
        Some(RenderError::Contract(_)) => ("sidecar_answer", false),
        Some(RenderError::TooHeavy { .. } | RenderError::Sections { .. }) => ("section", false),
        None if error.is::<CopyError>() => ("copy", false),
        None => ("other", false),
    }
}

impl Publisher {
    /// Looks at copy and assets in this interval and publishes whenever they change, without end.
    pub async fn run(self: Arc<Self>, interval: Duration) {
        let mut progress = Progress::default();
        {
            let mut first = pin!(self.step(&mut progress));
            if timeout(RESTORE_AFTER, first.as_mut()).await.is_err() {
                if self.restore().await {
                    tracing::info!("the last good edition is served until the new one is made");
                }
                first.await;
            }
        }
        loop {
            let pause = progress.refused.as_ref().map(|refused| refused.pause);
            let wait = pause.map_or(interval, |pause| pause.min(interval));
            if timeout(wait, self.look.notified()).await.is_ok() {
                tracing::info!("looking at the copy and the assets, as asked");
                progress.refused = None;
            }
            self.step(&mut progress).await;
        }
    }

    /// Publishes once, if copy or assets differ from those that were published.
    async fn step(self: &Arc<Self>, progress: &mut Progress) {
        self.keep_again().await;
        let inputs = match self.read().await {
            Ok(inputs) => inputs,
            Err(error) => return self.refuse(progress, None, &error).await,
        };
        if progress.published.as_ref() == Some(&inputs) {
            return self.clear_refusal(progress);
        }
        let still_pausing = |refused: &Refused| {
            refused.inputs.as_ref() == Some(&inputs) && refused.at.elapsed() < refused.pause
        };
        if progress.refused.as_ref().is_some_and(still_pausing) {
            return;
        }
        match self.build(inputs.clone(), false).await {
            Ok(published) => {
                progress.published = Some(published);
                self.clear_refusal(progress);
                self.prune().await;
            }
            Err(error) => self.refuse(progress, Some(inputs), &error).await,
        }
    }

    /// Tries again to keep what is served, where it could not be kept a while ago.
    async fn keep_again(self: &Arc<Self>) {
        let this = Arc::clone(self);
        let due = |(_, tried): &mut (AsLast, Instant)| tried.elapsed() >= KEEP_INTERVAL;
        let last = this.unkept.lock().unwrap_or_else(PoisonError::into_inner).take_if(due);
        let Some((last, _)) = last else { return };
        let kept = move || this.keep(Some(last), this.builds.keep(this.current().assets()));
        if let Err(error) = spawn_blocking(kept).await {
            tracing::error!(%error, "{UNKEPT}");
        }
    }

    /// Removes what its pages have not used for a day, which only a site knows that serves them.
    async fn prune(self: &Arc<Self>) {
        let this = Arc::clone(self);
        let pruned = spawn_blocking(move || this.kept.prune()).await;
        match pruned.map_err(io::Error::from).flatten() {
            Ok(left) => {
                self.metrics.kept_files.set(i64::try_from(left).unwrap_or(i64::MAX));
            }
            Err(error) => {
                tracing::warn!(%error, "what no page uses can't be removed from the state folder");
            }
        }
    }

    async fn refuse(
        self: &Arc<Self>,
        progress: &mut Progress,
        inputs: Option<Inputs>,
        error: &anyhow::Error,
    ) {
        let cause = format!("{error:#}");
        let before = progress.refused.take().filter(|before| before.inputs == inputs);
        let (kind, sidecar_away) = kind_of(error);
        self.metrics.no_edition(kind);
        let away = self.stand(&cause, sidecar_away);
        if before.as_ref().is_none_or(|before| before.cause != cause) {
            if self.restore().await {
                tracing::error!("{RESTORED}: {cause}");
            }
            tracing::warn!("no new edition yet, trying again: {cause}");
            self.mark_outdated(progress).await;
        }
        let starting = away.is_some_and(|since| since.elapsed() < START);
        let told = if starting { String::new() } else { cause.clone() };
        self.refusal.send_if_modified(|before| {
            let differs = *before != told;
            *before = told;
            differs
        });
        let pause = before.map_or(FIRST_PAUSE, |before| (before.pause * 2).min(self.longest_pause));
        progress.refused = Some(Refused { inputs, cause, at: Instant::now(), pause });
    }

    /// Says on a draft's pages that they are older than its file: whoever reloads them doesn't see the log.
    async fn mark_outdated(self: &Arc<Self>, progress: &mut Progress) {
        if self.audience != Audience::Reviewers {
            return;
        }
        // Taken, so that the same inputs are published without the mark when they come back.
        if let Some(shown) = progress.published.take()
            && let Err(error) = self.build(shown, true).await
        {
            tracing::warn!("the pages don't say that they are older: {error:#}");
        }
    }

    fn clear_refusal(&self, progress: &mut Progress) {
        {
            let mut standing = self.standing.lock().unwrap_or_else(PoisonError::into_inner);
            *standing = Standing { unkept: standing.unkept.take(), ..Standing::default() };
        }
        // A look that was asked for has forgotten the refusal, but not who was told of it.
        let told = self.refusal.send_if_modified(|cause| !std::mem::take(cause).is_empty());
        if progress.refused.take().is_some() || told {
            tracing::info!("what is served is up to date again");
        }
    }
}
