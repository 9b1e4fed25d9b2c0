//! What documents repeat is what the code says.

use std::fs;

use site::config::VARIABLES;

use crate::support::root;

#[test]
fn the_readme_has_a_row_for_every_variable() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let rows: Vec<_> = VARIABLES
        .iter()
        .map(|variable| {
            let default = if variable.is_literal {
                quoted(variable.default)
            } else {
                variable.default.to_owned()
            };
            format!("| `{}` | {default} | {} |\n", variable.name, variable.meaning)
        })
        .collect();
    let table = format!("| Variable | Default | Meaning |\n|---|---|---|\n{}", rows.concat());
    assert!(readme.contains(&table), "README.md should have this table:\n\n{table}");
}

#[test]
fn the_example_of_an_environment_file_has_every_variable() {
    let file = fs::read_to_string(root().join(".env.example")).unwrap();
    for variable in VARIABLES {
        let example = format!("# {}\n", variable.meaning);
        let line = format!("{}=", variable.name);
        assert!(
            file.contains(&format!("{example}{line}"))
                || file.contains(&format!("{example}#{line}")),
            ".env.example should have:\n\n{example}#{line}"
        );
    }
}

/// A developer's own `.env` must not reach the browser tests.
#[test]
fn the_browser_tests_set_every_variable() {
    let config = fs::read_to_string(root().join("e2e/playwright.config.ts")).unwrap();
    for variable in VARIABLES {
        let line = format!("      {}: ", variable.name);
        assert!(config.contains(&line), "e2e/playwright.config.ts should set {}", variable.name);
    }
}

fn quoted(text: &str) -> String {
    if text.is_empty() { "none".to_owned() } else { format!("`{text}`") }
}
