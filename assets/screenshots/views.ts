import { readFileSync } from "node:fs";
import { rate, rowRates, thousands } from "../../components/src/room/figures.ts";
import { rttSpread } from "../../components/src/room/latency.ts";
import type { Line } from "../../components/src/room/log.ts";
import {
  CAPACITY,
  countOf,
  lesserCount,
  type NetworkObject,
  objects,
  PLAYERS_AT_REST,
  players,
  ROOM_NAME,
  TICK_BUDGET,
  TICK_RATE,
} from "../../components/src/room/model.ts";
import { rest } from "../../components/src/room/rest.ts";
import { history, ownerOf, traffic } from "../../components/src/room/state.ts";
import { tickWork } from "../../components/src/room/traffic.ts";

const mark = readFileSync(new URL("../images/mark.svg", import.meta.url), "utf8");

const COUNT = countOf(rest.present);
const FLOW = traffic(rest);
const PAST = history(rest);
const RTT = rttSpread(rest.present, 0);
/** Seconds that the charts span. */
const SECONDS = PAST.length / 2;

/** A figure, and after it in small what it is of. */
export const withUnit = (figure: string | number, unit: string) =>
  `${figure}<span class="unit">${unit}</span>`;
const hoursAndMinutes = (seconds: number) =>
  `${Math.floor(seconds / 3600)}h ${Math.floor((seconds % 3600) / 60)}m`;

/** How much room there is: on a narrow canvas the style leaves columns out, on a middle one fewer. */
type Canvas = "wide" | "narrow" | "narrow middle";

function frame(view: "rooms" | "log" | "objects", canvas: Canvas, body: string): string {
  const tabs = { rooms: "Rooms", log: "Log", objects: "Objects" };
  const tab = ([key, name]: [string, string]) =>
    `<span class="tab${key === view ? " current" : ""}">${name}</span>`;
  const where =
    view === "rooms"
      ? '<span class="where soft">production</span>'
      : `<span class="where live">${ROOM_NAME}</span>
        <span class="number soft">tick ${thousands(rest.tick)}</span>`;
  return `<body class="${view} ${canvas}">
    <header>${mark}${Object.entries(tabs).map(tab).join("")}${where}</header>
    ${body}
  </body>`;
}

/** A column for each value; the same scale for every chart that is compared. */
export function columns(
  series: number[],
  most: number,
  width: number,
  height: number,
  colour: string,
) {
  const step = width / series.length;
  const bars = series.map((value, i) => {
    const tall = Math.max(1, Math.round((value / most) * height));
    return `M${(i * step).toFixed(1)} ${height - tall}h${(step * 0.72).toFixed(1)}v${tall}h-${(step * 0.72).toFixed(1)}z`;
  });
  return `<svg class="chart" width="${width}" height="${height}"><path fill="var(--console-${colour})" d="${bars.join("")}"/></svg>`;
}

type Room = {
  name: string;
  state: "live" | "open" | "locked";
  up: string;
  players: number;
  capacity: number;
  rate: number;
  rtt: string;
};

const rooms: Room[] = [
  {
    name: "foundry-03",
    state: "live",
    up: "3h 5m",
    players: 8,
    capacity: 8,
    rate: 30,
    rtt: "36 / 71",
  },
  {
    name: ROOM_NAME,
    state: "live",
    up: hoursAndMinutes(rest.tick / TICK_RATE),
    players: COUNT,
    capacity: CAPACITY,
    rate: TICK_RATE,
    rtt: `${RTT?.p50} / ${RTT?.p95}`,
  },
  {
    name: "foundry-05",
    state: "open",
    up: "11m",
    players: 3,
    capacity: 8,
    rate: 30,
    rtt: "29 / 44",
  },
  { name: "duel-118", state: "live", up: "6m", players: 2, capacity: 2, rate: 60, rtt: "18 / 26" },
  {
    name: "duel-121",
    state: "locked",
    up: "4m",
    players: 2,
    capacity: 2,
    rate: 60,
    rtt: "22 / 35",
  },
  { name: "duel-122", state: "open", up: "38s", players: 1, capacity: 2, rate: 60, rtt: "31 / 31" },
];

