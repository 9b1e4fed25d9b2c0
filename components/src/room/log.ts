/** What the networking log says: messages of the sizes and ticks that the model gives. */
import { signed, thousands } from "./figures.ts";
import { acknowledged } from "./latency.ts";
import {
  avatarId,
  BUGGY,
  countOf,
  momentOf,
  nameOf,
  type Presence,
  phaseOf,
  players,
} from "./model.ts";
import { snapshotBytes, trafficOf } from "./traffic.ts";

type Kind =
  | "Snapshot"
  | "Input"
  | "ServerRpc"
  | "ClientRpc"
  | "Owner"
  | "State"
  | "Join"
  | "Kick"
  | "Refused";

type Message = {
  direction: "in" | "out";
  /** Who sent or received it. */
  peer: string;
  kind: Kind;
  detail: string;
  bytes: number;
};

/** A message of the log. */
export type Line = Message & { tick: number };

/** What of a room shapes its messages. */
type Scene = { tick: number; present: Presence };

/** Between 0 and 1, the same each time for the same tick and purpose. */
export function chance(tick: number, purpose = 0): number {
  let mixed = Math.imul(tick ^ 0x7ee7, 0x9e3779b1) + Math.imul(purpose, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}

/** A size that varies by 8 % about the mean that the model gives. */
const about = (bytes: number, tick: number) => Math.round(bytes * (0.92 + 0.16 * chance(tick, 1)));

const to = (peer: string, kind: Kind, detail: string, bytes: number): Message => ({
  direction: "out",
  peer,
  kind,
  detail,
  bytes,
});

const toAll = ({ present }: Scene, kind: Kind, detail: string, bytes: number) =>
  to(`all ×${countOf(present)}`, kind, detail, bytes);

const from = (player: number, kind: Kind, detail: string, bytes: number): Message => ({
  ...to(nameOf(player), kind, detail, bytes),
  direction: "in",
});

/** The messages, each by the room as it is when it passes and by the player that it is about. */
export const messages = {
  /** One delta for all: its base is what the slowest of them has acknowledged. */
  snapshot(scene: Scene) {
    const { tick, present } = scene;
    const acks = players.flatMap((_, i) => (present[i] ? acknowledged(i, tick) : []));
    const mean = snapshotBytes(trafficOf(present, momentOf(tick)));
    return toAll(scene, "Snapshot", `base ${thousands(Math.min(...acks))}`, about(mean, tick));
  },
  input({ tick }: Scene, player: number) {
    const mean = (players[player]?.input ?? 0) / 10;
    return from(player, "Input", `ack ${thousands(acknowledged(player, tick))}`, about(mean, tick));
  },
  fire: ({ tick }: Scene, player: number) =>
    from(player, "ServerRpc", `Fire(${signed(360 * chance(tick, 2) - 180)})`, 22),
  hit: (scene: Scene, player: number) =>
    toAll(scene, "ClientRpc", `OnHit(${avatarId(player)})`, 26),
  enter: (_: Scene, player: number) => from(player, "ServerRpc", `Enter(${BUGGY.id})`, 19),
  owner: (scene: Scene, player: number) =>
    toAll(scene, "Owner", `${BUGGY.id} → ${nameOf(player)}`, 15),
  state: ({ tick }: Scene, _: number) => to("fleet", "State", phaseOf(tick), 12),
  join: (_: Scene, player: number) => from(player, "Join", "", 46),
  refused: (_: Scene, player: number) => from(player, "Refused", "", 46),
  kick: (_: Scene, player: number) => to(nameOf(player), "Kick", "", 9),
};

export type MessageName = keyof typeof messages;
