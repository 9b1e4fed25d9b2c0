//! Files that need not be made again after a restart: fragments and compressed forms; and the last good
//! edition.

use std::{
    collections::{HashMap, HashSet},
    fs::{self, DirEntry},
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use sha2::{Digest, Sha256};

use crate::private::{self, Unfinished};

/// The digest of everything that a kept file is made from; also its name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(String);

impl Key {
    /// The key of a kind of file that these inputs determine.
    pub fn new(kind: &str, inputs: &[&[u8]]) -> Self {
        let mut digest = Sha256::new();
        for input in [kind.as_bytes()].iter().chain(inputs) {
            // The length tells `ab, c` from `a, bc`.
            digest.update(input.len().to_le_bytes());
            digest.update(input);
        }
        Self(hex::encode(digest.finalize()))
    }

    /// The key in hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The folder `STATE_DIR/kept/`. A file whose key covers what it is made from never goes stale; of the
/// last good edition there is one, which the next takes the place of. The digest in front of its bytes
/// tells a file that was cut short or changed.
#[derive(Debug)]
pub struct KeptFiles {
    folder: PathBuf,
    used: Mutex<HashSet<Key>>,
    /// What could not be kept.
    missing: Mutex<HashMap<Key, Vec<u8>>>,
}

const DIGEST_BYTES: usize = 32;
/// For how long a file is kept that this process doesn't use.
const UNUSED: Duration = Duration::from_hours(24);

impl KeptFiles {
    /// Uses a folder inside of the state folder; it is made when something is kept.
    pub fn new(state_dir: &Path) -> Self {
        Self { folder: state_dir.join("kept"), used: Mutex::default(), missing: Mutex::default() }
    }

    /// The bytes that were kept under this key, if they are whole.
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let mut bytes = fs::read(self.folder.join(&key.0)).ok()?;
        if bytes.len() < DIGEST_BYTES {
            return None;
        }
        let body = bytes.split_off(DIGEST_BYTES);
        (bytes == *Sha256::digest(&body)).then(|| {
            self.note(key);
            body
        })
    }

    /// Keeps bytes that can be made anew. What can't be kept waits for [`Self::complete`].
    pub fn put(&self, key: &Key, bytes: &[u8]) {
        if self.replace(key, bytes).is_err() {
            self.missing().insert(key.clone(), bytes.to_vec());
        }
    }

    /// Keeps bytes in the place of what the key stood for before, which stays where this fails.
    pub fn replace(&self, key: &Key, bytes: &[u8]) -> io::Result<()> {
        // Also where it fails: of the last edition an earlier one is there, which has to stay.
        self.note(key);
        private::make_folder(&self.folder)?;
        let unfinished = Unfinished::beside(&self.folder.join(&key.0));
        fill(unfinished.path(), bytes)?;
        unfinished.finish()
    }

    /// Tries again to keep what could not be kept; fails where something still can't be.
    pub fn complete(&self) -> io::Result<()> {
        let mut complete = Ok(());
        self.missing().retain(|key, bytes| {
            let kept = self.replace(key, bytes);
            let is_missing = kept.is_err();
            complete = std::mem::replace(&mut complete, Ok(())).and(kept);
            is_missing
        });
        complete
    }

    /// Removes what has been neither read nor kept since the last call, and is older than a day: the
    /// next version may have prepared what it will need. Returns how many files are left.
    pub fn prune(&self) -> io::Result<usize> {
        let used = std::mem::take(&mut *self.used.lock().unwrap_or_else(PoisonError::into_inner));
        self.missing().retain(|key, _| used.contains(key));
        let used: HashSet<&str> = used.iter().map(Key::as_str).collect();
        let mut left = 0;
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let unused = !entry.file_name().to_str().is_some_and(|name| used.contains(name));
            match is_left(&entry, unused) {
                // Another process, which prunes or finishes a file, was faster.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                is_left => left += usize::from(is_left?),
            }
        }
        Ok(left)
    }

    fn missing(&self) -> MutexGuard<'_, HashMap<Key, Vec<u8>>> {
        self.missing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, key: &Key) {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone());
    }
}

/// Removes a file that is unused and older than a day; says whether it stays.
fn is_left(file: &DirEntry, unused: bool) -> io::Result<bool> {
    let age = file.metadata()?.modified()?.elapsed();
    let stays = !unused || !age.is_ok_and(|age| age > UNUSED);
    if !stays {
        fs::remove_file(file.path())?;
    }
    Ok(stays)
}

fn fill(unfinished: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = private::make_file(unfinished)?;
    file.write_all(&Sha256::digest(bytes))?;
    file.write_all(bytes)?;
    file.sync_all()
}
