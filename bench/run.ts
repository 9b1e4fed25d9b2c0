import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { markdown, type Table } from "./figures.ts";
import { measureInteraction } from "./interaction.ts";
import { measureLighthouse } from "./lighthouse.ts";
import { shape } from "./machine.ts";
import { measureMemory } from "./memory.ts";
import { options, type parts } from "./options.ts";
import { root } from "./processes.ts";
import { measureServer } from "./server.ts";
import { measureSidecar } from "./sidecar.ts";
import { measureStart } from "./start.ts";

const measure: Record<(typeof parts)[number], () => Promise<Table[]>> = {
  server: measureServer,
  start: measureStart,
  sidecar: measureSidecar,
  memory: measureMemory,
  lighthouse: measureLighthouse,
  interaction: measureInteraction,
};

/** Measures part by part, prints each as soon as it is done, and keeps a full run's results. */
const head = `# Results\n\nWritten by \`make bench\`.\n\n${shape()
  .map((line) => `- ${line}`)
  .join("\n")}\n`;
process.stdout.write(`${head}\n`);
const tables: string[] = [];
for (const part of options.parts) {
  for (const table of await measure[part]()) {
    tables.push(markdown(table));
    process.stdout.write(`${tables.at(-1)}\n`);
  }
}
if (options.keep) {
  writeFileSync(join(root, "bench/RESULTS.md"), [head, ...tables].join("\n"));
}
// What a failed part left running ends with this process; so does a connection that is kept open.
process.exit();
