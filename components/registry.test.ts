import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
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
  const imports = (style: string) => readFileSync(file(`../assets/css/${style}`), "utf8");
  const other = ["pages", "sections"]
    .flatMap((folder) =>
      readdirSync(file(`../assets/css/${folder}`)).map((name) => `${folder}/${name}`),
    )
    .filter((style) => style !== "pages/preview.css")
    .map(imports)
    .join("");
  for (const folder of sections.map(folderOf)) {
    const style = `components/src/${folder}/${folder}.css`;
    assert.ok(
      imports("pages/preview.css").includes(style),
      `assets/css/pages/preview.css imports no ${style}`,
    );
    assert.ok(other.includes(style), `no page's style imports ${style}`);
  }
});
