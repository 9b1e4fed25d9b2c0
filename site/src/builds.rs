//! The files of the last builds of the assets, on the disk: a page that a browser, a cache or another
//! machine has kept finds its script, and one of the next version finds it already.

use std::{
    fs::{self, DirEntry, File},
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use sha2::{Digest, Sha256};

use crate::{
    assets::Assets,
    private::{self, UNFINISHED, Unfinished},
    resource::Resource,
};

/// The files of so many builds are kept.
const KEPT: usize = 5;
/// The file in a build's folder that was changed when the build was used last.
const USED: &str = ".used";
/// After so long nobody finishes what was begun.
const ABANDONED: Duration = Duration::from_hours(1);

/// The folder `STATE_DIR/builds/`, with a folder for each build.
#[derive(Debug)]
pub struct Builds(PathBuf);

impl Builds {
    /// Uses a folder inside of the state folder; it is made when something is kept.
    pub fn new(state_dir: &Path) -> Self {
        Self(state_dir.join("builds"))
    }

    /// Keeps the files of a build, and removes those of builds that were used before the last five.
    pub fn keep(&self, assets: &Assets) -> io::Result<()> {
        private::make_folder(&self.0)?;
        // First, as a full disk has no room for a build. A folder that stays doesn't stand in its way.
        let cleared = self.clear();
        let build = self.0.join(hex::encode(assets.digest()));
        if !build.exists() {
            let unfinished = Unfinished::beside(&build);
            let kept = fill(unfinished.path(), assets).and_then(|()| unfinished.finish());
            // Another process may have kept the same build meanwhile.
            if let Err(error) = kept
                && !build.exists()
            {
                return Err(error);
            }
        }
        // The last use decides which five are the last.
        File::create(build.join(USED))?;
        for old in self.by_use()?.iter().skip(KEPT) {
            remove(old)?;
        }
        cleared
    }

    /// Removes what was begun and abandoned.
    fn clear(&self) -> io::Result<()> {
        for left in self.folders(true)? {
            let used = left.metadata().and_then(|left| left.modified());
            if used.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > ABANDONED)) {
                remove(&left)?;
            }
        }
        Ok(())
    }

    /// The file of any build that is kept, if its bytes are those that its name stands for.
    ///
    /// Blocks while it reads.
    pub fn find(&self, name: &str) -> Option<Resource> {
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        if name.starts_with('.') || !name.chars().all(is_name) {
            return None;
        }
        let (_, digest) = name.rsplit_once('.')?.0.rsplit_once('-')?;
        let is_whole = |bytes: &Vec<u8>| {
            hex::encode(Sha256::digest(bytes)).starts_with(digest) && digest.len() >= 8
        };
        let builds = self.by_use().ok()?;
        let kept = builds.iter().filter_map(|build| fs::read(build.path().join(name)).ok());
        Assets::earlier(name, kept.into_iter().find(is_whole)?)
    }

    /// The builds, the one that was used last first.
    fn by_use(&self) -> io::Result<Vec<DirEntry>> {
        let mut builds = self.folders(false)?;
        let used = |build: &DirEntry| {
            let used = fs::metadata(build.path().join(USED));
            used.and_then(|used| used.modified()).ok()
        };
        builds.sort_by_key(|build| std::cmp::Reverse(used(build)));
        Ok(builds)
    }

    /// The folders of builds that are whole, or of those that are not.
    fn folders(&self, unfinished: bool) -> io::Result<Vec<DirEntry>> {
        let folders: io::Result<Vec<_>> = fs::read_dir(&self.0)?.collect();
        // A volume may have folders of its own, such as `lost+found`.
        let is_asked_for = |folder: &DirEntry| {
            let name = folder.file_name();
            let name = name.to_string_lossy();
            let begun = name.strip_suffix(UNFINISHED);
            begun.is_some() == unfinished
                && begun
                    .unwrap_or(&name)
                    .chars()
                    .all(|letter| letter.is_ascii_hexdigit() || (unfinished && letter == '.'))
        };
        Ok(folders?.into_iter().filter(is_asked_for).collect())
    }
}

/// Writes the files of a build into a new folder.
fn fill(folder: &Path, assets: &Assets) -> io::Result<()> {
    private::make_folder(folder)?;
    for (path, file) in assets.files() {
        // Only names with a digest say one thing for good.
        if let Some(name) = path.strip_prefix("/assets/") {
            let mut kept = private::make_file(&folder.join(name))?;
            kept.write_all(file.identity())?;
            kept.sync_all()?;
        }
    }
    // Without it another process would take the build for the oldest, and remove it.
    File::create(folder.join(USED)).map(drop)
}

/// Removes a folder; another process may do so at the same moment.
fn remove(folder: &DirEntry) -> io::Result<()> {
    match fs::remove_dir_all(folder.path()) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}
