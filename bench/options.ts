import { parseArgs } from "node:util";
import { only } from "./only.ts";

/** The parts of the benchmark, in the order in which they run. */
export const parts = ["server", "start", "sidecar", "memory", "lighthouse", "interaction"] as const;

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    rounds: { type: "string" },
    seconds: { type: "string" },
  },
});

const { quick } = values;

/** How much is measured; `--quick` is a smoke test, whose figures mean nothing. */
export const options = {
  /** `--only server,start`: the parts that run. */
  parts: only(values.only, parts),
  /** Only a run of everything at full length replaces the kept results. */
  keep: !quick && !values.only && !values.rounds && !values.seconds,
  pages: quick ? ["/"] : ["/", "/pricing", "/contact"],
  /** `--rounds`: how often each server is loaded in each way. */
  rounds: count("rounds", quick ? 1 : 5),
  /** `--seconds`: how long it is loaded each time. */
  seconds: count("seconds", quick ? 1 : 2),
  starts: quick ? 1 : 7,
  requests: quick ? 20_000 : 1_000_000,
  renders: quick ? 2_000 : 100_000,
  browserRuns: quick ? 1 : 5,
};

function count(name: "rounds" | "seconds", standard: number): number {
  const value = Number(values[name] ?? standard);
  if (!Number.isInteger(value) || value < 1) {
    throw new Error(`--${name} is "${values[name]}"; expected a whole number from 1`);
  }
  return value;
}
