//! Pages as pure functions of copy, assets and fragments.

mod closing;
mod clouds;
pub mod contact;
pub mod error;
pub mod files;
mod hints;
mod home;
mod icons;
pub mod layout;
mod linked_data;
pub mod links;
mod pages;
pub mod preview;
mod pricing;
mod privacy;
mod raw;

pub use hints::hints;
pub use pages::{PAGES, Page, meant};

use crate::{assets::Assets, copy::SiteCopy, fragments::Fragments};

use contact::Recipient;

/// What every view draws on.
#[derive(Clone, Copy)]
pub struct Ingredients<'a> {
    /// The copy.
    pub copy: &'a SiteCopy,
    /// The addresses of the built assets.
    pub assets: &'a Assets,
    /// The sections; a view asks for one where it stands.
    pub fragments: &'a Fragments,
    /// Who takes the messages of the form.
    pub recipient: &'a Recipient,
}
