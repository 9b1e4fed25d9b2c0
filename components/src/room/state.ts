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

export type RoomState = {
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
const LOG_LINES = 40;

/**
 * The room's traffic in the last half minute, newest last: at every moment, or at one in so many
 * and at the newest.
 */
export function history({ past, present, tick }: RoomState, every = 1): Traffic[] {
  const now = momentOf(tick);
  return [...past, present].flatMap((each, i) => {
    const moment = now - past.length + i;
    return moment % every && moment !== now ? [] : trafficOf(each, moment);
  });
}

/** The room's traffic at the moment that it is in. */
export const traffic = ({ present, tick }: RoomState) => trafficOf(present, momentOf(tick));

/** The name of an object's owner. */
export const ownerOf = ({ driver }: RoomState, object: NetworkObject) =>
  nameOf(object === BUGGY ? driver : (object.player ?? SERVER));

/** Lets a message pass: the log says it, and the Buggy goes to whom it names. */
export function pass(room: RoomState, name: MessageName, player = room.actor): RoomState {
  const line = { tick: room.tick, ...messages[name](room, player) };
  return {
    ...room,
    actor: player,
    driver: name === "owner" ? player : room.driver,
    log: [...room.log, line].slice(-LOG_LINES),
  };
}

const seat = (room: RoomState, player: number, taken: boolean): RoomState => ({
  ...room,
  present: room.present.map((was, i) => (i === player ? taken : was)),
  seats: taken ? Math.max(room.seats, player + 1) : room.seats,
});

/** Sends a player away. What they drive goes to the first of the others before. */
export function kick(room: RoomState, player: number): RoomState {
  const heir = room.present.findIndex((present, i) => present && i !== player);
  const next = room.driver === player ? pass(room, "owner", heir) : room;
  return pass(seat(next, player, false), "kick", player);
}

/** Lets a player in, unless the room is locked: then the log says so. */
export function letIn(room: RoomState, player: number): RoomState {
  if (room.locked) return pass(room, "refused", player);
  const next = pass(seat(room, player, true), "join", player);
  return next.driver === SERVER ? pass(next, "owner", player) : next;
}

/** Fills the first free places, or empties the last taken ones, until so many players are there. */
export function setPlayers(room: RoomState, count: number): RoomState {
  let next = room;
  for (let player = 0; player < CAPACITY && countOf(next.present) < count; player += 1) {
    if (!next.present[player]) next = letIn(next, player);
  }
  while (countOf(next.present) > count) next = kick(next, next.present.lastIndexOf(true));
  return next;
}

/** The number of players that can be asked for: in a locked room no more than are there. */
export const mostPlayers = (room: RoomState) => (room.locked ? countOf(room.present) : CAPACITY);
