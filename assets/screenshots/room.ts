/**
 * One minute of one room, simulated once and shown by all three product views, so that what one
 * view adds up another view shows in detail. Seeded: the same minute each time.
 */

/** Steps of the simulation, and snapshots sent to every player, each second. */
export const TICK_RATE = 30;
/** What the charts span. */
export const SECONDS = 60;

const SEED = 0x7ee7;
const LAST_TICK = 184_212;
const LAST_MILLISECOND = Date.UTC(2025, 5, 12, 14, 7, 31, 400);
/** Tick, baseline and acknowledgement in front of each snapshot; and of each input packet. */
const SNAPSHOT_HEADER = 14;
const INPUT_HEADER = 10;

export type Player = { name: string; rtt: number; loss: number };

export type NetworkObject = {
  id: string;
  prefab: string;
  owner: string;
  /** Bytes in snapshots and input packets, summed over all players, for each second. */
  out: number[];
  in: number[];
};

export type Message = {
  time: string;
  tick: number;
  direction: "in" | "out";
  peer: string;
  kind: "Snapshot" | "Input" | "ServerRpc" | "ClientRpc" | "Owner";
  detail: string;
  object: string;
  reliable: boolean;
  bytes: number;
};

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const players: Player[] = [
  { name: "moth", rtt: 24, loss: 0 },
  { name: "Okonkwo", rtt: 31, loss: 0 },
  { name: "pixelpaula", rtt: 38, loss: 0 },
  { name: "ravn", rtt: 42, loss: 0.1 },
  { name: "tomo_k", rtt: 57, loss: 0 },
  { name: "Vesper", rtt: 86, loss: 0.4 },
];

/** The player who came last, and how long ago: the charts rise where the room went from 5 to 6. */
const NEWCOMER = "Vesper";
const JOINED_SECONDS_AGO = 23;
/** The whole room's state, sent once to whoever joins. */
const FULL_STATE_BYTES = 5_200;

type Source = {
  id: string;
  prefab: string;
  owner: string;
  /** Bytes of one changed state in a snapshot, and how often a tick changes it. */
  bytes: number;
  activity: number;
  input?: number;
};

const avatars: Source[] = players.map((player, i) => ({
  id: `#${String(12 + i * 3).padStart(4, "0")}`,
  prefab: "PlayerAvatar",
  owner: player.name,
  bytes: [35, 31, 34, 28, 26, 30][i] ?? 30,
  activity: [0.98, 0.97, 0.96, 0.9, 0.82, 0.94][i] ?? 0.9,
  input: [25, 22, 24, 21, 20, 23][i] ?? 22,
}));

const sources: Source[] = [
  ...avatars,
  { id: "#0087", prefab: "Buggy", owner: "ravn", bytes: 44, activity: 0.97 },
  { id: "#0088", prefab: "Buggy", owner: "server", bytes: 40, activity: 0.22 },
  { id: "#0140", prefab: "FreightLift", owner: "server", bytes: 18, activity: 0.5 },
  { id: "#0152", prefab: "DroneTurret", owner: "server", bytes: 16, activity: 0.34 },
  { id: "#0153", prefab: "DroneTurret", owner: "server", bytes: 16, activity: 0.3 },
  { id: "#0002", prefab: "MatchState", owner: "server", bytes: 9, activity: 0.1 },
  ...Array.from({ length: 30 }, (_, i) => ({
    id: `#${String(201 + i).padStart(4, "0")}`,
    prefab: "Pickup",
    owner: "server",
    bytes: 6,
    activity: 0.01,
  })),
];

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

function simulate() {
  const random = randomFrom(SEED);
  const objects = sources.map((source): NetworkObject => {
    const { id, prefab, owner } = source;
    return { id, prefab, owner, out: [], in: [] };
  });
  const snapshots: number[] = [];
  const headers: number[] = [];
  for (let second = 0; second < SECONDS; second += 1) {
    const joined = second - (SECONDS - JOINED_SECONDS_AGO);
    const recipients = players.length - (joined < 0 ? 1 : 0);
    // A fight flares up and dies down twice in the minute.
    const fight = 0.84 + 0.2 * Math.sin(second / 4.6 - 0.6) + 0.1 * Math.sin(second / 1.7);
    const sent = sources.map(() => 0);
    const received = sources.map(() => 0);
    for (let step = 0; step < TICK_RATE; step += 1) {
      let snapshot = SNAPSHOT_HEADER;
      for (const [i, source] of sources.entries()) {
        const absent = source.owner === NEWCOMER && joined < 0;
        if (absent) continue;
        const rhythm = 0.9 + 0.1 * Math.sin(second / (3 + (i % 5)) + i * 1.7);
        const changed = random() < source.activity * rhythm;
        const bytes = changed ? Math.round(source.bytes * fight * (0.9 + 0.3 * random())) : 0;
        snapshot += bytes;
        sent[i] = (sent[i] ?? 0) + bytes * recipients;
        if (source.input) {
          const input = INPUT_HEADER + Math.round(source.input * (0.55 + 0.5 * fight));
          received[i] = (received[i] ?? 0) + input - (random() < 0.5 ? 1 : 0);
        }
      }
      snapshots.push(snapshot);
    }
    headers.push(SNAPSHOT_HEADER * TICK_RATE * recipients + (joined === 0 ? FULL_STATE_BYTES : 0));
    for (const [i, object] of objects.entries()) {
      object.out.push(sent[i] ?? 0);
      object.in.push(received[i] ?? 0);
    }
  }
  return { objects, snapshots, headers };
}

