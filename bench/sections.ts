import { Agent } from "node:http";
import { readExamples } from "@site/components/examples";
import { registry, type SectionName } from "@site/components/registry";
import { ask } from "./http.ts";
import type { Service } from "./processes.ts";

/** A section as the sidecar is asked for it. */
export type Job = { key: string; name: SectionName; props: object };

/** The names of all sections. */
export const names = Object.keys(registry) as SectionName[];

/** So many jobs of these sections, turn by turn; of each section its examples, turn by turn. */
export function jobs(sections: SectionName[], count: number): Job[] {
  const examples = sections.flatMap((name) =>
    readExamples(name).map(({ props }) => ({ name, props })),
  );
  return repeat(examples, count);
}

/** The jobs of so many pages, each with one of every section. */
export const pagesWorth = (pages: number): Job[] =>
  repeat(
    names.map((name) => ({ name, props: readExamples(name)[0]?.props ?? {} })),
    pages * names.length,
  );

/** Keys are as long as the site's. */
const repeat = (kinds: Omit<Job, "key">[], count: number): Job[] =>
  Array.from({ length: count }, (_, index) => ({
    key: String(index).padStart(64, "0"),
    ...(kinds[index % kinds.length] as Omit<Job, "key">),
  }));

const connection = new Agent({ keepAlive: true });

/** Has a body rendered in one call; false where the sidecar finds it too large. */
export async function render(sidecar: Service, body: string): Promise<boolean> {
  const answer = await ask(sidecar.address, "/render", { body, agent: connection });
  if (answer.status === 413) {
    return false;
  }
  // A section that failed has an error in the place of its HTML.
  if (answer.status !== 200 || answer.body.includes('","error":"')) {
    throw new Error(`The sidecar answered ${answer.status}: ${answer.body.subarray(0, 500)}`);
  }
  return true;
}

/** The body of a call. */
export const bodyOf = (sections: Job[]) => JSON.stringify({ sections });
