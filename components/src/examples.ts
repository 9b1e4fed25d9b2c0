import { readFileSync } from "node:fs";
import { folderOf, type SectionName } from "./registry.ts";

/** One state of a section, for the preview page, the tests and the sidecar's check at its start. */
export type Example = { name: string; props: object };

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The props of every section with the words of the copy; `make contract` writes them. */
const base = read("base.json") as Record<SectionName, Json>;

/** Reads the examples of a section from its folder. */
export function readExamples(name: SectionName): Example[] {
  const folder = folderOf(name);
  const examples = read(`${folder}/${folder}.examples.json`) as { name: string; props: Json }[];
  return examples.map((example) => ({
    name: example.name,
    props: merged(base[name], example.props) as object,
  }));
}

/** An example says only what differs: tables are merged, everything else is replaced. */
function merged(base: Json, change: Json): Json {
  if (!isTable(base) || !isTable(change)) {
    return change;
  }
  const changed = Object.entries(change).map(([key, value]) => [
    key,
    merged(base[key] ?? null, value),
  ]);
  return { ...base, ...Object.fromEntries(changed) };
}

function isTable(value: Json): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function read(path: string): Json {
  return JSON.parse(readFileSync(new URL(`./${path}`, import.meta.url), "utf8"));
}
