//! Rendered fragments, kept on the disk by their key, so that a restart needs no sidecar.

use std::{
    collections::{HashMap, HashSet},
    io,
    path::{Path, PathBuf},
};

use tokio::fs;

use crate::{
    sections::Section,
    sidecar::{EDITION_DEADLINE, Fragment, FragmentKey, RenderError, Sidecar},
};

/// The fragments of one edition.
#[derive(Debug, Default)]
pub struct Fragments {
    bundle: String,
    html: HashMap<FragmentKey, Fragment>,
}

impl Fragments {
    /// The fragments that a bundle with this digest rendered.
    pub fn new(bundle: &str, html: HashMap<FragmentKey, Fragment>) -> Self {
        Self { bundle: bundle.to_owned(), html }
    }

    /// The same fragments and one more, where it could be rendered.
    #[must_use]
    pub fn with(&self, section: &Section, fragment: Option<Fragment>) -> Self {
        let mut html = self.html.clone();
        html.extend(fragment.map(|fragment| (FragmentKey::new(&self.bundle, section), fragment)));
        Self { bundle: self.bundle.clone(), html }
    }

    /// The HTML of a section, where it has been rendered.
    pub fn get(&self, section: &Section) -> Option<&Fragment> {
        self.html.get(&FragmentKey::new(&self.bundle, section))
    }
}

/// A folder of fragments: `STATE_DIR/fragments/`.
///
/// A fragment is a pure function of its key, so a file never goes stale; what the current edition
/// doesn't use is removed, so the folder doesn't grow.
#[derive(Clone, Debug)]
pub struct FragmentStore {
    folder: PathBuf,
}

impl FragmentStore {
    /// Uses a folder inside of the state folder; it is made when something is kept.
    pub fn new(state_dir: &Path) -> Self {
        Self { folder: state_dir.join("fragments") }
    }

    /// Returns all sections as this bundle renders them; asks the sidecar only for what isn't kept.
    pub async fn complete(
        &self,
        sidecar: &Sidecar,
        bundle: &str,
        sections: &[Section],
    ) -> Result<Fragments, RenderError> {
        let mut html = HashMap::new();
        let mut lacking = Vec::new();
        for section in sections {
            let key = FragmentKey::new(bundle, section);
            match self.kept(&key).await {
                Some(fragment) => {
                    html.insert(key, fragment);
                }
                None => lacking.push((key, section)),
            }
        }
        if !lacking.is_empty() {
            let rendered = sidecar.render(bundle, &lacking, EDITION_DEADLINE).await?;
            for (key, fragment) in &rendered {
                if let Err(error) = self.keep(key, fragment).await {
                    tracing::warn!(folder = %self.folder.display(), %error, "a fragment can't be kept: the next start will need the sidecar");
                }
            }
            html.extend(rendered);
        }
        Ok(Fragments::new(bundle, html))
    }

    /// Removes what the edition doesn't use.
    pub async fn prune(&self, used: &Fragments) -> io::Result<()> {
        let used: HashSet<&str> = used.html.keys().map(FragmentKey::as_str).collect();
        let mut entries = fs::read_dir(&self.folder).await?;
        while let Some(entry) = entries.next_entry().await? {
            if !entry.file_name().to_str().is_some_and(|name| used.contains(name)) {
                fs::remove_file(entry.path()).await?;
            }
        }
        Ok(())
    }

    async fn kept(&self, key: &FragmentKey) -> Option<Fragment> {
        fs::read_to_string(self.folder.join(key.as_str())).await.ok().map(Fragment::trusted)
    }

    /// Writes beside and renames: a crash leaves a whole file or none.
    async fn keep(&self, key: &FragmentKey, fragment: &Fragment) -> io::Result<()> {
        fs::create_dir_all(&self.folder).await?;
        let unfinished = self.folder.join(format!("{}.new", key.as_str()));
        fs::write(&unfinished, fragment.as_str()).await?;
        fs::File::open(&unfinished).await?.sync_all().await?;
        fs::rename(&unfinished, self.folder.join(key.as_str())).await
    }
}
