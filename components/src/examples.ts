import { readFileSync } from "node:fs";
import type { SectionName } from "./registry.ts";

/** One state of a section, for the preview page, the tests and the sidecar's health check. */
export type Example = { name: string; props: object };

/** Reads the examples of a section from its folder, which is its name in kebab case. */
export function readExamples(name: SectionName): Example[] {
  const folder = name.replace(/(?<!^)[A-Z]/g, "-$&").toLowerCase();
  return JSON.parse(
    readFileSync(new URL(`./${folder}/${folder}.examples.json`, import.meta.url), "utf8"),
  );
}
