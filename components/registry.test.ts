import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { folderOf, registry, type SectionName } from "./src/registry.ts";

const sections = Object.keys(registry) as SectionName[];
const file = (path: string) => new URL(path, import.meta.url);

test("the folder of a section has its component, style, examples and test", () => {
  for (const folder of sections.map(folderOf)) {
    for (const kind of ["tsx", "css", "examples.json", "test.tsx"]) {
      const path = `src/${folder}/${folder}.${kind}`;
      assert.ok(existsSync(file(path)), `components/${path} is missing`);
    }
  }
});

test("the style of a section is on the preview page and on another one", () => {
  const imports = (page: string) => readFileSync(file(`../assets/css/pages/${page}.css`), "utf8");
  const other = ["pages/home", "pages/pricing", "pages/contact", "pages/error", "sections/room"]
    .map((style) => readFileSync(file(`../assets/css/${style}.css`), "utf8"))
    .join("");
  for (const folder of sections.map(folderOf)) {
    const style = `components/src/${folder}/${folder}.css`;
    assert.ok(
      imports("preview").includes(style),
      `assets/css/pages/preview.css imports no ${style}`,
    );
    assert.ok(other.includes(style), `no page's style imports ${style}`);
  }
});
