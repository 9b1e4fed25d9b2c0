import { rowRates } from "../../components/src/room/figures.ts";
import type { Line } from "../../components/src/room/log.ts";
import {
  CAPACITY,
  objects,
  PLAYERS_AT_REST,
  players,
  ROOM_NAME,
  TICK_BUDGET,
} from "../../components/src/room/model.ts";
import { rest } from "../../components/src/room/rest.ts";
import { history, ownerOf, traffic } from "../../components/src/room/state.ts";
import { tickWork } from "../../components/src/room/traffic.ts";
import { columns, withUnit } from "./views.ts";

const FLOW = traffic(rest);
const PAST = history(rest);

/** For what screens; on wide ones the first two are broader than the others. */
type Kind = "broad" | "wide" | "narrow";

/** The room, all who play in it, and one of them: what can be done to each. */
function control(): string {
  const slowest = players.slice(0, PLAYERS_AT_REST).reduce((a, b) => (a.rtt > b.rtt ? a : b));
  const rows = [
    [
      "room",
      `<span class="live">${ROOM_NAME}</span> <span class="number soft">${PLAYERS_AT_REST}/${CAPACITY}</span>`,
      '<span class="button">Lock</span>',
    ],
    [
      "everybody",
      '<span class="typed">Restart in 5 minutes</span>',
      '<span class="button">Send</span>',
    ],
    [
      "pointed",
      `${slowest.name} <span class="number">${withUnit(slowest.rtt, "ms")}</span>`,
      '<span class="button">Kick</span>',
    ],
  ];
  return rows
    .map(([name, what, key]) => `<div class="${name}"><span>${what}</span>${key}</div>`)
    .join("");
}

/** The busiest object, and what it takes: a chart of so many pixels. */
function objectWithBandwidth(width: number, height: number): string {
  const [busiest] = objects;
  if (!busiest) throw new Error("The room has no objects.");
  const sent = PAST.map(({ rows }) => rows[0]?.out ?? 0);
  return `<div class="object">
      <span><b>${busiest.prefab}</b> <span class="soft">${busiest.id}</span></span>
      <span class="number out">${withUnit(rowRates(FLOW, "out")[0] ?? "", "kB/s")}</span>
      <span><span class="soft">Owner</span> ${ownerOf(rest, busiest)}</span>
      <span class="soft">Last ${PAST.length / 2} s</span>
    </div>
    ${columns(sent, Math.max(...sent), width, height, "out")}`;
}

/** What has just passed. */
function log(): string {
  const row = ({ direction, kind, detail, bytes }: Line) => `<tr class="${kind}">
    <td>${direction}</td>
    <td>${kind}</td>
    <td>${detail}</td>
    <td class="end">${withUnit(bytes, "B")}</td>
  </tr>`;
  return `<table><tbody>${rest.log.slice(-4).map(row).join("")}</tbody></table>`;
}

/** From the project to the room, each step done. */
function setup(): string {
  const steps = [
    ["Build", "uploaded"],
    ["Server", "started"],
    ["Room", "open"],
  ];
  const step = ([name, state]: string[]) =>
    `<div class="step"><b>${name}</b><i class="live"></i><span class="soft">${state}</span></div>`;
  return steps.map(step).join('<span class="onward"><i></i><i></i><i></i></span>');
}

/** However many play, a tick's work stays far below what a tick has. */
function sessions(): string {
  const counts = Array.from({ length: CAPACITY }, (_, i) => i + 1);
  const share = (count: number) => Math.round((tickWork(count) / TICK_BUDGET) * 100);
  const bar = (count: number) =>
    `<div><span><i style="block-size:${share(count)}%"></i></span><span class="soft">${count}</span></div>`;
  const figure = (name: string, ms: number) =>
    `<span class="label">${name}</span><span class="number">${withUnit(ms.toFixed(1), "ms")}</span>`;
  return `<div class="figures">${figure("Tick limit", TICK_BUDGET)}${figure(`${CAPACITY} players`, tickWork(CAPACITY))}</div>
    <div class="growth">${counts.map(bar).join("")}</div>`;
}

/** A piece of the room for each of the five points, in their order, one below the other. */
export function pointsView(kind: Kind): string {
  const pieces = [
    ["control", control()],
    ["objects", kind === "broad" ? objectWithBandwidth(540, 84) : objectWithBandwidth(528, 96)],
    ["log", log()],
    ["setup", setup()],
    ["sessions", sessions()],
  ];
  const shown = { broad: pieces.slice(0, 2), wide: pieces.slice(2), narrow: pieces }[kind];
  return `<body class="points ${kind}">${shown
    .map(([name, piece]) => `<section class="${name}">${piece}</section>`)
    .join("")}</body>`;
}
