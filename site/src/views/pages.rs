//! The table of pages: routes, edition, site map, contract and tests follow from it.

use maud::Markup;
use percent_encoding::percent_decode_str;

use crate::copy::{Meta, SiteCopy};

use super::{
    Ingredients, contact, home,
    layout::{Document, Header},
    linked_data::{self, LinkedData},
    pricing, privacy,
};

/// A page.
pub struct Page {
    /// Where it is.
    pub path: &'static str,
    /// What its styles (`home.css`) and its social card (`social-home.png`) are called.
    pub name: &'static str,
    /// What search engines and link previews are told.
    pub meta: fn(&SiteCopy) -> Meta,
    /// Everything between header and footer.
    pub view: fn(Ingredients<'_>) -> anyhow::Result<Markup>,
    /// The path that the navigation marks as current.
    pub current: &'static str,
    /// Whether it should be found: it has a canonical address, a card, and a place in the site map.
    pub listed: bool,
    /// The fragments that links may lead to.
    pub anchors: fn(&SiteCopy) -> Vec<String>,
    /// What it says about itself to machines.
    pub linked_data: Option<fn(&SiteCopy) -> LinkedData>,
    /// Whether a reload shows the top instead of where the visitor was.
    pub starts_on_top: bool,
}

/// Every page.
pub const PAGES: [Page; 5] = [
    Page {
        path: "/",
        name: "home",
        meta: |copy| copy.home.meta.clone(),
        view: home::page,
        current: "/",
        listed: true,
        anchors: home::anchors,
        linked_data: Some(linked_data::home),
        starts_on_top: false,
    },
    Page {
        path: "/pricing",
        name: "pricing",
        meta: |copy| copy.pricing.meta.clone(),
        view: pricing::page,
        current: "/pricing",
        listed: true,
        anchors: |_| vec!["estimate".to_owned()],
        linked_data: Some(linked_data::pricing),
        starts_on_top: true,
    },
    Page {
        path: "/contact",
        name: "contact",
        meta: |copy| copy.contact.meta.clone(),
        view: |with| Ok(contact::page(with)),
        current: "/contact",
        listed: true,
        anchors: |_| Vec::new(),
        linked_data: Some(linked_data::contact),
        starts_on_top: false,
    },
    Page {
        path: "/contact/sent",
        name: "sent",
        meta: contact::sent_meta,
        view: |with| Ok(contact::sent_page(with)),
        current: "/contact",
        listed: false,
        anchors: |_| Vec::new(),
        linked_data: None,
        starts_on_top: false,
    },
    Page {
        path: "/privacy",
        name: "privacy",
        meta: |copy| copy.privacy.meta.clone(),
        view: |with| Ok(privacy::page(with)),
        current: "/privacy",
        listed: true,
        anchors: |_| Vec::new(),
        linked_data: Some(linked_data::privacy),
        starts_on_top: false,
    },
];

/// The page that somebody means who spells its path in another way: in capitals, with a slash too
/// many, as the name of a file, or with letters or slashes as percent signs.
pub fn meant(path: &str) -> Option<&'static Page> {
    let path = percent_decode_str(path).decode_utf8_lossy().to_ascii_lowercase();
    let mut words: Vec<&str> = words(&path).collect();
    if let Some(file) = words.last_mut() {
        *file = file.strip_suffix(".html").unwrap_or(file);
    }
    words.pop_if(|file| *file == "index");
    PAGES.iter().find(|page| self::words(page.path).eq(words.iter().copied()))
}

/// What stands between the slashes of a path.
fn words(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|word| !word.is_empty())
}

impl Page {
    /// The page as a document.
    pub fn document(&self, with: Ingredients<'_>) -> anyhow::Result<Document> {
        Ok(Document {
            meta: (self.meta)(with.copy),
            canonical: self.listed.then_some(self.path),
            header: Header::Navigation { current: Some(self.current) },
            name: self.name,
            starts_on_top: self.starts_on_top,
            linked_data: self.linked_data.map(|of| of(with.copy)),
            main: (self.view)(with)?,
        })
    }
}
