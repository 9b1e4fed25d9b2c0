//! Builds editions off the request path and swaps the newest one in.

mod source;

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use arc_swap::{ArcSwap, Guard};
use maud::Markup;
use tokio::{runtime::Handle, sync::watch, task::spawn_blocking};

use crate::{
    assets::Assets,
    compression::{CODINGS, Coding},
    config::Handling,
    copy::SiteCopy,
    edition::Edition,
    fragments::Fragments,
    kept::KeptFiles,
    sections::Section,
    sidecar::{RenderError, Sidecar},
};

pub use source::CopySource;

/// The first pause after a refused build; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
/// The longest pause after a refused build.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// What an edition is made from, as far as it changes while the site runs.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Inputs {
    copy: String,
    assets: [u8; 32],
}

/// What a look at copy and assets led to.
#[derive(Debug)]
enum Publication {
    /// A new edition is being served.
    New,
    /// There is nothing to do: what is served is of these inputs, or they were refused just now.
    Unchanged,
    /// No edition came of them; what was served before is still being served.
    Refused,
}

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

/// Holds the current edition and builds the next one.
pub struct Publisher {
    source: CopySource,
    handling: Option<Handling>,
    sidecar: Sidecar,
    kept: KeptFiles,
    codings: &'static [Coding],
    longest_pause: Duration,
    is_draft: bool,
    current: ArcSwap<Edition>,
    editions: watch::Sender<u64>,
    refusal: watch::Sender<String>,
}

impl Publisher {
    /// Checks copy and assets; fails where no edition could ever come of them.
    /// What can be used again after a restart is kept in the state folder.
    pub fn new(
        source: CopySource,
        handling: Handling,
        sidecar: Sidecar,
        state_dir: &Path,
    ) -> anyhow::Result<Self> {
        let (copy, assets) = (Arc::new(source.load()?), Arc::new(Assets::load()?));
        let handling = Some(handling);
        let unavailable = Edition::unavailable(copy, assets, handling)?;
        Ok(Self {
            source,
            handling,
            sidecar,
            kept: KeptFiles::new(state_dir),
            codings: &CODINGS,
            longest_pause: LONGEST_PAUSE,
            is_draft: false,
            current: ArcSwap::from_pointee(unavailable),
            editions: watch::Sender::new(0),
            refusal: watch::Sender::default(),
        })
    }

    /// For somebody who waits for each edition: pages are not compressed, tries don't become rarer.
    #[must_use]
    pub fn hurried(self) -> Self {
        Self { codings: &[], longest_pause: FIRST_PAUSE, ..self }
    }

    /// For pages behind which there is no server that takes messages: they have no form.
    #[must_use]
    pub fn without_form(self) -> Self {
        Self { handling: None, ..self }
    }

    /// For a copy that is only being tried: every page says so.
    #[must_use]
    pub fn of_a_draft(self) -> Self {
        Self { is_draft: true, ..self }
    }

    /// The edition that is being served; before the first one it answers with status 503.
    pub fn current(&self) -> Guard<Arc<Edition>> {
        self.current.load()
    }

    /// The copy of the edition that is being served.
    pub fn copy(&self) -> Arc<SiteCopy> {
        Arc::clone(self.current().copy())
    }

    /// What to call the place where the copy is read.
    pub fn copy_name(&self) -> String {
        self.source.name()
    }

    /// Tells of each new edition by its number, counted from 1.
    pub fn editions(&self) -> watch::Receiver<u64> {
        self.editions.subscribe()
    }

    /// Tells what is wrong with the copy, the assets or a component, so that there is no newer
    /// edition; empty while nothing is.
    pub fn refusal(&self) -> watch::Receiver<String> {
        self.refusal.subscribe()
    }

    /// Looks at copy and assets in this interval and publishes whenever they change, without end.
    pub async fn run(self: Arc<Self>, interval: Duration) {
        let mut progress = Progress::default();
        loop {
            let wait = match self.step(&mut progress).await {
                Publication::New | Publication::Unchanged => interval,
                Publication::Refused => progress
                    .refused
                    .as_ref()
                    .map_or(interval, |refused| refused.pause.min(interval)),
            };
            tokio::time::sleep(wait).await;
        }
    }

