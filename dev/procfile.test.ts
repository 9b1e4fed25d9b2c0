import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";

/** Runs these lines as a Procfile; collects what is said. */
function runner(context: TestContext, lines: string) {
  const folder = mkdtempSync(join(tmpdir(), "procfile-"));
  writeFileSync(join(folder, "Procfile"), lines);
  const tsx = import.meta.resolve("tsx");
  const script = fileURLToPath(new URL("../procfile.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", tsx, script], { cwd: folder });
  const said: string[] = [];
  const output = createInterface(child.stdout).on("line", (line) => said.push(line));
  const heard = async (expected: RegExp, times = 1) => {
    while (said.filter((line) => expected.test(line)).length < times) {
      await once(output, "line");
    }
    return said.filter((line) => expected.test(line));
  };
  const ended = once(child, "close");
  context.after(async () => {
    child.kill();
    await ended;
    rmSync(folder, { recursive: true });
  });
  return { child, ended, heard };
}

test("a process that was killed is started again, and the other goes on", async (context) => {
  const { child, ended, heard } = runner(
    context,
    "web: echo $$ is up; exec sleep 600\nssr: echo up; sleep 2.5; exit 3\n",
  );
  const [first = ""] = await heard(/is up/);
  await heard(/\[ssr\] ended with 3; starting it again in 0\.5 s/);
  await heard(/\[ssr\] up/, 2);
  process.kill(Number(first.match(/\d+/)?.[0]), "SIGKILL");
  const [, second] = await heard(/is up/, 2);
  assert.notEqual(second, first);
  child.kill("SIGTERM");
  assert.deepEqual(await ended, [0, null]);
});

test("a process that can't be started ends all with its message", async (context) => {
  const { ended, heard } = runner(
    context,
    "web: echo PORT is wrong >&2; exit 1\nssr: exec sleep 600\n",
  );
  await heard(/\[web\] PORT is wrong/);
  assert.deepEqual(await ended, [1, null]);
});
