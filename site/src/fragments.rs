//! The sections of an edition as HTML: views ask for them, the sidecar renders what is missing.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet, HashMap},
};

use maud::{Markup, Render, html};

use crate::{
    kept::{KeptFiles, Key},
    sections::Section,
    sidecar::{RenderError, Sidecar},
};

/// The HTML of a section as React wrote it, with everything escaped that had to be.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Fragment(String);

impl Render for Fragment {
    fn render_to(&self, buffer: &mut String) {
        buffer.push_str(&self.0);
    }
}

/// The fragments of one edition.
///
/// A fragment is a pure function of the bundle's digest and the section with its props.
#[derive(Debug)]
pub struct Fragments {
    bundle: String,
    rendered: HashMap<Key, Fragment>,
    missing: RefCell<BTreeMap<Key, Section>>,
}

impl Fragments {
    /// An empty set for the bundle with this digest.
    pub fn new(bundle: &str) -> Self {
        Self { bundle: bundle.to_owned(), rendered: HashMap::new(), missing: RefCell::default() }
    }

    /// The section's HTML; one that has not been rendered is noted, and nothing stands in its place.
    pub fn ask(&self, section: Section) -> Markup {
        let json = section.to_json();
        let key = Key::new("fragment", &[self.bundle.as_bytes(), &json]);
        let fragment = self.rendered.get(&key);
        if fragment.is_none() {
            self.missing.borrow_mut().insert(key, section);
        }
        html! { @if let Some(fragment) = fragment { (fragment) } }
    }

    /// Adds what was asked for and is missing: from the kept files, and the rest from the sidecar.
    pub async fn complete(
        &mut self,
        kept: &KeptFiles,
        sidecar: &Sidecar,
    ) -> Result<(), RenderError> {
        let mut keys = Vec::new();
        let mut sections = Vec::new();
        for (key, section) in self.missing.take() {
            let kept = kept.get(&key).and_then(|bytes| String::from_utf8(bytes).ok());
            if let Some(html) = kept {
                self.rendered.insert(key, Fragment(html));
            } else {
                keys.push(key);
                sections.push(section);
            }
        }
        let rendered = sidecar.render(&self.bundle, &sections).await?;
        for (key, html) in keys.into_iter().zip(rendered) {
            kept.put(&key, html.as_bytes());
            self.rendered.insert(key, Fragment(html));
        }
        Ok(())
    }

    /// The names of the sections that were asked for and have not been rendered.
    pub fn missing(&self) -> BTreeSet<&'static str> {
        self.missing.borrow().values().map(Section::name).collect()
    }
}
