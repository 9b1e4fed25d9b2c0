import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { bundleDigest } from "./digest.ts";

const temporary = mkdtempSync(join(tmpdir(), "digest-"));
after(() => rmSync(temporary, { recursive: true }));

/** The digest after a change of one file in a copy of the sources. */
async function digestWith(file: string, change: (text: string) => string): Promise<string> {
  const sources = mkdtempSync(join(temporary, "src-"));
  cpSync(fileURLToPath(new URL("./src", import.meta.url)), sources, { recursive: true });
  const path = join(sources, file);
  const text = readFileSync(path, "utf8");
  const changed = change(text);
  assert.notEqual(changed, text, `${file} holds nothing to change`);
  writeFileSync(path, changed);
  return bundleDigest(sources);
}

const append = (line: string) => (text: string) => `${text}\n${line}\n`;

test("what shapes a fragment changes the digest", async () => {
  const digest = await bundleDigest();
  for (const [file, change] of [
    ["render.tsx", (text: string) => text.replace("data-island=", "data-section=")],
    ["island.ts", (text: string) => text.replace("{island}-", "{island}_")],
    ["registry.ts", (text: string) => text.replace('"Room"', '"NavBar"')],
    ["nav-bar/nav-bar.tsx", (text: string) => text.replace("nav-bar-icon", "icon")],
    ["faq-accordion/faq-accordion.tsx", (text: string) => text.replaceAll("h3>", "h4>")],
  ] as const) {
    assert.notEqual(await digestWith(file, change), digest, file);
  }
});

test("what doesn't shape a fragment leaves the digest as it is", async () => {
  const digest = await bundleDigest();
  for (const [file, change] of [
    ["client/loader.ts", append('console.info("hello");')],
    ["client/hydrate.tsx", append('console.info("hello");')],
    ["faq-accordion/faq-accordion.test.tsx", append('console.info("hello");')],
    ["faq-accordion/faq-accordion.css", append(".faq { color: red; }")],
    ["faq-accordion/faq-accordion.examples.json", append("")],
    ["contract.ts", (text: string) => text.replace("answer: Array<string>", "answer: string")],
    ["faq-accordion/faq-accordion.tsx", append("// A comment.\ntype Unused = string;")],
  ] as const) {
    assert.equal(await digestWith(file, change), digest, file);
  }
});
