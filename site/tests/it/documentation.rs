//! What documents repeat is what the code says.

use std::{
    fs,
    path::{Path, PathBuf},
};

use site::{config::VARIABLES, metrics::Metrics};

use crate::support::root;

#[test]
fn the_operating_page_has_a_row_for_every_variable() {
    let page = fs::read_to_string(root().join("docs/operating.md")).unwrap();
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
    assert!(page.contains(&table), "docs/operating.md should have this table:\n\n{table}");
}

#[test]
fn the_operating_page_names_every_metric() {
    let page = fs::read_to_string(root().join("docs/operating.md")).unwrap();
    let metrics = Metrics::default();
    // Those of kinds are not there before one of a kind is.
    metrics.no_edition("copy");
    metrics.delivery("delivered");
    metrics.messages("pending", 0);
    let text = metrics.text().unwrap();
    for line in text.lines().filter_map(|line| line.strip_prefix("# TYPE ")) {
        let (name, kind) = line.split_once(' ').unwrap();
        let name = if kind == "counter" { format!("{name}_total") } else { name.to_owned() };
        assert!(page.contains(&format!("`{name}`")), "docs/operating.md doesn't name {name}");
    }
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

#[test]
fn every_line_of_the_example_can_be_used() {
    let file = fs::read_to_string(root().join(".env.example")).unwrap();
    for line in file.lines().filter(|line| !line.starts_with("# ")) {
        let line = line.trim_start_matches('#');
        for read in dotenvy::from_read_iter(line.as_bytes()) {
            assert!(read.is_ok(), "{line}");
        }
    }
}

/// A developer's own `.env` must reach neither browser tests nor benchmarks.
#[test]
fn tests_and_benchmarks_set_every_variable() {
    let environment = fs::read_to_string(root().join("bench/environment.ts")).unwrap();
    for variable in VARIABLES {
        let line = format!("  {}: ", variable.name);
        assert!(environment.contains(&line), "bench/environment.ts should set {}", variable.name);
    }
}

fn quoted(text: &str) -> String {
    if text.is_empty() { "none".to_owned() } else { format!("`{text}`") }
}

/// Every document, with what it says.
fn documents() -> impl Iterator<Item = (PathBuf, String)> {
    let folders =
        [root(), root().join("docs"), root().join("docs/decisions"), root().join("bench")];
    folders.into_iter().flat_map(|folder| {
        let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let documents = files.filter(|file| file.extension().is_some_and(|it| it == "md"));
        documents.map(|file| {
            let text = fs::read_to_string(&file).unwrap();
            (file, text)
        })
    })
}

/// Whoever follows a link in a document arrives.
#[test]
fn every_link_in_a_document_leads_to_a_file() {
    for (file, text) in documents() {
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        for (target, _) in targets.filter(|(target, _)| !target.contains("://")) {
            let path = target.split('#').next().unwrap();
            let is_there = path.is_empty() || file.with_file_name(path).exists();
            assert!(is_there, "{} links to {target}", file.display());
        }
    }
}

/// "`file.rs`: `test`, `another`": whoever looks for what guards a promise finds it there.
#[test]
fn every_test_that_a_document_names_is_in_its_file() {
    let mut found = 0;
    for (document, text) in documents() {
        let mut tests = None;
        let parts: Vec<_> = text.split('`').collect();
        for (between, code) in parts.chunks_exact(2).map(|parts| (parts[0], parts[1])) {
            let is_name =
                code.chars().all(|it| it == '_' || it.is_ascii_lowercase() || it.is_ascii_digit());
            let names_a_test = is_name && [":", ","].contains(&between.trim());
            tests = match tests {
                _ if Path::new(code).extension().is_some_and(|it| it == "rs") => {
                    let file = root().join("site/tests/it").join(code);
                    Some(fs::read_to_string(file).unwrap_or_default())
                }
                Some(tests) if names_a_test => {
                    let is_there = tests.contains(&format!("fn {code}("));
                    assert!(is_there, "{} names {code}", document.display());
                    found += 1;
                    Some(tests)
                }
                _ => None,
            };
        }
    }
    assert!(found > 0, "no document names a test");
}
