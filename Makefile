# `make run` starts the site, `make dev` rebuilds it on change; `make check` is quick, `make test` is
# everything that CI runs.

SHELL := /bin/sh
.DEFAULT_GOAL := run
.PHONY: run dev check check-rust check-typescript chaos-quick test engines markup build tools browser firefox postgres contract draw cards screenshots bench dist chaos audit clean

node := node --import tsx
installed := node_modules/.package-lock.json
bench_installed := bench/node_modules/.package-lock.json
draw_installed := assets/node_modules/.package-lock.json
assets := assets/dist/manifest.json
# Folders too: one changes when a file in it goes.
asset_sources := $(shell find assets components -mindepth 1 -not -path '*/dist*' -not -path '*/node_modules*' -not -name '*.test.*' 2>/dev/null)

# A file from what a command prints; it stays as it is where the command fails or nothing differs.
# Beside the sources, whose folders stay as they are, too.
new = target/$(notdir $(1)).new
written = @$(2) > $(new) && { cmp -s $(new) $(1) && rm $(new) || mv $(new) $(1); } || { rm -f $(new); exit 1; }

run: build
	@$(node) procfile.ts Procfile

# A site that was compiled before there was this folder would not find it.
dev: tools $(installed)
	@mkdir -p assets/dist
	@$(node) procfile.ts Procfile.dev

build: tools $(installed) $(assets)
	cargo build --release --locked
	$(call written,components/src/base.json,target/release/site contract props)

# What can be known in half a minute: formats, lints, types and unit tests.
check: tools $(installed) $(draw_installed) $(assets)
	@$(MAKE) --no-print-directory -j2 check-rust check-typescript

check-rust:
	cargo fmt --check
	cargo clippy --locked --all-targets -- -D warnings
	cargo test --locked --lib --quiet

check-typescript:
	npm run --silent check
	npm run --silent test

test: tools $(installed) $(draw_installed) $(assets) firefox postgres
	cargo build --locked
	$(call written,components/src/base.json,target/debug/site contract props)
	cargo build --release --locked
	@$(MAKE) --no-print-directory -j3 check-rust check-typescript chaos-quick
	cargo test --locked
	npm run --silent test --workspace e2e

# What visitors do, in each engine: Chromium, Firefox and WebKit.
engines: build
	@sh e2e/browser.sh firefox webkit
	npm run --silent engines --workspace e2e

# The Nu Html Checker on every page in every state; it needs Java.
markup: build
	@sh e2e/browser.sh java
	npm run --silent markup --workspace e2e

# What the components follow: the types of their props and the table of pages, and props with the
# words of the copy, from which their examples differ; and what editors know of the copy.
contract:
	cargo build --quiet --locked
	$(call written,components/src/contract.ts,target/debug/site contract types)
	$(call written,site/content/site.schema.json,target/debug/site contract schema)
	$(call written,components/src/base.json,target/debug/site contract props)

# The pictures, icons, font and social cards that the repository keeps, from their sources.
draw: browser $(draw_installed)
	npm run --silent draw

# Of these the social cards alone, as a new page needs one.
cards: browser $(draw_installed)
	$(node) assets/social/cards.ts

screenshots: build browser
	npm run --silent screenshots --workspace e2e

# Some 15 minutes on an otherwise idle machine; `make bench BENCH=--quick` only tries everything out.
bench: build browser $(bench_installed)
	@sh bench/tools.sh
	cargo build --release --locked --example bare_hyper
	@$(node) bench/run.ts $(BENCH)

# All that a machine needs to run the site, but for Node.
dist: build
	rm -rf dist
	mkdir dist
	cp -R deploy/. dist/
	cp target/release/site LICENSE-MIT LICENSE-APACHE dist/
	cp site/content/site.toml site/content/site.schema.json dist/
	$(node) ssr-sidecar/bundle.ts dist/sidecar.mjs
	@du -sh dist

# Does to the release build whatever may happen to it; some 10 minutes.
chaos: build postgres
	@$(node) chaos/run.ts $(CHAOS)

# A part of it, which waits for mail servers more than it computes.
chaos-quick:
	@$(node) chaos/run.ts --quick

# Known faults of dependencies; fails where their list can't be fetched, too.
audit:
	@command -v cargo-deny >/dev/null || { echo "cargo-deny is missing: cargo install cargo-deny --locked" >&2; exit 1; }
	cargo deny --locked check
	npm audit --omit=dev

clean:
	rm -rf dist target node_modules assets/node_modules bench/node_modules assets/dist

tools:
	@sh tools.sh

postgres:
	@sh site/tests/postgres.sh

browser: $(installed)
	@sh e2e/browser.sh

firefox: $(installed)
	@sh e2e/browser.sh firefox

$(installed): package.json package-lock.json components/package.json ssr-sidecar/package.json e2e/package.json
	@echo "Installing the Node packages"
	@npm ci --no-audit --no-fund
	@touch $@

$(assets): $(installed) $(asset_sources)
	npm run --silent build

# Out of the workspaces: what only drawings or benchmarks need, only they and the checks install.
$(draw_installed): assets/package.json assets/package-lock.json
	cd assets && npm ci --no-audit --no-fund
	@touch $@

$(bench_installed): bench/package.json bench/package-lock.json
	cd bench && npm ci --no-audit --no-fund
	@touch $@
