//! Folders and files that nobody but the site's own user may read, and how one takes its place as a whole.

use std::{
    fs::{self, DirBuilder, File},
    io,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use uuid::Uuid;

/// Ends the name of what is not finished.
pub const UNFINISHED: &str = ".new";

/// Makes a folder, and those that it lies in; one that is there stays as it is.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// A new file, to be written.
pub fn make_file(file: &Path) -> io::Result<File> {
    File::options().write(true).create_new(true).mode(0o600).open(file)
}

/// A file or folder that is written beside its place: whoever looks there finds all of it or nothing.
#[derive(Debug)]
pub struct Unfinished {
    path: PathBuf,
    place: PathBuf,
}

impl Unfinished {
    /// Names one; nobody else has the name.
    pub fn beside(place: &Path) -> Self {
        let mut path = place.as_os_str().to_owned();
        // No process number: containers that share the folder may have the same.
        path.push(format!(".{}{UNFINISHED}", Uuid::new_v4().simple()));
        Self { path: path.into(), place: place.to_owned() }
    }

    /// Where it is written.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Puts it into its place.
    pub fn finish(self) -> io::Result<()> {
        fs::rename(&self.path, &self.place)
    }
}

/// Removes what was not finished: what is left of tries that fail again and again would fill the disk.
impl Drop for Unfinished {
    fn drop(&mut self) {
        // Where it can't be removed, the error of the try says more.
        let _ = fs::remove_file(&self.path).or_else(|_| fs::remove_dir_all(&self.path));
    }
}
