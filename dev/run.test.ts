import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

const folder = mkdtempSync(join(tmpdir(), "dev-"));
after(() => rmSync(folder, { recursive: true }));
process.env.STATE_DIR = folder;
const { keepRunning } = await import("./run.ts");

const file = (name: string) => join(folder, name);
const text = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), "utf8") : "");

async function eventually(what: string, holds: () => boolean) {
  for (const begun = Date.now(); !holds(); await pause(20)) {
    assert.ok(Date.now() - begun < 30_000, what);
  }
}

/** A build that fails on a mistake in the source, and a process that says what was built. */
writeFileSync(
  file("build.mjs"),
  `
  import fs from "node:fs";
  const source = fs.readFileSync("${file("src/source.txt")}", "utf8");
  if (source.includes("mistake")) {
    console.error("warning: odd\\n\\n\\x1b[31merror\\x1b[0m: no\\n  --> ${process.cwd()}/source.txt:1\\n\\nerror: another");
    process.exit(1);
  }
  fs.writeFileSync("${file("built.txt")}", source);
`,
);
writeFileSync(
  file("serve.mjs"),
  `
  import fs from "node:fs";
  const built = fs.readFileSync("${file("built.txt")}", "utf8");
  if (built.includes("crash")) throw new Error("it crashed");
  process.on("SIGTERM", () => {
    fs.appendFileSync("${file("log.txt")}", "stop " + built + "\\n");
    process.exit();
  });
  fs.appendFileSync("${file("log.txt")}", "start " + built + "\\n");
  console.log("serving");
  setInterval(() => {}, 1000);
`,
);

test("a process goes on while its build fails, which is reported until it is mended", async (context) => {
  mkdirSync(file("src"));
  const write = (source: string) => writeFileSync(file("src/source.txt"), source);
  write("one");
  const stop = new AbortController();
  context.after(() => stop.abort());
  const running = keepRunning(
    "web",
    {
      watched: [file("src")],
      sources: /\.txt$/,
      build: ["node", file("build.mjs")],
      command: ["node", file("serve.mjs")],
    },
    stop.signal,
  );
  await eventually("it starts", () => text("log.txt") === "start one\n");

  write("a mistake");
  await eventually(
    "the first error",
    () => text("problems/web") === "error: no\n  --> source.txt:1",
  );
  assert.equal(text("log.txt"), "start one\n");

  write("two");
  await eventually("it is replaced", () => text("log.txt") === "start one\nstop one\nstart two\n");
  assert.ok(!existsSync(file("problems/web")));

  write("crash");
  await eventually("the crash", () => text("problems/web").includes("Error: it crashed"));
  write("three");
  await eventually("it starts again", () => text("log.txt").endsWith("start three\n"));
  await eventually("nothing is wrong", () => !existsSync(file("problems/web")));

  stop.abort();
  await running;
  await eventually("it is stopped", () => text("log.txt").endsWith("stop three\n"));
});
