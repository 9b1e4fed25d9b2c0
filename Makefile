# `make run` starts the site, `make test` runs everything that CI runs, `make dev` rebuilds on change.

SHELL := /bin/sh
.DEFAULT_GOAL := run
.PHONY: run dev test build tools browser postgres contract draw screenshots bench clean

node := node --import tsx
installed := node_modules/.package-lock.json
bench_installed := bench/node_modules/.package-lock.json
assets := assets/dist/manifest.json
asset_sources := $(shell find assets components -type f -not -path '*/dist/*' -not -path '*/node_modules/*' 2>/dev/null)

run: build
	@$(node) procfile.ts Procfile

dev: tools $(installed) $(assets)
	@$(node) procfile.ts Procfile.dev

build: tools $(installed) $(assets)
	cargo build --release --locked

test: tools $(installed) $(assets) browser postgres
	cargo fmt --check
	cargo clippy --locked --all-targets -- -D warnings
	npm run --silent check
	npm run --silent test
	cargo test --locked
	cargo build --release --locked
	npm run --silent test --workspace e2e

# The TypeScript of the section contract, from site/src/sections.rs.
contract:
	cargo run --quiet --locked -- contract > components/src/contract.ts

# The pictures, icons, font and social cards that the repository keeps, from their sources.
draw: browser
	npm run --silent draw

screenshots: build browser
	npm run --silent screenshots --workspace e2e

# Some 15 minutes on an otherwise idle machine; `make bench BENCH=--quick` only tries everything out.
bench: build browser $(bench_installed)
	@sh bench/tools.sh
	cargo build --release --locked --example bare_hyper
	@$(node) bench/run.ts $(BENCH)

clean:
	rm -rf target node_modules bench/node_modules assets/dist

tools:
	@sh tools.sh

postgres:
	@sh site/tests/postgres.sh

browser: $(installed)
	@sh e2e/browser.sh

$(installed): package.json package-lock.json components/package.json ssr-sidecar/package.json e2e/package.json
	npm ci --no-audit --no-fund
	@touch $@

$(assets): $(installed) $(asset_sources)
	npm run --silent build

# Lighthouse stays out of the workspaces: what only benchmarks need, only benchmarks install.
$(bench_installed): bench/package.json bench/package-lock.json
	cd bench && npm ci --no-audit --no-fund
	@touch $@