    /// Publishes once, if copy or assets differ from those that were published.
    async fn step(self: &Arc<Self>, progress: &mut Progress) -> Publication {
        let inputs = match self.read().await {
            Ok(inputs) => inputs,
            Err(error) => return self.refuse(progress, None, &error),
        };
        if progress.published.as_ref() == Some(&inputs) {
            self.clear_refusal(progress);
            return Publication::Unchanged;
        }
        let still_pausing = |refused: &Refused| {
            refused.inputs.as_ref() == Some(&inputs) && refused.at.elapsed() < refused.pause
        };
        if progress.refused.as_ref().is_some_and(still_pausing) {
            return Publication::Unchanged;
        }
        match self.build(inputs.clone()).await {
            Ok(published) => {
                progress.published = Some(published);
                self.clear_refusal(progress);
                Publication::New
            }
            Err(error) => self.refuse(progress, Some(inputs), &error),
        }
    }

    fn refuse(
        &self,
        progress: &mut Progress,
        inputs: Option<Inputs>,
        error: &anyhow::Error,
    ) -> Publication {
        let cause = format!("{error:#}");
        let before = progress.refused.take().filter(|before| before.inputs == inputs);
        if before.as_ref().is_none_or(|before| before.cause != cause) {
            tracing::warn!("no new edition yet, trying again: {cause}");
            let starting = error.downcast_ref().is_some_and(RenderError::is_of_a_start);
            self.refusal.send_replace(if starting { String::new() } else { cause.clone() });
        }
        let pause = before.map_or(FIRST_PAUSE, |before| (before.pause * 2).min(self.longest_pause));
        progress.refused = Some(Refused { inputs, cause, at: Instant::now(), pause });
        Publication::Refused
    }

    fn clear_refusal(&self, progress: &mut Progress) {
        if progress.refused.take().is_some() {
            tracing::info!("what is served is up to date again");
            self.refusal.send_replace(String::new());
        }
    }

    /// Builds an edition of what copy and assets are now, and swaps it in.
    pub async fn publish(self: &Arc<Self>) -> anyhow::Result<()> {
        let inputs = self.read().await?;
        self.build(inputs).await.map(drop)
    }

    /// One section by itself, as the current assets' bundle renders it.
    pub async fn render(&self, section: Section) -> Result<Markup, RenderError> {
        let mut fragments = Fragments::new(self.current().assets().bundle());
        fragments.ask(section.clone());
        fragments.complete(&self.kept, &self.sidecar).await?;
        Ok(fragments.ask(section))
    }

    async fn read(self: &Arc<Self>) -> anyhow::Result<Inputs> {
        let this = Arc::clone(self);
        let read = move || Ok(Inputs { copy: this.source.text()?, assets: Assets::fingerprint()? });
        spawn_blocking(read).await?
    }

    /// Builds an edition of the very text that was read, and swaps it in; returns what it was made
    /// from. On a thread of its own: it reads files and compresses.
    async fn build(self: &Arc<Self>, inputs: Inputs) -> anyhow::Result<Inputs> {
        let this = Arc::clone(self);
        let build = move || {
            let copy = Arc::new(this.source.parse(&inputs.copy)?);
            let assets = Assets::load()?;
            let assets = Arc::new(if this.is_draft { assets.of_a_draft() } else { assets });
            let inputs = Inputs { assets: assets.digest(), ..inputs };
            let (sidecar, kept) = (&this.sidecar, &this.kept);
            let edition = Edition::build(copy, assets, this.handling, sidecar, kept, this.codings);
            this.current.store(Arc::new(Handle::current().block_on(edition)?));
            if let Err(error) = this.kept.prune() {
                tracing::warn!(%error, "what no page uses can't be removed from the state folder");
            }
            this.editions.send_modify(|number| *number += 1);
            tracing::info!(edition.number = *this.editions.borrow(), "published");
            Ok(inputs)
        };
        spawn_blocking(build).await?
    }
}