const { objects: unsorted, snapshots, headers } = simulate();
const lastSecond = (series: number[]) => series.at(-1) ?? 0;

/** Busiest first. */
export const objects = unsorted.sort((a, b) => lastSecond(b.out) - lastSecond(a.out));

/** Remote calls, each second. */
const RPC_BYTES = { out: 412, in: 138 };

const perSecond = (direction: "in" | "out", besides: (second: number) => number) =>
  Array.from(
    { length: SECONDS },
    (_, second) => sum(objects.map((object) => object[direction][second] ?? 0)) + besides(second),
  );

/** The whole room's bytes in each second: its objects, snapshot headers and remote calls. */
export const traffic = {
  out: perSecond("out", (second) => (headers[second] ?? 0) + RPC_BYTES.out),
  in: perSecond("in", () => RPC_BYTES.in),
};

const rtts = players.map((player) => player.rtt).sort((a, b) => a - b);

/** The room that is selected in every view. */
export const room = {
  name: "foundry-04",
  capacity: 8,
  tick: LAST_TICK,
  /** Milliseconds of work in one tick. */
  work: 6.2,
  rttMedian: Math.round(((rtts[2] ?? 0) + (rtts[3] ?? 0)) / 2),
  rttHigh: rtts.at(-1) ?? 0,
  uptimeSeconds: LAST_TICK / TICK_RATE,
};

const clock = (tick: number, offset = 0) =>
  new Date(LAST_MILLISECOND - ((LAST_TICK - tick) * 1000) / TICK_RATE + offset)
    .toISOString()
    .slice(14, 23);

/** Players run ahead of the server, so that their input is there when its tick is simulated. */
const INPUT_LEAD = 2;

/** What a player acknowledges at a tick: the snapshot that had reached them one round trip ago. */
const acknowledged = (tick: number, rtt: number) => tick - Math.ceil((rtt / 1000) * TICK_RATE);

const peer = (name: string) => {
  const found = players.find((player) => player.name === name);
  if (!found) throw new Error(`The room has no player ${name}.`);
  return found;
};

function snapshot(tick: number): Message {
  return {
    time: clock(tick),
    tick,
    direction: "out",
    peer: `all ×${players.length}`,
    kind: "Snapshot",
    detail: `${tick.toLocaleString("en")} base −3`,
    object: "",
    reliable: false,
    bytes: snapshots.at(tick - LAST_TICK - 1) ?? 0,
  };
}

function input(tick: number, name: string, offset: number, bytes: number): Message {
  return {
    time: clock(tick, offset),
    tick,
    direction: "in",
    peer: name,
    kind: "Input",
    detail: `${(tick + INPUT_LEAD).toLocaleString("en")} ack ${acknowledged(tick, peer(name).rtt).toLocaleString("en")}`,
    object: "",
    reliable: false,
    bytes,
  };
}

/** The last tenth of a second, one in six of the input packets, as the log's filter says. */
export const messages: Message[] = [
  snapshot(LAST_TICK - 3),
  input(LAST_TICK - 3, "moth", 9, 31),
  {
    time: clock(LAST_TICK - 3, 17),
    tick: LAST_TICK - 3,
    direction: "in",
    peer: "ravn",
    kind: "ServerRpc",
    detail: "RequestOwnership()",
    object: "#0087",
    reliable: true,
    bytes: 19,
  },
  {
    time: clock(LAST_TICK - 2),
    tick: LAST_TICK - 2,
    direction: "out",
    peer: `all ×${players.length}`,
    kind: "Owner",
    detail: "tomo_k → ravn",
    object: "#0087",
    reliable: true,
    bytes: 15,
  },
  snapshot(LAST_TICK - 2),
  input(LAST_TICK - 2, "Okonkwo", 6, 30),
  {
    time: clock(LAST_TICK - 2, 21),
    tick: LAST_TICK - 2,
    direction: "in",
    peer: "moth",
    kind: "ServerRpc",
    detail: "Fire(yaw: 114.2)",
    object: "#0012",
    reliable: true,
    bytes: 22,
  },
  snapshot(LAST_TICK - 1),
  {
    time: clock(LAST_TICK - 1),
    tick: LAST_TICK - 1,
    direction: "out",
    peer: `all ×${players.length}`,
    kind: "ClientRpc",
    detail: "OnFired(hit: true)",
    object: "#0012",
    reliable: true,
    bytes: 26,
  },
  input(LAST_TICK - 1, "Vesper", 14, 31),
  snapshot(LAST_TICK),
];