const dots = {
  live: "var(--console-live)",
  open: "var(--console-in)",
  locked: "var(--console-soft)",
};

/** Rooms on the left; the selected one with its players and their controls on the right. */
export function roomsView(canvas: Canvas = "wide"): string {
  const slots = (taken: number, capacity: number) =>
    Array.from({ length: capacity }, (_, i) => `<i${i < taken ? ' class="taken"' : ""}></i>`).join(
      "",
    );
  const row = (each: Room) => `<tr${each.name === ROOM_NAME ? ' class="selected"' : ""}>
    <td class="words"><span class="live" style="--dot:${dots[each.state]}">${each.name}</span><small>${each.state}<span class="up">, ${each.up}</span></small></td>
    <td><span class="slots">${slots(each.players, each.capacity)}</span>${each.players}/${each.capacity}</td>
    <td class="end">${withUnit(each.rate, "Hz")}</td>
    <td class="end">${withUnit(each.rtt, "ms")}</td>
  </tr>`;
  const person = (
    player: (typeof players)[number],
  ) => `<tr${player.name === "Vesper" ? ' class="pointed"' : ""}>
    <td class="words">${player.name}</td>
    <td class="end">${withUnit(player.rtt, "ms")}</td>
    <td class="words"><span class="button">Kick</span></td>
  </tr>`;
  const people = players.slice(0, PLAYERS_AT_REST).map(person);
  // On a narrow canvas the style shows three, and this row.
  const more = `<tr class="more"><td class="words" colspan="3">${people.length - 3} more</td></tr>`;
  const work = tickWork(COUNT);
  return frame(
    "rooms",
    canvas,
    `<div class="split">
      <table>
        <thead><tr><th>Room<th>Players<th class="end">Tick<th class="end">RTT p50 / p95</tr></thead>
        <tbody>${rooms.map(row).join("")}</tbody>
      </table>
      <aside>
        <h1>${ROOM_NAME}</h1>
        <dl class="facts">
          <dt class="soft">Tick</dt><dd class="number">${thousands(rest.tick)}</dd>
          <dt class="soft">Out / in</dt><dd class="number">${withUnit(`${rate(FLOW.out)} / ${rate(FLOW.in)}`, "kB/s")}</dd>
          <dt class="soft">Tick work</dt><dd class="number">${withUnit(`${work.toFixed(1)} / ${TICK_BUDGET.toFixed(1)}`, "ms")}</dd>
          <div class="bar" style="--share:${(work / TICK_BUDGET) * 100}%"></div>
        </dl>
        <table class="people"><tbody>${people.toSpliced(2, 0, more).join("")}</tbody></table>
        <div class="actions">
          <span class="button">Lock</span><span class="button">Message</span><span class="button alarm">Close</span>
        </div>
      </aside>
    </div>`,
  );
}

const LAST_MILLISECOND = Date.UTC(2025, 5, 12, 14, 7, 31, 400);

/** Minutes, seconds and milliseconds of a message, by its place among those of its tick. */
const clock = (tick: number, place: number) =>
  new Date(LAST_MILLISECOND - ((rest.tick - tick) * 1000) / TICK_RATE + place * 7)
    .toISOString()
    .slice(14, 23);

