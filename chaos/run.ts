import { parseArgs } from "node:util";
import {
  connectionRows,
  copyRows,
  databaseRows,
  floodRows,
  hasNginx,
  type Row,
  type Scale,
  sidecarRows,
  stateRows,
  upgradeRows,
} from "./rows.ts";
import { prepared } from "./site.ts";

/**
 * Does to a release build whatever may happen to it, and prints a table:
 * `node --import tsx chaos/run.ts [--quick] [--only sidecar,copy]`. Fails where a page did.
 */
const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, only: { type: "string" } },
});
const scale: Scale = values.quick
  ? { hostile: 300, rounds: 1, flood: 20, changes: 10 }
  : { hostile: 2000, rounds: 5, flood: 200, changes: 100 };

const state = await prepared();
const parts: Record<string, () => AsyncIterable<Row>> = {
  sidecar: () => sidecarRows(state),
  copy: () => copyRows(state, scale),
  state: () => stateRows(state),
  database: () => databaseRows(state),
  connections: () => connectionRows(state, scale),
  flood: () => floodRows(state, scale),
  upgrade: () => upgradeRows(state, scale),
};

console.info("| Fault | Pages asked for | Failed | Recovery | |");
console.info("|---|---:|---:|---:|---|");
for (const [name, rows] of Object.entries(parts)) {
  const wanted = !values.only || values.only.split(",").includes(name);
  if (!wanted || (name === "upgrade" && !hasNginx())) {
    continue;
  }
  for await (const { fault, seen, recovery, note = "" } of rows()) {
    const why = [...new Set(seen.why)].join(", ");
    const cells = [fault, seen.sent, seen.failed, recovery, [note, why].filter(Boolean).join("; ")];
    console.info(`| ${cells.join(" | ")} |`);
    if (seen.failed > 0 || seen.sent === 0 || /[A-Z]{4}/.test(note)) {
      process.exitCode = 1;
    }
  }
}
if (!hasNginx()) {
  console.info("Restarts behind nginx were not tried: nginx is not installed");
}
process.exit();
