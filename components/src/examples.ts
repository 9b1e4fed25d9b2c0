import { readFileSync } from "node:fs";
import { folderOf, type SectionName } from "./registry.ts";

/** One state of a section, for the preview page, the tests and the sidecar's check at its start. */
export type Example = { name: string; props: object };

/** Reads the examples of a section from its folder. */
export function readExamples(name: SectionName): Example[] {
  const folder = folderOf(name);
  return JSON.parse(
    readFileSync(new URL(`./${folder}/${folder}.examples.json`, import.meta.url), "utf8"),
  );
}
