/**
 * What the room sends and receives, by the same arithmetic wherever it is shown. Bytes are counted
 * in whole tenths, so that every sum is exact.
 */
import {
  CAPACITY,
  countOf,
  LESSER,
  objects,
  PLAYERS_AT_REST,
  type Presence,
  players,
  TICK_RATE,
} from "./model.ts";

/** Tick, base and acknowledgement in front of a snapshot, and remote calls, for each receiver. */
const HEADER = 140;
const CALLS_OUT = 23;
/** Remote calls of each player and tick. */
const CALLS_IN = 8;

/** Tenths of a byte in each second. */
type Flow = { out: number; in: number };

/** What goes through the room in one second; `rows` add up to it. */
export type Traffic = Flow & {
  players: number;
  /** Tenths of a byte that each player is sent in a tick: a snapshot with its calls. */
  snapshot: number;
  /** `objects` in their order, then the lesser ones, then headers and calls. */
  rows: readonly Flow[];
};

/** The room's traffic with these players at a moment: out = players × tick rate × snapshot. */
export function trafficOf(present: Presence, moment: number): Traffic {
  const count = countOf(present);
  const avatars = players.map(({ avatar }, i) => (present[i] ? avatar * activity(i, moment) : 0));
  const inputs = players.map(({ input }, i) => (present[i] ? input * activity(i, moment) : 0));
  const sent = [
    ...objects.map(({ bytes, player }, i) =>
      player === undefined ? bytes * activity(CAPACITY + i, moment) : (avatars[player] ?? 0),
    ),
    LESSER.bytes + sum(avatars.slice(PLAYERS_AT_REST)),
    HEADER + CALLS_OUT,
  ].map(Math.round);
  const received = [
    ...objects.map(({ player }) => (player === undefined ? 0 : (inputs[player] ?? 0))),
    sum(inputs.slice(PLAYERS_AT_REST)),
    count * CALLS_IN,
  ].map(Math.round);
  const snapshot = sum(sent);
  return {
    players: count,
    snapshot,
    out: count * TICK_RATE * snapshot,
    in: TICK_RATE * sum(received),
    rows: sent.map((bytes, i) => ({
      out: count * TICK_RATE * bytes,
      in: TICK_RATE * (received[i] ?? 0),
    })),
  };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/**
 * How busy somebody or something is, 1 at rest and on average: fights flare up and die down for all
 * of them, and each has a rhythm of its own. Things come after the room's places.
 */
const activity = (rhythm: number, moment: number) =>
  1 +
  0.12 * Math.sin(moment / 5) +
  0.05 * Math.sin(moment / 1.9) +
  0.25 * Math.sin(moment * (0.15 + 0.09 * rhythm));

/** Bytes of the snapshot alone: remote calls are messages of their own. */
export const snapshotBytes = ({ snapshot }: Traffic) => (snapshot - CALLS_OUT) / 10;

/** Milliseconds of work in one tick. */
export const tickWork = (count: number) => (20 + 7 * count) / 10;
