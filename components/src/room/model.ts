/** The room foundry-04: who plays in it, what is in it, and what each of them costs. */

/** The room's name, and how many players it takes. */
export const ROOM_NAME = "foundry-04";
export const CAPACITY = 8;

/** Steps of the simulation, and snapshots sent to every player, each second. */
export const TICK_RATE = 30;

/** How long a tick may take, in milliseconds. */
export const TICK_BUDGET = 1000 / TICK_RATE;

/** The tick that is shown at rest. */
export const TICK_AT_REST = 184_212;

/** Figures are those of a moment, which lasts half a second. */
export const MOMENT_TICKS = TICK_RATE / 2;

/** The moment that a tick lies in, counted from the one that is shown at rest. */
export const momentOf = (tick: number) =>
  Math.floor(tick / MOMENT_TICKS) - Math.floor(TICK_AT_REST / MOMENT_TICKS);

/** What a room is in its first ticks; it stays the last. */
const PHASES = ["starting", "open", "live"] as const;

export const phaseOf = (tick: number) => PHASES[tick] ?? "live";

/** Whether this is one of the ticks that bring another phase. */
export const isStarting = (tick: number) => tick < PHASES.length;

/** A player: `rtt` in milliseconds; `avatar` and `input` are tenths of a byte for each tick. */
type Player = { name: string; rtt: number; avatar: number; input: number };

/** In the order of their places. The last two come only when somebody makes room for them. */
export const players: readonly Player[] = [
  { name: "moth", rtt: 24, avatar: 273, input: 325 },
  { name: "Okonkwo", rtt: 31, avatar: 235, input: 296 },
  { name: "pixelpaula", rtt: 38, avatar: 253, input: 315 },
  { name: "ravn", rtt: 42, avatar: 196, input: 294 },
  { name: "tomo_k", rtt: 57, avatar: 130, input: 286 },
  { name: "Vesper", rtt: 86, avatar: 222, input: 306 },
  { name: "hex_owl", rtt: 35, avatar: 218, input: 301 },
  { name: "Bramble", rtt: 64, avatar: 218, input: 298 },
];

/** How many places are taken at rest. */
export const PLAYERS_AT_REST = 6;

/** Who is in the room, by place. */
export type Presence = readonly boolean[];

export const countOf = (present: Presence) => present.filter(Boolean).length;

/** The server itself, where a player's place may stand. */
export const SERVER = -1;

export const nameOf = (player: number) => players[player]?.name ?? "server";

/** The identifier of a player's avatar. */
export const avatarId = (player: number) => `#${String(12 + player * 3).padStart(4, "0")}`;

/** A networked object with its tenths of a byte in a snapshot. An avatar names its player. */
export type NetworkObject = { prefab: string; id: string; bytes: number; player?: number };

const avatars = players.slice(0, PLAYERS_AT_REST).map(
  ({ avatar }, player): NetworkObject => ({
    prefab: "PlayerAvatar",
    id: avatarId(player),
    bytes: avatar,
    player,
  }),
);

/** What players drive; so its owner changes. */
export const BUGGY: NetworkObject = { prefab: "Buggy", id: "#0087", bytes: 316 };

/** The objects that have a row of their own, busiest first. */
export const objects: readonly NetworkObject[] = [
  BUGGY,
  ...avatars,
  { prefab: "FreightLift", id: "#0140", bytes: 60 },
].sort((a, b) => b.bytes - a.bytes);

/** The server's lesser objects, which share a row with the avatars of further players. */
export const LESSER = { count: 34, bytes: 121 };

/** How many objects the row of the lesser ones stands for. */
export const lesserCount = (present: Presence) =>
  LESSER.count + countOf(present.slice(PLAYERS_AT_REST));
