//! Compressed forms, kept on the disk by the digest of what they encode: compressing at the highest
//! level takes most of the time that an edition takes, and a restart need not do it again.

use std::{
    collections::HashSet,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Mutex,
};

use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest, Sha256};

/// The codings that are kept, each with its file extension; the one that is always smaller first.
pub const CODINGS: [(&str, &str); 2] = [("br", "br"), ("gzip", "gz")];

/// A folder of compressed forms: `STATE_DIR/encodings/`.
#[derive(Debug)]
pub struct Encodings {
    folder: PathBuf,
    used: Mutex<HashSet<String>>,
}

impl Encodings {
    /// Uses a folder inside of the state folder; it is made when something is kept.
    pub fn new(state_dir: &Path) -> Self {
        Self { folder: state_dir.join("encodings"), used: Mutex::default() }
    }

    /// The bytes in each coding that makes them smaller.
    pub fn of(&self, identity: &Bytes) -> io::Result<Vec<(&'static str, Bytes)>> {
        let digest = hex::encode(Sha256::digest(identity));
        let mut forms = Vec::new();
        for (coding, extension) in CODINGS {
            let name = format!("{digest}.{extension}");
            let form = match fs::read(self.folder.join(&name)) {
                Ok(kept) => kept,
                Err(_) => self.make(&name, coding, identity)?,
            };
            if let Ok(mut used) = self.used.lock() {
                used.insert(name);
            }
            forms.push((coding, Bytes::from(form)));
        }
        forms.retain(|(_, form)| form.len() < identity.len());
        Ok(forms)
    }

    /// Removes what has not been asked for since the last time.
    pub fn prune(&self) -> io::Result<()> {
        let used = self.used.lock().map(|mut used| std::mem::take(&mut *used)).unwrap_or_default();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            if !entry.file_name().to_str().is_some_and(|name| used.contains(name)) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    fn make(&self, name: &str, coding: &str, identity: &Bytes) -> io::Result<Vec<u8>> {
        let form = compress(coding, identity)?;
        if let Err(error) = self.keep(name, &form) {
            tracing::warn!(folder = %self.folder.display(), %error, "a compressed form can't be kept: the next start will take longer");
        }
        Ok(form)
    }

    /// Writes beside and renames: a crash leaves a whole file or none.
    fn keep(&self, name: &str, form: &[u8]) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let unfinished = self.folder.join(format!("{name}.new"));
        let mut file = fs::File::create(&unfinished)?;
        file.write_all(form)?;
        file.sync_all()?;
        fs::rename(&unfinished, self.folder.join(name))
    }
}

/// Compresses at the highest level.
fn compress(coding: &str, identity: &Bytes) -> io::Result<Vec<u8>> {
    if coding == "gzip" {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(identity)?;
        return gzip.finish();
    }
    let mut br = Vec::new();
    let params = brotli::enc::BrotliEncoderParams {
        quality: 11,
        lgwin: window(identity.len()),
        size_hint: identity.len(),
        ..Default::default()
    };
    brotli::BrotliCompress(&mut identity.as_ref(), &mut br, &params)?;
    Ok(br)
}

/// The bits of the smallest window that holds the whole text (RFC 7932, section 9.1): the encoder
/// takes memory by its window.
fn window(length: usize) -> i32 {
    (16..22).find(|bits| (1 << bits) - 16 >= length).unwrap_or(22)
}
