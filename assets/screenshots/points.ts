import { rowRates } from "../../components/src/room/figures.ts";
import type { Line } from "../../components/src/room/log.ts";
import {
  CAPACITY,
  objects,
  players,
  ROOM_NAME,
  TICK_BUDGET,
} from "../../components/src/room/model.ts";
import { rest } from "../../components/src/room/rest.ts";
import { history, traffic } from "../../components/src/room/state.ts";
import { tickWork } from "../../components/src/room/traffic.ts";
import { columns, withUnit } from "./views.ts";

const FLOW = traffic(rest);
const PAST = history(rest);

/** Who is in the room, and the keys to it. */
function control(rows: number): string {
  const shown = players
    .filter(({ name }) => ["moth", "pixelpaula", "ravn", "Vesper"].includes(name))
    .slice(-rows);
  const row = ({ name, rtt }: (typeof shown)[number]) => `<tr${
    name === "Vesper" ? ' class="pointed"' : ""
  }>
    <td class="words">${name}</td>
    <td class="end">${withUnit(rtt, "ms")}</td>
    <td class="words"><span class="button">Kick</span></td>
  </tr>`;
  return `<table class="people"><tbody>${shown.map(row).join("")}</tbody></table>
    <div class="keys">
      <span class="live">${ROOM_NAME}</span>
      <span class="button">Lock</span><span class="button">Message</span>
    </div>`;
}

/** The busiest objects, and what each of them takes. */
function objectsWithBandwidth(rows: number): string {
  const out = rowRates(FLOW, "out");
  const shown = objects.slice(0, rows);
  // Every second one: where the picture is shown small, more of them would run into one.
  const past = PAST.filter((_, i) => i % 2 === 0);
  const series = shown.map((_, i) => past.map(({ rows }) => rows[i]?.out ?? 0));
  const most = Math.max(...series.flat());
  const row = ({ prefab, id }: (typeof shown)[number], i: number) => `<tr${
    i === 0 ? ' class="selected"' : ""
  }>
    <td class="words">${prefab} <span class="soft">${id}</span></td>
    <td>${columns(series[i] ?? [], most, 150, Math.round(100 / rows), "out")}</td>
    <td class="end out">${withUnit(out[i] ?? "", "kB/s")}</td>
  </tr>`;
  return `<table><tbody>${shown.map(row).join("")}</tbody></table>`;
}

/** What has just passed. */
function log(): string {
  const row = ({ direction, kind, detail, bytes }: Line) => `<tr>
    <td class="${direction}">${direction}</td>
    <td class="${direction}">${kind}</td>
    <td>${detail}</td>
    <td class="end">${withUnit(bytes, "B")}</td>
  </tr>`;
  return `<table><tbody>${rest.log.slice(-4).map(row).join("")}</tbody></table>`;
}

/** From the project to the room, each step done. */
function setup(): string {
  const steps = [
    ["Unity build", "uploaded"],
    ["Server", "started"],
    [ROOM_NAME, "open"],
  ];
  const step = ([name, state]: string[]) =>
    `<div class="step"><b>${name}</b><span class="live soft">${state}</span></div>`;
  return steps.map(step).join('<span class="onward"><i></i><i></i><i></i></span>');
}

/** However many play, a tick's work stays far below what a tick has. */
function sessions(): string {
  const counts = Array.from({ length: CAPACITY }, (_, i) => i + 1);
  const share = (count: number) => Math.round((tickWork(count) / TICK_BUDGET) * 100);
  const bar = (count: number) =>
    `<div><i style="block-size:${share(count)}%"></i><span class="soft">${count}</span></div>`;
  return `<div class="figures">
      <span class="label">Players</span><span class="number">${CAPACITY} of ${CAPACITY}</span>
      <span class="label">Tick work</span><span class="number">${withUnit(tickWork(CAPACITY).toFixed(1), "ms")}</span>
    </div>
    <div class="growth"><span class="limit">${withUnit(TICK_BUDGET.toFixed(1), "ms")}</span>${counts.map(bar).join("")}</div>`;
}

/**
 * A piece of the room for each of the five points, in their order, one below the other. On wide
 * screens the first two are broader than the others; narrower ones show fewer rows, in larger type.
 */
export function pointsView(kind: "wide" | "narrow"): string {
  const rows = kind === "wide" ? 4 : 3;
  const pieces = {
    control: control(rows),
    objects: objectsWithBandwidth(rows),
    log: log(),
    setup: setup(),
    sessions: sessions(),
  };
  return `<body class="points ${kind}">${Object.entries(pieces)
    .map(([name, piece]) => `<section class="${name}">${piece}</section>`)
    .join("")}</body>`;
}
