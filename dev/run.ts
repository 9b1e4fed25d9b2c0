import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { watch } from "chokidar";
import { report, SETTLED_MS } from "./problems.ts";

/** A process that is started anew when its sources change. */
export type Restarted = {
  /** Files and folders that are watched, and the names of those files that matter. */
  watched: string[];
  sources: RegExp;
  /** What must succeed first. The process that runs goes on meanwhile, and where this fails. */
  build?: string[];
  command: string[];
  /** After so many milliseconds a process that failed is started again, also without a change. */
  retry?: number;
};

const PROCESSES: Record<string, Restarted> = {
  web: {
    watched: [
      "site/src",
      "site/codings",
      "site/migrations",
      "site/Cargo.toml",
      "Cargo.toml",
      "Cargo.lock",
      // Drawings that are part of the pages.
      "assets/images",
      "assets/icons",
      "assets/clouds",
      "assets/features",
      "assets/privacy",
    ],
    sources: /\.(rs|sql|toml|lock|svg)$/,
    build: ["cargo", "build", "--package", "site"],
    command: ["target/debug/site"],
    // It may lack what isn't among its sources: assets, a copy without mistakes, a free port.
    retry: 1000,
  },
  // `make contract` writes into these sources, after a change of the types in site/src/sections.rs.
  // The types leave the bundle's digest as it is; whatever else follows changes it here and in the
  // assets, and the publisher waits until both agree.
  ssr: {
    watched: ["components/src", "ssr-sidecar/src"],
    sources: /(?<!\.test)\.(tsx?|json)$/,
    command: ["node", "--import", "tsx", "ssr-sidecar/src/main.ts"],
  },
};

/** The most that is kept of what a command said, in characters. */
const SAID_LIMIT = 100_000;

/** Keeps the process running until the signal comes; reports what is wrong under its name. */
export async function keepRunning(name: string, restarted: Restarted, signal: AbortSignal) {
  const { watched, sources, build, command, retry } = restarted;
  const changes = watch(watched, {
    ignoreInitial: true,
    ignored: (path, stats) => stats?.isFile() === true && !sources.test(path),
  });
  let running: Run | undefined;
  let change: Promise<void> | undefined;
  try {
    while (!signal.aborted) {
      // Asked for before the build: what changes while it works is built after it. A process that
      // is started again without a change waits for the same one.
      change ??= once(changes, "all", { signal }).then(() => {
        change = undefined;
      });
      change.catch(() => {});
      const events: Promise<unknown>[] = [change];
      if (!build || (await succeeds(name, build, signal))) {
        await running?.stop();
        running = run(command, signal);
        running.child.stdout.once("data", () => report(name, ""));
        events.push(reported(name, running, retry));
      }
      await Promise.race(events);
      await pause(SETTLED_MS);
    }
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
  } finally {
    await running?.ended;
    await changes.close();
  }
}

/** Runs a command to its end; reports its first error. */
async function succeeds(name: string, command: string[], signal: AbortSignal): Promise<boolean> {
  console.info(command.join(" "));
  const said = await run(command, signal).ended;
  report(name, firstError(said));
  return said === "";
}

/** Reports the failure of a process; resolves when it should be started again, which may be never. */
async function reported(name: string, { ended }: Run, retry: number | undefined): Promise<void> {
  const said = await ended;
  if (said !== "") {
    report(name, firstError(said));
    if (retry !== undefined) {
      return pause(retry);
    }
  }
  return new Promise(() => {});
}

/** The first paragraph that begins with an error of cargo or Node; everything, where none does. */
function firstError(said: string): string {
  const text = stripVTControlCharacters(said);
  const start = text.search(/^\w*error\b/im);
  return start < 0 ? text : (text.slice(start).split("\n\n")[0] ?? "");
}

type Run = ReturnType<typeof run>;

/** Starts a command that is stopped with the signal, and shows what it says. */
function run([file = "", ...args]: string[], signal: AbortSignal) {
  const env = { CARGO_TERM_COLOR: "always", ...process.env };
  const child = spawn(file, args, { signal, env, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.pipe(process.stdout, { end: false });
  child.stderr.pipe(process.stderr, { end: false });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said = (said + chunk).slice(-SAID_LIMIT);
  });
  /** What it said where it failed; nothing where it ended well or was stopped. */
  const ended = new Promise<string>((resolve) => {
    child.once("error", ({ message }) => resolve(signal.aborted ? "" : message));
    child.once("close", (code, by) => {
      const well = code === 0 || by === "SIGTERM" || signal.aborted;
      resolve(well ? "" : said || `${file} ended with ${code ?? by}`);
    });
  });
  const stop = () => {
    child.kill();
    return ended;
  };
  return { child, ended, stop };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , name = ""] = process.argv;
  const known = PROCESSES[name];
  if (!known) {
    throw new Error(`Name one of these processes: ${Object.keys(PROCESSES).join(", ")}`);
  }
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) {
    process.once(signal, () => stop.abort());
  }
  await keepRunning(name, known, stop.signal);
}
