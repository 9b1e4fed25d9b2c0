import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, cpus, release, totalmem } from "node:os";
import { launchOptions } from "../assets/browser.ts";

const all = [...Array(availableParallelism()).keys()];
const half = Math.max(1, Math.floor(all.length / 2));

/** The processors of the servers and of the load, apart where there is more than one. */
export const processors = {
  server: all.slice(0, half),
  load: all.length > 1 ? all.slice(half) : all,
};

/** What the figures were measured on, and with. */
export function shape(): string[] {
  return [
    `${new Date().toISOString().slice(0, 10)}, ${all.length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB of memory, Linux ${release()}`,
    `${version("rustc", "--version")}; Node.js ${process.version}; ${version("nginx", "-v")}; ${version("wrk", "-v")}`,
    `${version(String(launchOptions().executablePath), "--version")}; Lighthouse ${lighthouseVersion()}`,
  ];
}

/** The first line of what a program says of itself; some say it as an error, some with status 1. */
function version(program: string, option: string): string {
  const { stdout, stderr } = spawnSync(program, [option], { encoding: "utf8" });
  return (
    (stdout || stderr)
      .split("\n")[0]
      ?.replace(/ Copyright.*/, "")
      .trim() ?? program
  );
}

function lighthouseVersion(): string {
  const file = new URL("./package.json", import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")).devDependencies.lighthouse;
}
