//! The contract with the component library.

use serde_json::Value;
use site::{
    assets::Assets,
    contract,
    fragments::Fragments,
    sections::Section,
    views::{Ingredients, PAGES, contact::Recipient, layout},
};
use strum::VariantNames;

use crate::support::{HANDLING, copy, root};

#[test]
fn contract_is_current() {
    let current = std::fs::read_to_string(root().join("components/src/contract.ts")).unwrap();
    assert!(
        current == contract::types(),
        "components/src/contract.ts differs from the types of the sections: run `make contract`"
    );
}

#[test]
fn the_schema_of_the_copy_is_current() {
    let file = root().join("site/content/site.schema.json");
    let current = std::fs::read_to_string(file).unwrap();
    assert!(
        current == contract::schema().unwrap(),
        "site/content/site.schema.json differs from the types of the copy: run `make contract`"
    );
}

#[test]
fn every_section_has_a_sample() {
    let samples: Vec<_> = Section::samples(&copy()).iter().map(Section::name).collect();
    assert_eq!(samples, Section::VARIANTS, "add the section to Section::samples");
}

/// One that no page asks for is rendered by nobody.
#[test]
fn every_section_stands_on_a_page() {
    let (copy, assets) = (copy(), Assets::load().unwrap());
    let fragments = Fragments::new(assets.bundle());
    for page in &PAGES {
        let with = Ingredients {
            copy: &copy,
            assets: &assets,
            fragments: &fragments,
            recipient: &Recipient::Site(HANDLING),
        };
        layout::document(with, &page.document(with).unwrap()).unwrap();
    }
    let asked = fragments.missing();
    for name in Section::VARIANTS {
        assert!(asked.contains(name), "no view asks for {name}");
    }
}

/// The examples feed the preview, the component tests and the sidecar's start: they must be what
/// the site could really ask for.
#[test]
fn every_example_fits_the_contract() {
    for section in Section::samples(&copy()) {
        let folder = section.folder();
        let file = root().join(format!("components/src/{folder}/{folder}.examples.json"));
        let examples =
            std::fs::read(&file).unwrap_or_else(|_| panic!("{} is missing", file.display()));
        let examples: Vec<Value> = serde_json::from_slice(&examples).unwrap();
        assert!(!examples.is_empty(), "{} has no example", section.name());
        for example in examples {
            let read = section.with(&example["props"]);
            assert!(read.is_ok(), "{}, {}: {}", section.name(), example["name"], read.unwrap_err());
        }
    }
}
