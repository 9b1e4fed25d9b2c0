import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { after, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { bundleDigest } from "@site/components/digest";
import { folderOf, islands } from "@site/components/registry";
import { build } from "./build.ts";
import { bundleIslands, serveIslands } from "./scripts.ts";

const temporary = mkdtempSync(join(tmpdir(), "assets-"));
after(() => rmSync(temporary, { recursive: true }));

/** As large as it comes, and soon: most tests don't look at the scripts. */
const SOON = { small: false, loader: "loader.ts" };
const islandScripts = bundleIslands(SOON.small);

/** Builds from these files alone, soon or else for visitors; returns the folder of the results. */
async function built(
  sources: Record<string, string>,
  { out = mkdtempSync(join(temporary, "dist-")), soon = true } = {},
) {
  const folder = mkdtempSync(join(temporary, "sources-"));
  for (const [path, content] of Object.entries(sources)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  await (soon ? build(folder, out, SOON, islandScripts) : build(folder, out));
  const read = (path: string) => readFileSync(join(out, path), "utf8");
  return { out, read, manifest: JSON.parse(read("manifest.json")) };
}

/** The manifest's assets whose names begin so, as names and addresses. */
const addresses = (assets: Record<string, string>, folder: string) =>
  new Map(
    Object.entries(assets)
      .filter(([name]) => name.startsWith(folder))
      .map(([name, file]) => [name, `/assets/${file}`]),
  );

test("each island is a script of its own on React's, and the loader knows both addresses", async () => {
  const { out, read, manifest } = await built({}, { soon: false });
  assert.equal(manifest.bundle, await bundleDigest());
  const scripts = addresses(manifest.assets, "islands/");
  assert.equal(scripts.size, islands.length + 1);
  const react = scripts.get("islands/react.js") ?? "";
  assert.match(react, /^\/assets\/react-[0-9a-f]{8}\.js$/);
  for (const island of islands) {
    const script = scripts.get(`islands/${folderOf(island)}.js`) ?? "";
    assert.ok(read("inline/loader.js").includes(`${island}:[\`${script}\`,\`${react}\`]`), island);
    const code = readFileSync(join(out, "files", basename(script)), "utf8");
    // Asked for with a query, it asks for React with the same.
    assert.ok(code.startsWith("const{"), code.slice(0, 120));
    assert.ok(code.includes(`await import("${react}"+new URL(import.meta.url).search)`));
    assert.doesNotMatch(code, /import[^(.]*from/);
  }
});

test("a script whose import would not be asked for anew stops the build", () => {
  const chunks = [
    { fileName: "room.js", code: 'import"./react.js";', imports: ["react.js"] },
    { fileName: "react.js", code: "", imports: [] },
  ];
  const serve = (name: string) => `/assets/${name}`;
  assert.throws(
    () => serveIslands({ files: { Room: "room.js" }, chunks }, serve),
    /room\.js imports react\.js/,
  );
});

test("a style is one text, and its url() lead to hashed files", async () => {
  const { read, manifest } = await built({
    "images/cloud.svg": "<svg/>",
    "css/base.css": '.a { background: url("../images/cloud.svg"), url("data:,x"); }',
    "css/pages/home.css": '@layer base; @import "../base.css" layer(base);',
  });
  const file = manifest.assets["images/cloud.svg"];
  assert.match(file, /^cloud-[0-9a-f]{8}\.svg$/);
  assert.equal(
    read("inline/home.css"),
    `@layer base;@layer base{.a{background:url(/assets/${file}),url(data:,x)}}`,
  );
});

test("a style says nested rules and colours as browsers of early 2023 know them", async () => {
  const { read } = await built({
    "css/pages/home.css":
      ":root { --ink: oklch(0.23 0.045 258); } a { color: var(--ink); b & { fill: oklch(1 0 0); } }",
  });
  assert.equal(read("inline/home.css"), ":root{--ink:#0f1d32}a{color:var(--ink)}b a{fill:#fff}");
});

test("a change of a style that pages carry inline changes the manifest, which the site watches", async () => {
  const first = await built({ "css/pages/home.css": "a { color: red; }" });
  const second = await built({ "css/pages/home.css": "a { color: tan; }" });
  assert.notEqual(first.read("manifest.json"), second.read("manifest.json"));
});

test("a url() that leads nowhere stops the build with a sentence, and nothing changes", async () => {
  const { out } = await built({ "css/pages/home.css": "a { color: red; }" });
  const broken = built(
    { "css/pages/home.css": 'a { background: url("../images/no.svg"); }' },
    { out },
  );
  await assert.rejects(
    broken,
    /url\("\.\.\/images\/no\.svg"\) in .*home\.css names no file in assets/,
  );
  assert.equal(readFileSync(join(out, "inline/home.css"), "utf8"), "a{color:red}");
});

test("a style that browsers would skip in part stops the build by file and line, and nothing changes", async () => {
  const { out } = await built({ "css/pages/home.css": "a { color: red; }" });
  const broken = built(
    {
      "css/pages/home.css": '@import "../base.css";',
      "css/base.css": "a { color: tan; }\nb { color tan }\n",
    },
    { out },
  );
  await assert.rejects(broken, /base\.css:2: Expected ":"/);
  assert.equal(readFileSync(join(out, "inline/home.css"), "utf8"), "a{color:red}");
});

test("texts come precompressed, pictures do not, and what is no longer made goes", async () => {
  const pictures = { "images/a.svg": "<svg/>", "images/b.avif": "b" };
  const { out, manifest } = await built(pictures, { soon: false });
  const svg = join(out, "files", manifest.assets["images/a.svg"]);
  assert.equal(brotliDecompressSync(readFileSync(`${svg}.br`)).toString(), "<svg/>");
  assert.equal(gunzipSync(readFileSync(`${svg}.gz`)).toString(), "<svg/>");
  assert.ok(!existsSync(join(out, "files", `${manifest.assets["images/b.avif"]}.br`)));

  await built({ "root/favicon.svg": "<svg/>" }, { out });
  assert.ok(!existsSync(svg));
  assert.deepEqual(readdirSync(join(out, "root")), ["favicon.svg"]);
});

test("a token's value keeps the spaces that say something, and no other", async () => {
  const { read } = await built({
    "css/pages/home.css": ":root { --a: calc( 1% + 2px ) , 3px 4px } a { b: var(--a) }",
  });
  assert.equal(read("inline/home.css"), ":root{--a:calc(1% + 2px),3px 4px}a{b:var(--a)}");
});

test("a page carries the tokens that it uses, those that they use, and no empty rule", async () => {
  const { read } = await built({
    "css/pages/home.css":
      ":root { --a: 1px; --b: var(--a); --c: var(--d); --d: 2px } a { width: var(--b) }" +
      "@media print { :root { --d: 3px } }",
  });
  assert.equal(read("inline/home.css"), ":root{--a:1px;--b:var(--a);}a{width:var(--b)}");
});

test("a part keeps what it sets for the style of the page that it is loaded into", async () => {
  const { read, manifest } = await built({
    "css/pages/home.css": ":focus { color: var(--ring) }",
    "css/sections/late.css": "footer { --ring: red }",
  });
  assert.equal(read(`files/${manifest.assets["styles/late.css"]}`), "footer{--ring:red}");
});
