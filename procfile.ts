import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import concurrently from "concurrently";

/**
 * Runs the processes of a Procfile side by side: `node --import tsx procfile.ts [Procfile]`.
 * When one ends, whatever its reason, the others are stopped too.
 */
const file = process.argv[2] ?? "Procfile";
if (!existsSync(file)) {
  console.error(`There is no ${file} here; start this in the folder that holds it`);
  process.exit(1);
}
if (existsSync(".env")) {
  process.loadEnvFile(".env");
}

const commands = [...readFileSync(file, "utf8").matchAll(/^([\w-]+):\s*(\S.*)$/gm)].map(
  ([, name = "", command = ""]) => ({ name, command }),
);

const { result } = concurrently(commands, {
  prefix: "name",
  killOthersOn: ["failure", "success"],
  // Each command leads a process group, so that a signal reaches all that it started, once.
  spawn: (command, options) => spawn(command, { ...options, shell: true, detached: true }),
  kill: (pid, signal) => process.kill(-pid, signal),
});
await result.catch(() => {
  process.exitCode = 1;
});
