//! Whether a link within the site leads somewhere.

use crate::copy::SiteCopy;

use super::{PAGES, meant};

/// What is wrong with the destination of a link, or nothing. It begins with a slash; one to a file, whose
/// name has a dot, is not looked at.
pub fn problem(copy: &SiteCopy, destination: &str) -> Option<String> {
    let (address, fragment) = match destination.split_once('#') {
        Some((address, fragment)) => (address, Some(fragment)),
        None => (destination, None),
    };
    let path = address.split('?').next().unwrap_or_default();
    let Some(page) = PAGES.iter().find(|page| page.path == path) else {
        if let Some(page) = meant(path) {
            return Some(format!("\"{path}\" is a detour; expected \"{}\"", page.path));
        }
        let is_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
        let pages = PAGES.each_ref().map(|page| page.path).join(", ");
        return (!is_file).then(|| format!("there is no page \"{path}\"; expected one of {pages}"));
    };
    let fragment = fragment?;
    let places = (page.anchors)(copy);
    if places.iter().any(|place| place == fragment) {
        return None;
    }
    let places: Vec<_> = places.iter().map(|place| format!("#{place}")).collect();
    Some(if places.is_empty() {
        format!("the page {path} has no place to lead to; expected no \"#{fragment}\"")
    } else {
        format!("the page {path} has no \"#{fragment}\"; expected one of {}", places.join(", "))
    })
}
