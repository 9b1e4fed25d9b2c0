//! An edition as a folder of files that a static host can serve as it is: the same bytes that the site
//! serves, with its headers and redirects as Netlify and Cloudflare Pages read them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::{self, Write as _},
    fs, io,
    path::Path,
};

use anyhow::{Context, bail, ensure};
use poem::http::{StatusCode, header};

use crate::{
    edition::Edition,
    resource::Resource,
    views::{PAGES, Page, contact::Recipient},
};

/// Names every file of an export, so that the next one into the same folder removes what it lacks.
const LIST: &str = ".export";

/// What was written.
pub struct Summary {
    pages: usize,
    files: usize,
    bytes: usize,
    removed: usize,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pages, files, bytes, removed } = self;
        write!(f, "{pages} pages and {files} other files, {} kB", bytes / 1000)?;
        if *removed > 0 {
            write!(f, "; {removed} files of the last export removed")
        } else {
            Ok(())
        }
    }
}

/// Writes every page and every file, each with its compressed forms beside it (`.br`, `.gz`). Pages that
/// are not listed are written only where the site takes the form: nobody else leads there.
///
/// A page at `/pricing` becomes `pricing.html`, which hosts serve at that address; the view for unknown
/// paths becomes `404.html`; `_headers` has the security policies and caching, `_redirects` the other
/// spellings of each address. The folder is new, empty, or of an earlier export.
pub fn export(edition: &Edition, recipient: &Recipient, folder: &Path) -> anyhow::Result<Summary> {
    let earlier = earlier(folder)?;
    let mut files = BTreeMap::new();
    let of_the_site = matches!(recipient, Recipient::Site(_));
    let (pages, left_out): (Vec<&Page>, Vec<_>) =
        PAGES.iter().partition(|page| page.listed || of_the_site);
    let is_left_out = |path: &str| left_out.iter().any(|page| page.path == path);
    let held: Vec<_> = edition.resources().filter(|(path, _)| !is_left_out(path)).collect();
    let not_found = edition.error(StatusCode::NOT_FOUND);
    for (path, resource) in held.iter().copied().chain([("/404", not_found)]) {
        let name = file_name(path, resource);
        for (coding, body) in resource.compressed() {
            files.insert(format!("{name}.{}", coding.extension), body.to_vec());
        }
        files.insert(name, resource.identity().to_vec());
    }
    files.insert("_headers".to_owned(), headers(&held)?.into_bytes());
    files.insert("_redirects".to_owned(), redirects(&pages).into_bytes());
    let summary = Summary {
        pages: pages.len(),
        files: files.len() - pages.len(),
        bytes: files.values().map(Vec::len).sum(),
        removed: earlier.iter().filter(|name| !files.contains_key(*name)).count(),
    };
    let list: Vec<_> = files.keys().map(String::as_str).collect();
    files.insert(LIST.to_owned(), list.join("\n").into_bytes());
    for name in earlier.iter().filter(|name| !files.contains_key(*name)) {
        remove(&folder.join(name)).with_context(|| format!("{name} can't be removed"))?;
    }
    for (name, bytes) in &files {
        write(&folder.join(name), bytes).with_context(|| format!("{name} can't be written"))?;
    }
    Ok(summary)
}

/// The files of an earlier export into this folder; fails where the folder holds anything else.
fn earlier(folder: &Path) -> anyhow::Result<BTreeSet<String>> {
    match fs::read_to_string(folder.join(LIST)) {
        Ok(list) => {
            let names: BTreeSet<_> = list.lines().map(str::to_owned).collect();
            let is_inside = |name: &String| !name.starts_with('/') && !name.contains("..");
            ensure!(names.iter().all(is_inside), "{LIST} names files outside of the folder");
            Ok(names)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let is_empty =
                fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
            if !is_empty {
                bail!(
                    "{} holds files that are of no export: name a new folder or an empty one",
                    folder.display()
                );
            }
            Ok(BTreeSet::new())
        }
        Err(error) => Err(error).context(format!("{LIST} can't be read")),
    }
}

fn file_name(path: &str, resource: &Resource) -> String {
    let is_page = resource
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    match path.trim_start_matches('/') {
        "" => "index.html".to_owned(),
        path if is_page => format!("{path}.html"),
        path => path.to_owned(),
    }
}

/// The headers of each page and file, as `_headers` has them. Each has its rule: where two rules fit, hosts
/// send both, and of two security policies both would hold.
fn headers(held: &[(&str, &Resource)]) -> anyhow::Result<String> {
    let mut rules = BTreeMap::new();
    for &(path, resource) in held {
        let mut rule = format!("{path}\n");
        for (name, value) in resource.headers() {
            if ![header::CONTENT_LENGTH, header::ETAG, header::VARY].contains(name) {
                writeln!(rule, "  {name}: {}", value.to_str()?)?;
            }
        }
        rules.insert(path, rule);
    }
    Ok(rules.into_values().collect::<Vec<_>>().join("\n"))
}

/// The other spellings of each exported page's address. 301, because not every host knows 308.
fn redirects(pages: &[&Page]) -> String {
    let spellings = pages.iter().map(|page| match page.path {
        "/" => "/index.html / 301\n".to_owned(),
        path => {
            format!("{path}/ {path} 301\n{path}.html {path} 301\n{path}/index.html {path} 301\n")
        }
    });
    spellings.collect()
}

fn write(file: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, bytes)
}

fn remove(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
