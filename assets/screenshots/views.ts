import { readFileSync } from "node:fs";
import {
  type Message,
  messages,
  objects,
  players,
  room,
  SECONDS,
  TICK_RATE,
  traffic,
} from "./room.ts";

const mark = readFileSync(new URL("../images/mark.svg", import.meta.url), "utf8");

const last = (series: number[]) => series.at(-1) ?? 0;
const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1);
const withUnit = (figure: string | number, unit: string) =>
  `${figure}<span class="unit">${unit}</span>`;
const hoursAndMinutes = (seconds: number) =>
  `${Math.floor(seconds / 3600)}h ${Math.floor((seconds % 3600) / 60)}m`;

/** How much room there is: on a narrow canvas the style leaves columns out. */
type Canvas = "wide" | "narrow";

function frame(view: "rooms" | "log" | "objects", canvas: Canvas, body: string): string {
  const tabs = { rooms: "Rooms", log: "Log", objects: "Objects" };
  const tab = ([key, name]: [string, string]) =>
    `<span class="tab${key === view ? " current" : ""}">${name}</span>`;
  const where =
    view === "rooms"
      ? '<span class="where soft">production</span>'
      : `<span class="where live">${room.name}</span>
        <span class="number soft">tick ${room.tick.toLocaleString("en")}</span>`;
  return `<body class="${view} ${canvas}">
    <header>${mark}${Object.entries(tabs).map(tab).join("")}${where}</header>
    ${body}
  </body>`;
}

/** A column for each second; the same scale for every chart that is compared. */
function columns(series: number[], most: number, width: number, height: number, colour: string) {
  const step = width / series.length;
  const bars = series.map((value, i) => {
    const tall = Math.max(1, Math.round((value / most) * height));
    return `M${(i * step).toFixed(1)} ${height - tall}h${(step * 0.72).toFixed(1)}v${tall}h-${(step * 0.72).toFixed(1)}z`;
  });
  return `<svg class="chart" width="${width}" height="${height}"><path fill="var(--console-${colour})" d="${bars.join("")}"/></svg>`;
}

type Room = {
  name: string;
  state: "live" | "open" | "locked" | "closing";
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
    name: room.name,
    state: "live",
    up: hoursAndMinutes(room.uptimeSeconds),
    players: players.length,
    capacity: room.capacity,
    rate: TICK_RATE,
    rtt: `${room.rttMedian} / ${room.rttHigh}`,
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
  {
    name: "saltmarsh-01",
    state: "closing",
    up: "5h 51m",
    players: 4,
    capacity: 8,
    rate: 30,
    rtt: "47 / 112",
  },
];

const dots = {
  live: "var(--console-live)",
  open: "var(--console-in)",
  locked: "var(--console-soft)",
  closing: "var(--console-alarm)",
};

