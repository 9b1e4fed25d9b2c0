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
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { bundleDigest } from "@site/components/digest";
import { build } from "./build.ts";

const temporary = mkdtempSync(join(tmpdir(), "assets-"));
after(() => rmSync(temporary, { recursive: true }));

/** Builds from these files alone; returns the folder of the results. */
async function built(sources: Record<string, string>, out = mkdtempSync(join(temporary, "dist-"))) {
  const folder = mkdtempSync(join(temporary, "sources-"));
  for (const [path, content] of Object.entries(sources)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  await build(folder, out);
  const read = (path: string) => readFileSync(join(out, path), "utf8");
  return { out, read, manifest: JSON.parse(read("manifest.json")) };
}

test("without any image, font or style there is still the script, and its digest", async () => {
  const { out, read, manifest } = await built({});
  assert.deepEqual(Object.keys(manifest.assets), ["hydrate.js"]);
  assert.match(manifest.assets["hydrate.js"], /^hydrate-[0-9a-f]{8}\.js$/);
  assert.equal(manifest.bundle, bundleDigest());
  assert.ok(read("inline/loader.js").includes(`/assets/${manifest.assets["hydrate.js"]}`));
  assert.ok(existsSync(join(out, "files", manifest.assets["hydrate.js"])));
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

test("a change of a style that pages carry inline changes the manifest, which the site watches", async () => {
  const first = await built({ "css/pages/home.css": "a { color: red; }" });
  const second = await built({ "css/pages/home.css": "a { color: tan; }" });
  assert.notEqual(first.read("manifest.json"), second.read("manifest.json"));
});

test("a url() that leads nowhere stops the build with a sentence, and nothing changes", async () => {
  const { out } = await built({ "css/pages/home.css": "a { color: red; }" });
  const broken = built({ "css/pages/home.css": 'a { background: url("../images/no.svg"); }' }, out);
  await assert.rejects(
    broken,
    /url\("\.\.\/images\/no\.svg"\) in .*home\.css names no file in assets/,
  );
  assert.equal(readFileSync(join(out, "inline/home.css"), "utf8"), "a{color:red}");
});

test("texts come precompressed, pictures do not, and what is no longer made goes", async () => {
  const { out, manifest } = await built({ "images/a.svg": "<svg/>", "images/b.avif": "b" });
  const svg = join(out, "files", manifest.assets["images/a.svg"]);
  assert.equal(brotliDecompressSync(readFileSync(`${svg}.br`)).toString(), "<svg/>");
  assert.equal(gunzipSync(readFileSync(`${svg}.gz`)).toString(), "<svg/>");
  assert.ok(!existsSync(join(out, "files", `${manifest.assets["images/b.avif"]}.br`)));

  await built({ "root/favicon.svg": "<svg/>" }, out);
  assert.ok(!existsSync(svg));
  assert.deepEqual(readdirSync(join(out, "root")), ["favicon.svg"]);
});
