//! The table of pages: routes, edition, site map, contract and tests follow from it.

use maud::Markup;

use crate::copy::{Meta, SiteCopy};

use super::{
    Ingredients, contact, home,
    layout::{Document, Header},
    pricing,
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
    /// Whether a reload shows the top instead of where the visitor was.
    pub starts_on_top: bool,
}

/// Every page.
pub const PAGES: [Page; 4] = [
    Page {
        path: "/",
        name: "home",
        meta: |copy| copy.home.meta.clone(),
        view: home::page,
        current: "/",
        listed: true,
        starts_on_top: false,
    },
    Page {
        path: "/pricing",
        name: "pricing",
        meta: |copy| copy.pricing.meta.clone(),
        view: |with| Ok(pricing::page(with)),
        current: "/pricing",
        listed: true,
        starts_on_top: true,
    },
    Page {
        path: "/contact",
        name: "contact",
        meta: |copy| copy.contact.meta.clone(),
        view: |with| Ok(contact::page(with)),
        current: "/contact",
        listed: true,
        starts_on_top: false,
    },
    Page {
        path: "/contact/sent",
        name: "contact",
        meta: contact::sent_meta,
        view: |with| Ok(contact::sent_page(with)),
        current: "/contact",
        listed: false,
        starts_on_top: false,
    },
];

impl Page {
    /// The page as a document.
    pub fn document(&self, with: Ingredients<'_>) -> anyhow::Result<Document> {
        Ok(Document {
            meta: (self.meta)(with.copy),
            canonical: self.listed.then_some(self.path),
            header: Header::Navigation { current: Some(self.current) },
            name: self.name,
            starts_on_top: self.starts_on_top,
            main: (self.view)(with)?,
        })
    }
}
