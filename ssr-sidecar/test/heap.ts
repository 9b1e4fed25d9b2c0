/** Prints by how many bytes 10,000 renders over HTTP make the heap grow. Needs `--expose-gc`. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readExamples } from "@site/components/examples";
import { registry, type SectionName } from "@site/components/registry";
import { createSidecar } from "../src/app.ts";
import { ask, freshSocket } from "./sidecar.ts";

const BATCH = 200;
const names = Object.keys(registry) as SectionName[];
const sections = Array.from({ length: BATCH }, (_, index) => {
  const name = names[index % names.length] ?? "NavBar";
  return { key: `${index}`, name, props: readExamples(name)[0]?.props };
});

const socketPath = freshSocket();
const server = createSidecar("bundle");
await once(server.listen(socketPath), "listening");

async function renders(count: number) {
  for (let done = 0; done < count; done += BATCH) {
    const { status, body } = await ask({ socketPath, path: "/render" }, { sections });
    assert.ok(status === 200 && body.sections.every(({ html }: { html?: string }) => html));
  }
  assert.ok(globalThis.gc);
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

// The first ones fill caches that stay.
const warm = await renders(2_000);
console.info((await renders(10_000)) - warm);
server.close();
