//! Where the copy is read from.

use std::{
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
};

use anyhow::{Context, anyhow, bail};

use crate::{copy::SiteCopy, views::links};

/// The copy that a release build carries.
const EMBEDDED: &str = include_str!("../../content/site.toml");
/// Where the copy lies in the source tree.
const IN_SOURCE_TREE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/content/site.toml");
/// The most that is read, in bytes: a hundred times what the site says.
const LIMIT: u64 = 1024 * 1024;

/// Where the copy is read from.
#[derive(Clone, Debug)]
pub enum CopySource {
    /// The text in the binary.
    Embedded,
    /// A file that may change.
    File(PathBuf),
}

impl CopySource {
    /// The file that was asked for; without one, the source tree's in a development build and the
    /// embedded copy in a release build.
    pub fn new(file: Option<&Path>) -> Self {
        match file {
            Some(file) => Self::File(file.to_owned()),
            None if cfg!(debug_assertions) => Self::File(IN_SOURCE_TREE.into()),
            None => Self::Embedded,
        }
    }

    /// The copy that somebody means who asks what is wrong with it: this file; without one, what the site
    /// is told to read, or the file in the source tree that one stands in, before the embedded copy.
    pub fn meant(file: Option<&Path>, configured: Option<&Path>) -> Self {
        let here = Some(Path::new("site/content/site.toml")).filter(|file| file.is_file());
        Self::new(file.or(configured).or(here))
    }

    /// Reads and checks the copy.
    pub fn load(&self) -> anyhow::Result<SiteCopy> {
        self.parse(&self.text()?)
    }

    /// Checks a text that was read from here.
    pub(super) fn parse(&self, text: &str) -> anyhow::Result<SiteCopy> {
        Ok(SiteCopy::parse(&self.name(), text, links::problem)?)
    }

    /// Reads the copy. Only from a regular file: whoever opens a pipe waits for its other end.
    pub(super) fn text(&self) -> anyhow::Result<String> {
        match self {
            Self::Embedded => Ok(EMBEDDED.to_owned()),
            Self::File(path) => {
                read(path).with_context(|| format!("the copy {} can't be read", path.display()))
            }
        }
    }

    /// What to call it.
    pub fn name(&self) -> String {
        match self {
            Self::Embedded => "the copy that this build carries".to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }
}

fn read(path: &Path) -> anyhow::Result<String> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        bail!("it is no regular file");
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(LIMIT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LIMIT {
        bail!("it has more than {LIMIT} bytes");
    }
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.split(|byte| *byte == b'\n').count();
        anyhow!("line {line} holds a character that is not in UTF-8: save the file as UTF-8")
    })
}
