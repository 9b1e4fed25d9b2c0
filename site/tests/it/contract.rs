//! The contract with the component library.

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
