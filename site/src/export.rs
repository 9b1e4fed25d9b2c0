//! An edition as a folder of files, for any web server: the same bytes that the site serves.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;
use poem::http::StatusCode;

use crate::{edition::Edition, resource::Resource};

/// Writes every page and file, each with its compressed forms beside it (`.br`, `.gz`).
///
/// A page at `/pricing` becomes `pricing/index.html`; the view for unknown paths becomes `404.html`.
pub fn export(edition: &Edition, folder: &Path) -> anyhow::Result<usize> {
    let mut written = 0;
    let not_found = [("/404.html", edition.error(StatusCode::NOT_FOUND))];
    for (path, resource) in edition.resources().chain(not_found) {
        let file = folder.join(file_name(path));
        write(&file, resource).with_context(|| format!("{} can't be written", file.display()))?;
        written += 1;
    }
    Ok(written)
}

fn file_name(path: &str) -> PathBuf {
    let path = path.trim_start_matches('/');
    let is_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    if is_file { path.into() } else { Path::new(path).join("index.html") }
}

fn write(file: &Path, resource: &Resource) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, resource.identity())?;
    for (coding, body) in resource.compressed() {
        let mut name = file.as_os_str().to_owned();
        name.push(format!(".{}", coding.extension));
        fs::write(name, body)?;
    }
    Ok(())
}
