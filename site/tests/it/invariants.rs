//! What must stand in one place only (ARCHITECTURE.md, invariants).

use std::{fs, path::Path};

use crate::support::root;

fn files_with(needle: &str) -> Vec<String> {
    let mut found = Vec::new();
    visit(&root().join("site/src"), &mut |file, text| {
        if text.contains(needle) {
            found.push(file.strip_prefix(root().join("site/src")).unwrap().display().to_string());
        }
    });
    found.sort();
    found
}

fn visit(folder: &Path, each: &mut dyn FnMut(&Path, &str)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            visit(&path, each);
        } else {
            each(&path, &fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn only_the_sidecar_client_makes_requests() {
    assert_eq!(files_with("reqwest"), ["sidecar.rs"]);
}

#[test]
fn only_config_reads_the_environment() {
    assert_eq!(files_with("std::env"), ["config.rs"]);
}

/// Icons and inlined styles and scripts are our own files; fragments are escaped by React.
#[test]
fn unescaped_html_is_written_from_our_own_files_only() {
    assert_eq!(
        files_with("PreEscaped("),
        ["views/clouds.rs", "views/icons.rs", "views/layout.rs", "views/preview.rs"]
    );
    assert_eq!(files_with("Fragment::trusted"), ["fragments.rs", "sidecar.rs"]);
}

#[test]
fn no_code_names_the_product() {
    assert_eq!(files_with("Tickfleet"), Vec::<String>::new());
}
