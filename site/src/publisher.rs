//! Builds editions off the request path and swaps the newest one in.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::Context;
use arc_swap::{ArcSwap, ArcSwapOption, Guard};
use sha2::{Digest, Sha256};
use tokio::sync::watch;

use crate::{
    assets::Assets,
    content::Content,
    edition::{self, Edition},
    encodings::Encodings,
    fragments::FragmentStore,
    resource::Resource,
    sidecar::Sidecar,
};

/// How often the copy and the assets are looked at.
const WATCH_INTERVAL: Duration = Duration::from_secs(1);
/// The first pause after a failed build, and each one while there is nothing to serve yet; each
/// further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
/// The longest pause after a failed build.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// The copy that a release build carries.
const EMBEDDED_CONTENT: &str = include_str!("../content/site.toml");
/// Where the copy lies in the source tree.
const SOURCE_CONTENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/content/site.toml");

/// Where the copy is read from.
#[derive(Clone, Debug)]
pub enum ContentSource {
    /// The text in the binary.
    Embedded,
    /// A file that may change.
    File(PathBuf),
}

impl ContentSource {
    /// The file that was asked for; without one, the source tree's in a development build and the
    /// embedded copy in a release build.
    pub fn new(file: Option<&Path>) -> Self {
        match file {
            Some(file) => Self::File(file.to_owned()),
            None if cfg!(debug_assertions) => Self::File(SOURCE_CONTENT.into()),
            None => Self::Embedded,
        }
    }

    /// Reads and checks the copy.
    pub fn load(&self) -> anyhow::Result<Content> {
        Ok(Content::parse(&self.name(), &self.text()?)?)
    }

    fn text(&self) -> anyhow::Result<String> {
        match self {
            Self::Embedded => Ok(EMBEDDED_CONTENT.to_owned()),
            Self::File(path) => std::fs::read_to_string(path)
                .with_context(|| format!("the content file {} can't be read", path.display())),
        }
    }

    fn name(&self) -> String {
        match self {
            Self::Embedded => "site.toml".to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }
}

/// What an edition is made from, as far as it changes while the site runs.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Inputs {
    content: Vec<u8>,
    assets: Option<[u8; 32]>,
}

/// What one step of the publisher did.
#[derive(Debug)]
pub enum Step {
    /// A new edition is being served.
    Published,
    /// Copy and assets are those of the edition that is being served.
    Unchanged,
    /// The build failed; what was served before is still being served.
    Failed(anyhow::Error),
}

/// Holds the current edition and builds the next one.
pub struct Publisher {
    source: ContentSource,
    sidecar: Sidecar,
    store: FragmentStore,
    encodings: Arc<Encodings>,
    unavailable: Resource,
    content: ArcSwap<Content>,
    current: ArcSwapOption<Edition>,
    editions: watch::Sender<u64>,
}

impl Publisher {
    /// Checks copy and assets; fails where no edition could ever come of them.
    /// What can be used again after a restart is kept in the state folder.
    pub fn new(source: ContentSource, sidecar: Sidecar, state_dir: &Path) -> anyhow::Result<Self> {
        let store = FragmentStore::new(state_dir);
        let encodings = Arc::new(Encodings::new(state_dir));
        let content = source.load()?;
        let unavailable = edition::unavailable(&content, &Assets::load()?)?;
        let content = ArcSwap::from_pointee(content);
        let current = ArcSwapOption::empty();
        let editions = watch::Sender::new(0);
        Ok(Self { source, sidecar, store, encodings, unavailable, content, current, editions })
    }

    /// The copy that was last found to be in order.
    pub fn content(&self) -> Arc<Content> {
        self.content.load_full()
    }

    /// The edition that is being served, once there is one.
    pub fn current(&self) -> Guard<Option<Arc<Edition>>> {
        self.current.load()
    }

    /// What is served before there is an edition.
    pub fn unavailable(&self) -> &Resource {
        &self.unavailable
    }

    /// Tells of each new edition by its number, counted from 1.
    pub fn editions(&self) -> watch::Receiver<u64> {
        self.editions.subscribe()
    }

    /// Publishes whenever copy or assets change, until it is dropped.
    pub async fn run(&self) {
        let mut published = None;
        let mut pause = FIRST_PAUSE;
        let mut last_failure = String::new();
        loop {
            let wait = match self.step(&mut published).await {
                Step::Published => {
                    if !last_failure.is_empty() {
                        tracing::info!("the edition could be built after all");
                    }
                    last_failure.clear();
                    WATCH_INTERVAL
                }
                Step::Unchanged => WATCH_INTERVAL,
                Step::Failed(error) => {
                    let failure = format!("{error:#}");
                    if failure != last_failure {
                        tracing::warn!("no new edition yet, trying again: {failure}");
                        last_failure = failure;
                        pause = FIRST_PAUSE;
                    }
                    let wait = pause;
                    if self.current().is_some() {
                        pause = (pause * 2).min(LONGEST_PAUSE);
                    }
                    wait
                }
            };
            tokio::time::sleep(wait).await;
        }
    }

    /// Publishes once, if copy or assets differ from those that were published.
    async fn step(&self, published: &mut Option<Inputs>) -> Step {
        let inputs = match self.inputs() {
            Ok(inputs) => inputs,
            Err(error) => return Step::Failed(error),
        };
        if published.as_ref() == Some(&inputs) {
            return Step::Unchanged;
        }
        match self.publish().await {
            Ok(()) => {
                *published = Some(inputs);
                Step::Published
            }
            Err(error) => Step::Failed(error),
        }
    }

    fn inputs(&self) -> anyhow::Result<Inputs> {
        let content = Sha256::digest(self.source.text()?).to_vec();
        Ok(Inputs { content, assets: Assets::fingerprint() })
    }

    /// Builds an edition of what copy and assets are now, and swaps it in.
    pub async fn publish(&self) -> anyhow::Result<()> {
        let edition = Arc::new(self.build().await?);
        let pruned =
            self.store.prune(edition.fragments()).await.and_then(|()| self.encodings.prune());
        if let Err(error) = pruned {
            tracing::warn!(%error, "what is no longer used can't be removed from the state folder");
        }
        self.current.store(Some(edition));
        self.editions.send_modify(|number| *number += 1);
        tracing::info!(edition.number = *self.editions.borrow(), "published");
        Ok(())
    }

    async fn build(&self) -> anyhow::Result<Edition> {
        let content = Arc::new(self.source.load()?);
        self.content.store(Arc::clone(&content));
        let assets = Arc::new(Assets::load()?);
        let sections = edition::sections(&content);
        let fragments = self.store.complete(&self.sidecar, assets.bundle(), &sections).await?;
        let encodings = Arc::clone(&self.encodings);
        tokio::task::spawn_blocking(move || Edition::build(content, assets, fragments, &encodings))
            .await?
    }
}
