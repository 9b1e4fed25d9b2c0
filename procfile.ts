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

const { commands: processes, result } = concurrently(commands, {
  prefix: "name",
  killOthersOn: ["failure", "success"],
});
// Also when this one ends because nobody reads its output any more.
process.on("exit", () => {
  for (const { pid, exited } of processes) {
    try {
      if (pid !== undefined && !exited) {
        process.kill(pid, "SIGTERM");
      }
    } catch {
      // It has ended at the same moment.
    }
  }
});
await result.catch(() => {
  process.exitCode = 1;
});
