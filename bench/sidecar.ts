import { figure, median, type Table } from "./figures.ts";
import { options } from "./options.ts";
import { memory, processorTime } from "./proc.ts";
import { newState, type Service, serving, startSidecar, stop } from "./processes.ts";
import { bodyOf, type Job, jobs, names, pagesWorth, render } from "./sections.ts";

/** How many sections one call holds where throughput is measured. */
const BATCH = 100;

/** Renders per second for each section, and what larger and larger editions cost. */
export async function measureSidecar(): Promise<Table[]> {
  const sidecar = await serving(startSidecar(newState()), "/health");
  const throughput: Table = {
    title: "Sidecar: renders",
    note: `\`POST /render\` over the Unix socket for ${options.seconds} s, ${BATCH} sections in each call, made from the section's examples in turn; two calls are under way at any time. From the sources, as the Procfile starts it; what is deployed runs with less memory and without machine code (\`--lite-mode\`), which is slower.`,
    head: ["Section", "Renders/s", "CPU µs/render"],
    rows: [],
  };
  for (const name of names) {
    const body = bodyOf(jobs([name], BATCH));
    // Until the machine code that V8 makes of a component has settled.
    await rendersIn(options.seconds / 2, sidecar, body);
    const before = processorTime(sidecar.pid);
    const begun = performance.now();
    const rendered = await rendersIn(options.seconds, sidecar, body);
    const seconds = (performance.now() - begun) / 1000;
    const processor = ((processorTime(sidecar.pid) - before) * 1e6) / rendered;
    throughput.rows.push([name, figure(rendered / seconds), figure(processor, 1)]);
  }

  await stop(sidecar);

  const cost: Table = {
    title: "Sidecar: an edition",
    note: "All sections of so many pages, each with one of every kind, in one call; in several where the sidecar refuses the body as too large. Medians of five by one process, and the most memory that it held.",
    head: ["Pages", "Sections", "Request kB", "Calls", "ms", "ms/page", "Peak MB"],
    rows: [],
  };
  for (const pages of [10, 100, 1000]) {
    const sidecar = await serving(startSidecar(newState()), "/health");
    const sections = pagesWorth(pages);
    const times: number[] = [];
    let calls = 0;
    for (let run = 0; run < 5; run++) {
      const before = performance.now();
      calls = await renderAll(sidecar, sections);
      times.push(performance.now() - before);
    }
    cost.rows.push([
      figure(pages),
      figure(sections.length),
      figure(bodyOf(sections).length / 1000),
      figure(calls),
      figure(median(times), 1),
      figure(median(times) / pages, 2),
      figure(memory(sidecar.pid).peak, 1),
    ]);
    await stop(sidecar);
  }
  return [throughput, cost];
}

/** How many sections are rendered by calls that begin within so many seconds. */
async function rendersIn(seconds: number, sidecar: Service, body: string): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let rendered = 0;
  const caller = async () => {
    while (performance.now() < end) {
      await render(sidecar, body);
      rendered += BATCH;
    }
  };
  await Promise.all([caller(), caller()]);
  return rendered;
}

/** Renders all sections; returns how many calls it took. */
async function renderAll(sidecar: Service, sections: Job[]): Promise<number> {
  if (await render(sidecar, bodyOf(sections))) {
    return 1;
  }
  const middle = Math.ceil(sections.length / 2);
  const halves = [sections.slice(0, middle), sections.slice(middle)];
  let calls = 0;
  for (const half of halves) {
    calls += await renderAll(sidecar, half);
  }
  return calls;
}
