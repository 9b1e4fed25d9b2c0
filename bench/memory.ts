import { setTimeout as sleep } from "node:timers/promises";
import { figure, type Table, verdict } from "./figures.ts";
import { options } from "./options.ts";
import { memory } from "./proc.ts";
import {
  newState,
  portOf,
  type Service,
  serving,
  startSidecar,
  startSite,
  stop,
} from "./processes.ts";
import { bodyOf, jobs, names, render } from "./sections.ts";
import { load } from "./wrk.ts";

const SITE_GOAL = 25;
const SIDECAR_GOAL = 100;
/** Flat is what grows by no more than this over the second half of the renders. */
const FLAT = 1.1;
const BATCH = 100;
/** What a process does right after it has started, or been loaded, is over by then. */
const SETTLE_MS = 2000;

/** Resident memory of both processes, idle and after they have worked. */
export async function measureMemory(): Promise<Table[]> {
  const state = newState();
  const sidecar = await serving(startSidecar(state), "/health");
  const site = await serving(await startSite(state));
  const idle = await siteRow(site, "idle, having made everything anew");
  const asked = await loadSite(site);
  const loaded = await siteRow(site, `the same after ${figure(asked)} requests`);
  await stop(site);
  const restarted = await serving(await startSite(state));
  const kept = await siteRow(restarted, "idle, having found everything kept");
  const rows = [idle, loaded, kept, ...(await sidecarRows(sidecar))];
  await Promise.all([stop(restarted), stop(sidecar)]);
  return [
    {
      title: "Memory",
      note: "Resident memory in MB (10⁶ bytes, `VmRSS`; peak: `VmHWM`), worker threads as by default. The site is asked for `/` on 256 connections; the sidecar, from the sources, renders all examples of all sections.",
      head: ["Process", "When", "Resident MB", "Peak MB", "Goal"],
      rows,
    },
  ];
}

async function siteRow(site: Service, when: string): Promise<string[]> {
  await sleep(SETTLE_MS);
  const { resident, peak } = memory(site.pid);
  const goal = `≤ ${SITE_GOAL}: ${verdict(resident <= SITE_GOAL)}`;
  return ["site", when, figure(resident, 1), figure(peak, 1), goal];
}

/** Returns how many requests it made in the end. */
async function loadSite({ address }: Service): Promise<number> {
  const port = portOf(address);
  let asked = 0;
  while (asked < options.requests) {
    const request = { port, path: "/", encodings: "br", connections: 256 };
    asked += (await load(request, options.seconds)).requests;
  }
  return asked;
}

async function sidecarRows(sidecar: Service): Promise<string[][]> {
  const body = bodyOf(jobs(names, BATCH));
  const row = (when: string, flat = true) => {
    const { resident, peak } = memory(sidecar.pid);
    const goal = `≤ ${SIDECAR_GOAL} and flat: ${verdict(resident <= SIDECAR_GOAL && flat)}`;
    return ["sidecar", when, figure(resident, 1), figure(peak, 1), goal];
  };
  const renderHalf = async () => {
    for (let rendered = 0; rendered < options.renders / 2; rendered += BATCH) {
      await render(sidecar, body);
    }
    await sleep(SETTLE_MS);
  };
  const idle = row("idle");
  await renderHalf();
  const halfWay = memory(sidecar.pid).resident;
  const half = row(`after ${figure(options.renders / 2)} renders`);
  await renderHalf();
  const flat = memory(sidecar.pid).resident <= halfWay * FLAT;
  return [idle, half, row(`after ${figure(options.renders)} renders`, flat)];
}