/** Every message of the room as it passes, under the room's throughput. */
export function logView(canvas: Canvas = "wide"): string {
  const row = (line: Line, i: number) => `<tr>
    <td class="soft">${clock(line.tick, i - rest.log.findIndex(({ tick }) => tick === line.tick))}</td>
    <td class="${line.direction}">${line.direction}</td>
    <td>${line.peer}</td>
    <td class="${line.direction}">${line.kind}</td>
    <td>${line.detail}</td>
    <td class="soft">${/Snapshot|Input/.test(line.kind) ? "unrel" : "rel"}</td>
    <td class="end">${withUnit(line.bytes, "B")}</td>
  </tr>`;
  const [breadth, height] = canvas === "wide" ? [304, 76] : [328, 34];
  const figure = (direction: "in" | "out") => {
    const series = PAST.map((each) => each[direction]);
    return `<div class="figure">
      <span class="label">${direction === "in" ? "In" : "Out"}</span>
      <span class="number ${direction}">${withUnit(rate(FLOW[direction]), "kB/s")}</span>
    </div>${columns(series, Math.max(...series) * 1.05, breadth, height, direction)}`;
  };
  return frame(
    "log",
    canvas,
    `<main>
      <div class="flow">${figure("out")}${figure("in")}</div>
      <div class="filters">
        <span class="chip">Snapshots</span><span class="chip">RPCs</span><span class="chip">Ownership</span>
        <span class="chip">Input, 1 in 6</span><span class="chip off">Heartbeat</span>
        <span class="soft">last 100 ms</span>
      </div>
      <table><tbody>${rest.log.map(row).join("")}</tbody></table>
    </main>`,
  );
}

/** What each network object of the room costs, adding up to the room's throughput. */
export function objectsView(canvas: Canvas = "wide"): string {
  const out = rowRates(FLOW, "out");
  const received = rowRates(FLOW, "in");
  const series = (i: number) => PAST.map(({ rows }) => rows[i]?.out ?? 0);
  const most = Math.max(...objects.flatMap((_, i) => series(i)));
  const [selected] = objects;
  if (!selected) throw new Error("The room has no objects.");
  const row = (object: NetworkObject, i: number) => `<tr${i === 0 ? ' class="selected"' : ""}>
    <td class="soft">${object.id}</td>
    <td class="words">${object.prefab}</td>
    <td class="words soft">${ownerOf(rest, object)}</td>
    <td>${columns(
      series(i).filter((_, moment) => moment % 2),
      most,
      90,
      26,
      "out",
    )}</td>
    <td class="end">${withUnit(out[i] ?? "", "kB/s")}</td>
    <td class="end${received[i] === "0.0" ? " soft" : ""}">${received[i]}</td>
  </tr>`;
  // The two rows that the console has below those of single objects.
  const folded = (rates: string[]) =>
    rates
      .slice(objects.length)
      .reduce((total, each) => total + Number(each), 0)
      .toFixed(1);
  const sumRow = (name: string, sent: string, came: string) => `<tr>
    <td class="words" colspan="4">${name}</td>
    <td class="end">${sent}</td><td class="end">${came}</td>
  </tr>`;
  const { id, prefab } = selected;
  const lesser = lesserCount(rest.present);
  return frame(
    "objects",
    canvas,
    `<div class="split">
      <table>
        <thead><tr><th>Id<th>Prefab<th>Owner<th>30 s<th class="end out">Out<th class="end in">In</tr></thead>
        <tbody>${objects.map(row).join("")}</tbody>
        <tfoot>
          ${sumRow(`${lesser} more, headers, RPCs`, folded(out), folded(received))}
          ${sumRow(`${objects.length + lesser} objects, kB/s`, rate(FLOW.out), rate(FLOW.in))}
        </tfoot>
      </table>
      <aside>
        <h1>${prefab} <span class="soft">${id}</span></h1>
        ${columns(series(0), most * 1.05, 306, 76, "out")}
        <span class="label">Sent, last ${SECONDS} s</span>
        <dl class="facts">
          <dt class="soft">Owner</dt><dd>${ownerOf(rest, selected)}</dd>
          <dt class="soft">Observers</dt><dd class="number">${COUNT}</dd>
          <dt class="soft">Position</dt><dd class="number">41.2 3.0 −17.8</dd>
          <dt class="soft">Velocity</dt><dd class="number">8.6 0.0 −4.1</dd>
          <dt class="label rule">NetworkVariables</dt>
          <dt class="soft">throttle</dt><dd class="number">0.82</dd>
          <dt class="soft">steer</dt><dd class="number">−0.14</dd>
          <dt class="soft">health</dt><dd class="number">340</dd>
        </dl>
        <div class="actions"><span class="button">Take over</span><span class="button alarm">Despawn</span></div>
      </aside>
    </div>`,
  );
}
