//! The contract with the component library.

use serde_json::{Value, json};
use site::sections::Section;

use crate::support::root;

#[test]
fn contract_is_current() {
    let file = root().join("components/src/contract.ts");
    let current = std::fs::read_to_string(file).unwrap();
    assert!(
        current == site::sections::contract(),
        "components/src/contract.ts differs from site/src/sections.rs: run `make contract`"
    );
}

/// The examples feed the preview, the component tests and the sidecar's health check: they must be
/// what the site could really ask for.
#[test]
fn every_example_fits_the_contract() {
    for (name, folder) in [
        ("NavBar", "nav-bar"),
        ("PricingCards", "pricing-cards"),
        ("FaqAccordion", "faq-accordion"),
        ("ContactForm", "contact-form"),
    ] {
        let file = root().join(format!("components/src/{folder}/{folder}.examples.json"));
        let examples: Vec<Value> = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        assert!(!examples.is_empty(), "{name} has no example");
        for example in examples {
            let section = json!({ "name": name, "props": example["props"] });
            let read = serde_json::from_value::<Section>(section);
            assert!(read.is_ok(), "{name}, {}: {}", example["name"], read.unwrap_err());
        }
    }
}
