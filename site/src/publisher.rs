//! Builds editions off the request path and swaps the newest one in.

mod attempts;
mod source;

use std::{
    io,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use anyhow::bail;
use arc_swap::{ArcSwap, Guard};
use maud::Markup;
use tokio::{
    runtime::Handle,
    sync::{Notify, watch},
    task::spawn_blocking,
};

use crate::{
    assets::Assets,
    builds::Builds,
    compression::{CODINGS, Coding},
    config::Handling,
    copy::SiteCopy,
    edition::{AsLast, Edition, Encoding},
    fragments::Fragments,
    headers::EveryAnswer,
    kept::KeptFiles,
    metrics::Metrics,
    sections::Section,
    sidecar::{RenderError, Sidecar},
    views::{contact::Recipient, hints},
};

use attempts::{FIRST_PAUSE, LONGEST_PAUSE};
pub use source::CopySource;

/// What an edition is made from, as far as it changes while the site runs.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Inputs {
    copy: String,
    assets: [u8; 32],
}

/// Whom editions are made for. Only visitors are served the last good one where none can be made: anybody
/// else would take it for what was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Those of a site, whose last good edition is kept.
    Visitors,
    /// Nobody: they are for a command beside the site that has the same state folder.
    Command,
    /// Those who try a copy: every page says so.
    Reviewers,
}

/// Holds the current edition and builds the next one.
pub struct Publisher {
    source: CopySource,
    audience: Audience,
    recipient: Recipient,
    sidecar: Sidecar,
    kept: KeptFiles,
    builds: Builds,
    every: EveryAnswer,
    metrics: Arc<Metrics>,
    codings: &'static [Coding],
    longest_pause: Duration,
    current: ArcSwap<Edition>,
    editions: watch::Sender<u64>,
    refusal: watch::Sender<String>,
    standing: Mutex<Standing>,
    /// The edition that is served, where it could not be kept, and when that was tried.
    unkept: Mutex<Option<(AsLast, Instant)>>,
    look: Notify,
}

/// What the log says before the cause.
const UNKEPT: &str = "what was made can't be kept in the state folder";

/// What the log says before the cause.
const RESTORED: &str = "the last good edition is served, because no new one can be made";

/// Whether what is served is up to date.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// The last edition of an earlier process is served.
    pub restored: bool,
    /// Why there is no newer edition, and since when.
    pub refused: Option<(String, Instant)>,
    /// Since when the sidecar has not answered, or has run other components than the assets were built
    /// from.
    pub sidecar_away: Option<Instant>,
    /// Why the state folder lacks what a start without a sidecar needs, and since when.
    pub unkept: Option<(String, Instant)>,
}

impl Publisher {
    /// Checks copy and assets; fails where no edition could ever come of them. Where the copy can't be
    /// read, visitors are served the last good edition, if there is one. What can be used again after a restart
    /// is kept in the state folder; `every` has the headers of every answer.
    pub fn new(
        source: CopySource,
        audience: Audience,
        handling: Handling,
        sidecar: Sidecar,
        state_dir: &Path,
        every: EveryAnswer,
    ) -> anyhow::Result<Self> {
        let kept = KeptFiles::new(state_dir);
        let recipient = Recipient::Site(handling);
        let assets = Arc::new(Assets::load()?.completed(&every));
        let (edition, refused) = match source.load() {
            Ok(copy) => (Edition::unavailable(Arc::new(copy), assets, &recipient, &every)?, None),
            Err(error) if audience != Audience::Visitors => return Err(error),
            Err(error) => {
                let with = Encoding { codings: &CODINGS, kept: &kept, every: &every };
                let copy = |text: &str| source.parse(text).map(Arc::new);
                match Edition::restore(copy, assets, &recipient, with) {
                    Some(Ok(edition)) => (edition, Some(error)),
                    Some(Err(_)) | None => return Err(error),
                }
            }
        };
        let publisher = Self {
            source,
            audience,
            recipient,
            sidecar,
            kept,
            builds: Builds::new(state_dir),
            every,
            metrics: Arc::default(),
            codings: &CODINGS,
            longest_pause: LONGEST_PAUSE,
            current: ArcSwap::from_pointee(edition),
            editions: watch::Sender::new(0),
            refusal: watch::Sender::default(),
            standing: Mutex::default(),
            unkept: Mutex::default(),
            look: Notify::new(),
        };
        if let Some(error) = refused {
            let mut standing = publisher.standing.lock().unwrap_or_else(PoisonError::into_inner);
            publisher.restored(&mut standing);
            tracing::error!("{RESTORED}: {error:#}");
        }
        Ok(publisher)
    }

