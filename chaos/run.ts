import { parseArgs } from "node:util";
import { only } from "../bench/only.ts";
import type { Fault, Outcome, Scale } from "./fault.ts";
import { connectionFaults } from "./faults/connections.ts";
import { copyFaults } from "./faults/copy.ts";
import { databaseFaults } from "./faults/database.ts";
import { floodFaults } from "./faults/flood.ts";
import { mailFaults } from "./faults/mail.ts";
import { sidecarFaults } from "./faults/sidecar.ts";
import { stateFaults } from "./faults/state.ts";
import { hasNginx, stopFaults } from "./faults/stop.ts";
import { type Prepared, prepare } from "./site.ts";

/**
 * Does to a release build whatever may happen to it, and prints a table:
 * `node --import tsx chaos/run.ts [--quick] [--only sidecar,copy]`. Fails where a page did, a message
 * was lost, or a goal was missed.
 */
const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, only: { type: "string" } },
});
const scale: Scale = values.quick
  ? {
      lanes: 8,
      visitors: 2,
      patience: 10_000,
      hostile: 300,
      rounds: 1,
      flood: 20,
      changes: 10,
      settle: 0,
    }
  : {
      lanes: 1,
      visitors: 8,
      patience: 1_000,
      hostile: 2000,
      rounds: 5,
      flood: 200,
      changes: 100,
      settle: 4000,
    };

/** By what they befall; those that wait longest first. */
const parts = {
  mail: mailFaults,
  connections: connectionFaults,
  sidecar: sidecarFaults,
  copy: copyFaults,
  state: stateFaults,
  database: databaseFaults,
  flood: floodFaults,
  stop: stopFaults,
} satisfies Record<string, (prepared: Prepared, scale: Scale) => Fault[]>;
const wanted = only(values.only, Object.keys(parts) as (keyof typeof parts)[]);

function print(name: string, { seen, recovery, note, wrong }: Outcome) {
  const why = [...new Set(seen.why)].join(", ");
  const notes = [note, why, wrong && `WRONG: ${wrong}`].filter(Boolean).join("; ");
  const cells = [name, seen.sent, seen.failed, `${(recovery / 1000).toFixed(1)} s`, notes];
  console.info(`| ${cells.join(" | ")} |`);
  if (seen.failed > 0 || seen.sent === 0 || wrong) {
    process.exitCode = 1;
  }
}

const prepared = await prepare();
console.info("| Fault | Pages asked for | Failed | Recovery | |");
console.info("|---|---:|---:|---:|---|");
const faults = wanted.flatMap((part) => parts[part](prepared, scale)).values();
/** One fault after the other, until all have been taken. */
async function lane() {
  for (const { name, inflict } of faults) {
    await inflict().then(
      (outcome) => print(name, outcome),
      (error: Error) => {
        console.info(`| ${name} | | | | WRONG: ${error.message} |`);
        process.exitCode = 1;
      },
    );
  }
}
await Promise.all(Array.from({ length: scale.lanes }, lane));
if (!hasNginx) {
  console.info("Restarts behind nginx were not tried: nginx is not installed");
}
process.exit();
