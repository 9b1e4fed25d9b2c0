import { setTimeout as pause } from "node:timers/promises";
import { stop } from "../bench/processes.ts";
import type { Site } from "./site.ts";
import { type Seen, visit } from "./visitors.ts";

/** Something that may happen to a site, done to one of its own. */
export type Fault = { name: string; inflict: () => Promise<Outcome> };

/** What became of the site: a line of the table. */
export type Outcome = Told & {
  /** The pages that were asked for meanwhile. */
  seen: Seen;
};

/** What a fault tells of itself. */
export type Told = {
  /** How many milliseconds it took until all was as before. */
  recovery: number;
  /** What else was seen. */
  note?: string;
  /** What must not be, besides pages that failed; empty where nothing is wrong. */
  wrong?: string;
};

/** How often things are done: fewer in the shortened form, which is part of the tests. */
export type Scale = {
  /** Faults at the same time; where it is more than one, times and memory say little. */
  lanes: number;
  visitors: number;
  /** How long they wait for a page, in ms. */
  patience: number;
  hostile: number;
  rounds: number;
  flood: number;
  changes: number;
  /** How long hostile connections are left to themselves before anything is measured, in ms. */
  settle: number;
};

/** Does something to a site while visitors ask for its pages, and stops it. */
export async function during(
  site: Site,
  scale: Scale,
  inflict: () => Promise<Told>,
): Promise<Outcome> {
  const leave = visit(site.address, scale);
  let seen: Seen;
  let told: Told;
  try {
    told = await inflict();
  } finally {
    seen = await leave();
    await stop(site);
  }
  return { seen, ...told };
}

/** What visitors see in so many milliseconds. */
export async function visited(
  { address }: Site,
  scale: Scale,
  milliseconds: number,
): Promise<Seen> {
  const leave = visit(address, scale);
  await pause(milliseconds);
  return leave();
}

/** Waits until something holds; returns how many milliseconds that took. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<number> {
  const begun = performance.now();
  while (!(await holds())) {
    if (performance.now() - begun > 90_000) {
      throw new Error(`not within 90 s: ${what}`);
    }
    await pause(20);
  }
  return performance.now() - begun;
}