    /// For somebody who waits for each edition: pages are not compressed, tries don't become rarer.
    #[must_use]
    pub fn hurried(self) -> Self {
        Self { codings: &[], longest_pause: FIRST_PAUSE, ..self }
    }

    /// For pages whose messages somebody else takes than this site.
    #[must_use]
    pub fn for_recipient(self, recipient: Recipient) -> Self {
        Self { recipient, ..self }
    }

    /// What is counted while this publishes.
    pub fn metrics(&self) -> &Arc<Metrics> {
        &self.metrics
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

    /// Whether what is served is up to date.
    pub fn standing(&self) -> Standing {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Asks the sidecar whether the next change could be rendered.
    pub async fn check_sidecar(&self) -> Result<(), RenderError> {
        let bundle = self.current().assets().bundle().to_owned();
        self.sidecar.check(&bundle).await
    }

    /// Warns of what an owner should look at in the copy that is served.
    pub fn remind(&self) {
        for hint in hints(&self.copy()) {
            tracing::warn!("{}: {hint}", self.copy_name());
        }
    }

    /// The files of the last builds.
    pub fn builds(&self) -> &Builds {
        &self.builds
    }

    /// The headers of every answer.
    pub fn every_answer(&self) -> &EveryAnswer {
        &self.every
    }

    /// Looks at copy and assets at once, and tries again what was refused.
    pub fn look_now(&self) {
        self.look.notify_one();
    }

    /// Serves visitors the last good edition where there is none yet. Returns whether it is served.
    async fn restore(self: &Arc<Self>) -> bool {
        let unavailable = self.current.load_full();
        if unavailable.is_available() || self.audience != Audience::Visitors {
            return self.standing().restored;
        }
        let this = Arc::clone(self);
        let restore = move || {
            let assets = Arc::new(Assets::load()?.completed(&this.every));
            let copy = |text: &str| {
                // Words of the form and of the mails; another version's copy may lack some.
                let copy = this.source.parse(text).or_else(|_| this.source.load());
                Ok(Arc::new(copy?))
            };
            Edition::restore(copy, assets, &this.recipient, this.encoding()).transpose()
        };
        let restored: Result<anyhow::Result<_>, _> = spawn_blocking(restore).await;
        match restored.map_err(anyhow::Error::from).flatten() {
            Ok(Some(edition)) => {
                let mut standing = self.standing.lock().unwrap_or_else(PoisonError::into_inner);
                // A newer one that has come meanwhile stays.
                let before = self.current.compare_and_swap(&unavailable, Arc::new(edition));
                if Arc::ptr_eq(&before, &unavailable) {
                    self.restored(&mut standing);
                }
            }
            Ok(None) => {}
            Err(error) => tracing::error!("the last good edition can't be served: {error:#}"),
        }
        self.standing().restored
    }

    /// Notes that the last good edition is served.
    fn restored(&self, standing: &mut Standing) {
        standing.restored = true;
        self.editions.send_modify(|number| *number += 1);
    }

    fn encoding(&self) -> Encoding<'_> {
        Encoding { codings: self.codings, kept: &self.kept, every: &self.every }
    }

    /// Notes why there is no newer edition; returns since when the sidecar has been away, if that is why.
    fn stand(&self, cause: &str, sidecar_away: bool) -> Option<Instant> {
        let mut standing = self.standing.lock().unwrap_or_else(PoisonError::into_inner);
        let since = standing.refused.as_ref().map_or_else(Instant::now, |(_, since)| *since);
        standing.refused = Some((cause.to_owned(), since));
        let away = standing.sidecar_away.unwrap_or_else(Instant::now);
        standing.sidecar_away = sidecar_away.then_some(away);
        standing.sidecar_away
    }

    /// Builds an edition of what copy and assets are now, and swaps it in.
    pub async fn publish(self: &Arc<Self>) -> anyhow::Result<()> {
        let inputs = self.read().await?;
        self.build(inputs, false).await.map(drop)
    }

    /// Makes all that the next start needs from the sidecar; fails where it can't be kept.
    pub async fn prepare(self: &Arc<Self>) -> anyhow::Result<()> {
        self.publish().await?;
        match self.standing().unkept {
            Some((cause, _)) => bail!("{UNKEPT}: {cause}"),
            None => Ok(()),
        }
    }

    /// One section by itself, as the current assets' bundle renders it.
    pub async fn render(&self, section: Section) -> Result<Markup, RenderError> {
        let mut fragments = Fragments::new(self.current().assets().bundle());
        fragments.ask(section.clone());
        fragments.complete(&self.kept, &self.sidecar).await?;
        Ok(fragments.ask(section))
    }

    /// Keeps the edition that is served now, after its build was; where that fails it is tried again.
    fn keep(&self, last: Option<AsLast>, build: io::Result<()>) {
        // Each by itself: what has no room doesn't stand in another's way.
        let edition = last.as_ref().map_or(Ok(()), |last| last.keep(&self.kept));
        let kept = build.and(edition).and(self.kept.complete());
        let mut unkept = self.unkept.lock().unwrap_or_else(PoisonError::into_inner);
        *unkept = last.filter(|_| kept.is_err()).map(|last| (last, Instant::now()));
        let mut standing = self.standing.lock().unwrap_or_else(PoisonError::into_inner);
        match (kept, standing.unkept.take()) {
            (Ok(()), Some(_)) => tracing::info!("what was made is kept after all"),
            (Err(error), None) => {
                tracing::error!(%error, "{UNKEPT}: a start without a sidecar will serve earlier pages, or none");
                standing.unkept = Some((error.to_string(), Instant::now()));
            }
            (Err(error), Some((_, since))) => standing.unkept = Some((error.to_string(), since)),
            (Ok(()), None) => {}
        }
    }

    async fn read(self: &Arc<Self>) -> anyhow::Result<Inputs> {
        let this = Arc::clone(self);
        let read = move || Ok(Inputs { copy: this.source.text()?, assets: Assets::fingerprint()? });
        spawn_blocking(read).await?
    }

    /// Builds an edition of the very text that was read, and swaps it in; returns what it was made
    /// from. On a thread of its own: it reads files and compresses. `refused` marks a draft of before once
    /// a newer one was refused, which is no new edition.
    async fn build(self: &Arc<Self>, inputs: Inputs, refused: bool) -> anyhow::Result<Inputs> {
        let this = Arc::clone(self);
        let build = move || {
            let copy = Arc::new(this.source.parse(&inputs.copy)?);
            let assets = Assets::load()?.completed(&this.every);
            let is_draft = this.audience == Audience::Reviewers;
            let assets = Arc::new(if is_draft { assets.of_a_draft(refused) } else { assets });
            let inputs = Inputs { assets: assets.digest(), ..inputs };
            let copy = (copy, inputs.copy.as_str());
            // Before a page names them.
            let build = this.builds.keep(&assets);
            let edition =
                Edition::build(copy, assets, &this.recipient, &this.sidecar, this.encoding());
            let (edition, as_last) = Handle::current().block_on(edition)?;
            let edition = Arc::new(edition);
            {
                let mut standing = this.standing.lock().unwrap_or_else(PoisonError::into_inner);
                this.current.store(edition);
                standing.restored = false;
            }
            if refused {
                return Ok(inputs);
            }
            let last = (this.audience == Audience::Visitors).then_some(as_last);
            this.keep(last, build);
            this.metrics.published();
            this.editions.send_modify(|number| *number += 1);
            tracing::info!(edition.number = *this.editions.borrow(), "published");
            this.remind();
            Ok(inputs)
        };
        spawn_blocking(build).await?
    }
}
