/**
 * The room's state, and what a visitor does to it. Every function gives the room that follows and
 * leaves the one it was given.
 */
import { type Line, type MessageName, messages } from "./log.ts";
import {
  BUGGY,
  CAPACITY,
  countOf,
  momentOf,
  type NetworkObject,
  nameOf,
  type Presence,
  SERVER,
} from "./model.ts";
import { type Traffic, trafficOf } from "./traffic.ts";

export type Room = {
  tick: number;
  running: boolean;
  locked: boolean;
  present: Presence;
  /** How many places have had a player; they keep that player's name. */
  seats: number;
  /** The place of the Buggy's driver, or SERVER. */
  driver: number;
  /** The place of whom the last message was about. */
  actor: number;
  /** Who was present in each of the half minute's earlier moments, newest last. */
  past: readonly Presence[];
  /** Newest last. */
  log: readonly Line[];
  /** Which message comes next by itself, and at which tick at the earliest. */
  next: number;
  due: number;
};

/** A chart spans half a minute. */
export const CHART_MOMENTS = 60;

/** Lines that are kept, so that a filter still has some to show. */
const LOG_LINES = 30;

/** The room's traffic at each moment of the last half minute, newest last. */
export const history = ({ past, present, tick }: Room): Traffic[] =>
  [...past, present].map((each, i) => trafficOf(each, momentOf(tick) - past.length + i));

/** The room's traffic at the moment that it is in. */
export const traffic = ({ present, tick }: Room) => trafficOf(present, momentOf(tick));

/** The name of an object's owner. */
export const ownerOf = ({ driver }: Room, object: NetworkObject) =>
  nameOf(object === BUGGY ? driver : (object.player ?? SERVER));

/** Lets a message pass: the log says it, and the Buggy goes to whom it names. */
export function pass(room: Room, name: MessageName, player = room.actor): Room {
  const number = (room.log.at(-1)?.number ?? 0) + 1;
  const line = { number, tick: room.tick, ...messages[name](room, player) };
  return {
    ...room,
    actor: player,
    driver: name === "owner" ? player : room.driver,
    log: [...room.log, line].slice(-LOG_LINES),
  };
}

const seat = (room: Room, player: number, taken: boolean): Room => ({
  ...room,
  present: room.present.map((was, i) => (i === player ? taken : was)),
  seats: taken ? Math.max(room.seats, player + 1) : room.seats,
});

/** Sends a player away. What they drive goes to the first of the others before. */
export function kick(room: Room, player: number): Room {
  const heir = room.present.findIndex((present, i) => present && i !== player);
  const next = room.driver === player ? pass(room, "owner", heir) : room;
  return pass(seat(next, player, false), "kick", player);
}

/** Lets a player in, unless the room is locked: then the log says so. */
export function letIn(room: Room, player: number): Room {
  if (room.locked) return pass(room, "refused", player);
  const next = pass(seat(room, player, true), "join", player);
  return next.driver === SERVER ? pass(next, "owner", player) : next;
}

/** Fills the first free places, or empties the last taken ones, until so many players are there. */
export function setPlayers(room: Room, count: number): Room {
  let next = room;
  for (let player = 0; player < CAPACITY && countOf(next.present) < count; player += 1) {
    if (!next.present[player]) next = letIn(next, player);
  }
  while (countOf(next.present) > count) next = kick(next, next.present.lastIndexOf(true));
  return next;
}

/** The number of players that can be asked for: in a locked room no more than are there. */
export const mostPlayers = (room: Room) => (room.locked ? countOf(room.present) : CAPACITY);