/** Rooms on the left; the selected one with its players and their controls on the right. */
export function roomsView(canvas: Canvas = "wide"): string {
  const slots = (taken: number, capacity: number) =>
    Array.from({ length: capacity }, (_, i) => `<i${i < taken ? ' class="taken"' : ""}></i>`).join(
      "",
    );
  const row = (each: Room) => `<tr${each.name === room.name ? ' class="selected"' : ""}>
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
  const budget = 1000 / TICK_RATE;
  return frame(
    "rooms",
    canvas,
    `<div class="split">
      <table>
        <thead><tr><th>Room<th>Players<th class="end">Tick<th class="end">RTT p50 / p95</tr></thead>
        <tbody>${rooms.map(row).join("")}</tbody>
      </table>
      <aside>
        <h1>${room.name}</h1>
        <dl class="facts">
          <dt class="soft">Tick</dt><dd class="number">${room.tick.toLocaleString("en")}</dd>
          <dt class="soft">Out / in</dt><dd class="number">${withUnit(`${kilobytes(last(traffic.out))} / ${kilobytes(last(traffic.in))}`, "kB/s")}</dd>
          <dt class="soft">Tick work</dt><dd class="number">${withUnit(`${room.work} / ${budget.toFixed(1)}`, "ms")}</dd>
          <div class="bar" style="--share:${(room.work / budget) * 100}%"></div>
        </dl>
        <table class="people"><tbody>${players.map(person).join("")}</tbody></table>
        <div class="actions">
          <span class="button">Lock</span><span class="button">Message</span><span class="button alarm">Close</span>
        </div>
      </aside>
    </div>`,
  );
}

/** Every message of the room as it passes, under the room's throughput. */
export function logView(canvas: Canvas = "wide"): string {
  const row = (message: Message) => `<tr>
    <td class="soft">${message.time}</td>
    <td class="${message.direction}">${message.direction}</td>
    <td>${message.peer}</td>
    <td class="${message.direction}">${message.kind}</td>
    <td>${message.object ? `<span class="soft">${message.object}</span> ` : ""}${message.detail}</td>
    <td class="soft">${message.reliable ? "rel" : "unrel"}</td>
    <td class="end">${withUnit(message.bytes, "B")}</td>
  </tr>`;
  const figure = (direction: "in" | "out") => `<div class="figure">
      <span class="label">${direction === "in" ? "In" : "Out"}</span>
      <span class="number ${direction}">${withUnit(kilobytes(last(traffic[direction])), "kB/s")}</span>
    </div>${columns(traffic[direction], Math.max(...traffic[direction]) * 1.05, 304, 76, direction)}`;
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
      <table><tbody>${messages.map(row).join("")}</tbody></table>
    </main>`,
  );
}

/** What each network object of the room costs, adding up to the room's throughput. */
export function objectsView(canvas: Canvas = "wide"): string {
  const shown = objects.slice(0, 8);
  const rest = objects.slice(shown.length);
  // What the rows above leave of the room's total.
  const folded = (direction: "in" | "out") =>
    last(traffic[direction]) - shown.reduce((sum, object) => sum + last(object[direction]), 0);
  const most = Math.max(...shown.flatMap((object) => object.out));
  const [selected] = shown;
  if (!selected) throw new Error("The room has no objects.");
  const row = (
    object: (typeof objects)[number],
  ) => `<tr${object === selected ? ' class="selected"' : ""}>
    <td class="soft">${object.id}</td>
    <td class="words">${object.prefab}</td>
    <td class="words soft">${object.owner}</td>
    <td>${columns(object.out.slice(-30), most, 90, 26, "out")}</td>
    <td class="end">${kilobytes(last(object.out))}</td>
    <td class="end${last(object.in) ? "" : " soft"}">${kilobytes(last(object.in))}</td>
  </tr>`;
  const sumRow = (name: string, out: number, received: number) => `<tr>
    <td class="words" colspan="4">${name}</td>
    <td class="end">${kilobytes(out)}</td><td class="end">${kilobytes(received)}</td>
  </tr>`;
  const { id, prefab, owner } = selected;
  return frame(
    "objects",
    canvas,
    `<div class="split">
      <table>
        <thead><tr><th>Id<th>Prefab<th>Owner<th>30 s<th class="end out">Out<th class="end in">In</tr></thead>
        <tbody>${shown.map(row).join("")}</tbody>
        <tfoot>
          ${sumRow(`${rest.length} more, headers, RPCs`, folded("out"), folded("in"))}
          ${sumRow(`${objects.length} objects, kB/s`, last(traffic.out), last(traffic.in))}
        </tfoot>
      </table>
      <aside>
        <h1>${prefab} <span class="soft">${id}</span></h1>
        ${columns(selected.out, Math.max(...selected.out) * 1.05, 306, 76, "out")}
        <span class="label">Sent, last ${SECONDS} s</span>
        <dl class="facts">
          <dt class="soft">Owner</dt><dd>${owner}</dd>
          <dt class="soft">Observers</dt><dd class="number">${players.length}</dd>
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
