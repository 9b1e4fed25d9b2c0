import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { bundleDigest } from "@site/components/digest";
import { readExamples } from "@site/components/examples";
import { renderSection } from "@site/components/render";
import { ask, freshSocket } from "./sidecar.ts";

test("as one file the sidecar renders the same by itself, and imports nothing but by require", async (t) => {
  const socketPath = freshSocket();
  const folder = dirname(socketPath);
  const file = join(folder, "sidecar.mjs");
  execFileSync("node", ["--import", "tsx", "ssr-sidecar/bundle.ts", file], { stdio: "ignore" });
  const imported = readFileSync(file, "utf8").match(/\bfrom ?"[^"]*"/g);
  assert.deepEqual(imported, ['from "node:module"']);

  const env = { PATH: process.env.PATH, SSR_ENDPOINT: `unix:${socketPath}` };
  const child = spawn("node", [file], { cwd: folder, env });
  t.after(() => child.kill("SIGKILL"));
  await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  const props = readExamples("ContactForm")[0]?.props;
  const job = { key: "form", name: "ContactForm", props };
  const { body } = await ask({ socketPath, path: "/render" }, { sections: [job] });
  assert.equal(body.bundle, await bundleDigest());
  assert.equal(body.sections[0]?.html, renderSection(job.name, props));
});
