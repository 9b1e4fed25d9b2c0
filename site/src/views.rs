//! Pages as pure functions of copy, assets and fragments.

mod clouds;
pub mod contact;
pub mod error;
pub mod files;
pub mod home;
mod icons;
pub mod layout;
mod plain;
pub mod preview;
pub mod pricing;

use crate::{assets::Assets, content::Content, fragments::Fragments};

/// What every view draws on.
#[derive(Clone, Copy)]
pub struct Ingredients<'a> {
    /// The copy.
    pub content: &'a Content,
    /// The addresses of the built assets.
    pub assets: &'a Assets,
    /// The sections that the sidecar has rendered.
    pub fragments: &'a Fragments,
}
