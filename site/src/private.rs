//! Folders and files that nobody but the site's own user may read.

use std::{
    fs::{DirBuilder, File, Permissions},
    io,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::Path,
};

/// Makes a folder, and those that it lies in; one that is there stays as it is.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// An empty file, to be written; one that was left there loses what it held, and its readers.
pub fn make_file(file: &Path) -> io::Result<File> {
    let file = File::options().write(true).create(true).truncate(true).mode(0o600).open(file)?;
    file.set_permissions(Permissions::from_mode(0o600))?;
    Ok(file)
}
