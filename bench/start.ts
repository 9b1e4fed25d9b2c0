import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { siteEnvironment } from "./environment.ts";
import { figure, median, type Table, verdict } from "./figures.ts";
import { options } from "./options.ts";
import {
  keptState,
  newState,
  root,
  type Service,
  serving,
  startSidecar,
  startSite,
  stop,
  temporary,
} from "./processes.ts";

/** From the start of the processes to the first page, and how long an edition takes. */
export async function measureStart(): Promise<Table[]> {
  const kept = await keptState();
  const rows = [
    await row("first page: site alone, fragments and compressed forms kept", 100, async (time) => {
      await time(async () => [await serving(await startSite(kept))]);
    }),
    await row("first page: site with a running sidecar, nothing kept", undefined, (time) =>
      besideSidecar((state) => time(async () => [await serving(await startSite(state))])),
    ),
    await row("first page: both processes from cold, nothing kept", 1500, async (time) => {
      const state = newState();
      await time(async () => {
        const sidecar = startSidecar(state);
        return [await serving(await startSite(state, { quiet: true })), sidecar];
      });
    }),
    await row("edition exported: everything made anew", undefined, (time) =>
      besideSidecar((state) => time(() => exportEdition(state))),
    ),
    await row("edition exported: everything kept", undefined, (time) =>
      time(() => exportEdition(kept)),
    ),
  ];
  return [
    {
      title: "Start",
      note: `Medians of ${options.starts}, from the start of the process to the last byte of \`/\`, or to the end of \`site export\`, which includes the start of the process and the writing of every file.`,
      head: ["What", "ms", "Goal"],
      rows,
    },
  ];
}

/** Times an action and ends the processes that it started. */
type Time = (action: () => Promise<Service[]>) => Promise<void>;

async function row(what: string, goal: number | undefined, once: (time: Time) => Promise<void>) {
  const times: number[] = [];
  for (let run = 0; run < options.starts; run++) {
    await once(async (action) => {
      const before = performance.now();
      const started = await action();
      times.push(performance.now() - before);
      await Promise.all(started.map(stop));
    });
  }
  const time = median(times);
  return [what, figure(time), goal ? `≤ ${figure(goal)}: ${verdict(time <= goal)}` : ""];
}

/** Runs an action in a new state folder beside a sidecar that has been started before. */
async function besideSidecar(action: (state: string) => Promise<void>) {
  const state = newState();
  const sidecar = await serving(startSidecar(state), "/health");
  await action(state);
  await stop(sidecar);
}

async function exportEdition(state: string): Promise<Service[]> {
  const env = { ...process.env, ...siteEnvironment(state) };
  const command = ["export", join(temporary, "exported")];
  await promisify(execFile)(join(root, "target/release/site"), command, { env });
  return [];
}
