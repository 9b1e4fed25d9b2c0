//! Which part of the site knows which other (ARCHITECTURE.md, "Code map").

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use syn::visit::{self, Visit};

use crate::support::root;

/// From the top down: a part knows only what stands below it.
const PARTS: [&str; 32] = [
    "export",
    "messages",
    "contract",
    "app",
    "server",
    "router",
    "routes",
    "routines",
    "status",
    "state",
    "publisher",
    "edition",
    "views",
    "fragments",
    "template",
    "sidecar",
    "contact",
    "sections",
    "svg",
    "builds",
    "assets",
    "resource",
    "headers",
    "compression",
    "kept",
    "private",
    "copy",
    "form",
    "unseen",
    "metrics",
    "telemetry",
    "config",
];

#[test]
fn arrows_point_down_only() {
    let place = |part: &str| PARTS.iter().position(|known| *known == part);
    for file in sources(&root().join("site/src")) {
        let path = file.strip_prefix(root().join("site/src")).unwrap();
        let part = path.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        if ["main", "lib"].contains(&part) {
            continue;
        }
        let here = place(part).unwrap_or_else(|| {
            panic!("{part} is new: give it a place in PARTS and a row in ARCHITECTURE.md")
        });
        let mut uses = Uses { parts: BTreeSet::new(), depth: path.iter().count() };
        uses.visit_file(&syn::parse_file(&fs::read_to_string(&file).unwrap()).unwrap());
        for used in uses.parts.iter().filter(|used| *used != part) {
            assert!(
                place(used).is_some_and(|there| there > here),
                "{}: {part} uses {used}, which stands above it",
                path.display()
            );
        }
    }
}

/// The parts that a file names, as `crate::part` or as `super::part`.
struct Uses {
    parts: BTreeSet<String>,
    /// How many `super` lead from here to the crate.
    depth: usize,
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        self.depth += 1;
        visit::visit_item_mod(self, module);
        self.depth -= 1;
    }

    fn visit_use_path(&mut self, path: &'ast syn::UsePath) {
        let up = usize::from(path.ident == "super");
        if path.ident == "crate" || (up, self.depth) == (1, 1) {
            self.note(&path.tree);
        }
        self.depth -= up;
        visit::visit_use_path(self, path);
        self.depth += up;
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<_> = path.segments.iter().map(|it| it.ident.to_string()).collect();
        let up = names.iter().take_while(|name| *name == "super").count();
        if names[0] == "crate" || up == self.depth {
            self.parts.extend(names.get(up.max(1)).cloned());
        }
        visit::visit_path(self, path);
    }

    /// What is given to a macro is no path yet.
    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        let text = called.tokens.to_string().replace(' ', "");
        for root in ["crate::", &"super::".repeat(self.depth)] {
            let named = text.split(root).skip(1).map(|rest| {
                rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>()
            });
            self.parts.extend(named);
        }
        visit::visit_macro(self, called);
    }
}

impl Uses {
    fn note(&mut self, tree: &syn::UseTree) {
        match tree {
            syn::UseTree::Path(path) => drop(self.parts.insert(path.ident.to_string())),
            syn::UseTree::Name(name) => drop(self.parts.insert(name.ident.to_string())),
            syn::UseTree::Rename(name) => drop(self.parts.insert(name.ident.to_string())),
            syn::UseTree::Group(group) => group.items.iter().for_each(|item| self.note(item)),
            syn::UseTree::Glob(_) => panic!("crate::* names no part"),
        }
    }
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// The product is named by the copy alone, of which the components' JSON files are made.
#[test]
fn no_code_names_the_product() {
    for folder in ["site/src", "site/codings", "components/src", "ssr-sidecar/src"] {
        for file in sources(&root().join(folder)) {
            let name = file.file_name().unwrap().to_str().unwrap();
            let code = !name.contains(".test.") && file.extension().is_some_and(|it| it != "json");
            let text = fs::read_to_string(&file).unwrap();
            assert!(!code || !text.contains("Tickfleet"), "{}", file.display());
        }
    }
}
