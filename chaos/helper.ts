import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { root } from "../bench/processes.ts";

/** A process that helps to bring a fault about. */
type Helper = ChildProcessByStdio<Writable, Readable, null>;

const running = new Set<Helper>();
process.on("exit", () => {
  for (const helper of running) {
    helper.kill();
  }
});

/** Starts a helper; it ends with this process at the latest. */
export function startHelper(command: string[], env: NodeJS.ProcessEnv = process.env): Helper {
  const [file = "", ...words] = command;
  const helper = spawn(file, words, { cwd: root, env, stdio: ["pipe", "pipe", "inherit"] });
  running.add(helper);
  helper.once("exit", () => running.delete(helper));
  return helper;
}

/** The same with a TypeScript file of this repository. */
export const startScript = (file: string, words: string[], env?: NodeJS.ProcessEnv) =>
  startHelper([process.execPath, "--import", "tsx", file, ...words], env);

/** Resolves when a helper says something; fails where it ends before. */
export async function said(helper: Helper): Promise<void> {
  const ended = once(helper, "exit").then(() => {
    throw new Error(`it ended: ${helper.spawnargs.join(" ")}`);
  });
  await Promise.race([once(helper.stdout, "data"), ended]);
}

/** Ends a helper, unless it has ended by itself. */
export async function endHelper(helper: Helper): Promise<void> {
  if (running.has(helper)) {
    helper.kill();
    await once(helper, "exit");
  }
}
