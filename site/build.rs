//! Lets Cargo build anew where a migration comes: the macro that reads them knows only those it found.

fn main() {
    println!("cargo::rerun-if-changed=migrations");
}
