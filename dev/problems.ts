import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

/** How long the steps take in which an editor writes a file. */
export const SETTLED_MS = 20;

/** Where the development server looks for what is wrong (site/src/routes/development.rs). */
const FOLDER = join(process.env.STATE_DIR || "var", "problems");

/** Shows in open pages what is wrong with the sources of a process; an empty text takes it away. */
export function report(name: string, problem: string) {
  if (problem === "") {
    rmSync(join(FOLDER, name), { force: true });
  } else {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(join(FOLDER, name), readable(problem));
  }
}

/** Without colours, with paths in the source tree, and without the lines that name other people's code. */
function readable(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll("file://", "")
    .replaceAll(`${process.cwd()}/`, "")
    .split("\n")
    .filter((line) => !/node:|node_modules/.test(line))
    .join("\n")
    .trim();
}
