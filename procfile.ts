import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

/**
 * Runs the processes of a Procfile side by side: `node --import tsx procfile.ts [Procfile]`.
 *
 * A process that ends is started again. One that ends right after its first start has a mistake to
 * tell, and all end with it.
 */
const file = process.argv[2] ?? "Procfile";
if (!existsSync(file)) {
  console.error(`There is no ${file} here; start this in the folder that holds it`);
  process.exit(1);
}
if (existsSync(".env")) {
  process.loadEnvFile(".env");
}

/** A process that ends sooner after its first start does so for good. */
const STARTED_MS = 2_000;
/** The pause before a process is started again, twice as long each time, up to the longest. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** After so long without an end the pauses are short again. */
const SETTLED_MS = 60_000;

const running = new Set<ChildProcess>();
const stopping = new AbortController();
const { signal } = stopping;

function stop() {
  stopping.abort();
  for (const child of running) {
    child.kill("SIGTERM");
  }
}
process.on("SIGTERM", stop);
process.on("SIGINT", stop);
// The terminal has gone; the site would take the signal for something else.
process.on("SIGHUP", stop);
// Also when nobody reads the output any more.
process.stdout.on("error", stop);
process.on("exit", stop);

/** Keeps a process running until all are stopped. */
async function keepRunning(name: string, command: string) {
  let wait = FIRST_PAUSE_MS;
  for (let first = true; !signal.aborted; first = false) {
    const begun = performance.now();
    const how = await run(name, command);
    const lived = performance.now() - begun;
    if (signal.aborted) {
      return;
    }
    if (first && lived < STARTED_MS) {
      say(name, `ended with ${how} right after its start`);
      process.exitCode = 1;
      return stop();
    }
    wait = lived > SETTLED_MS ? FIRST_PAUSE_MS : wait;
    say(name, `ended with ${how}; starting it again in ${wait / 1000} s`);
    await pause(wait, undefined, { signal }).catch(() => {});
    wait = Math.min(wait * 2, LONGEST_PAUSE_MS);
  }
}

/** Runs a command to its end, of which it returns the status or the signal. */
async function run(name: string, command: string): Promise<string> {
  const child = spawn("sh", ["-c", command], { stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  for (const output of [child.stdout, child.stderr]) {
    createInterface(output).on("line", (line) => say(name, line));
  }
  const [status, by] = await once(child, "close");
  running.delete(child);
  return String(status ?? by);
}

function say(name: string, line: string) {
  process.stdout.write(`[${name}] ${line}\n`);
}

const commands = [...readFileSync(file, "utf8").matchAll(/^([\w-]+):[ \t]*(\S.*)$/gm)];
if (commands.length === 0) {
  console.error(`${file} names no process: it needs lines such as "web: target/release/site"`);
  process.exitCode = 1;
}
await Promise.all(commands.map(([, name = "", command = ""]) => keepRunning(name, command)));
