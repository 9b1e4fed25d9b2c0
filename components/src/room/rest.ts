/** The room as it is first shown, here and on the photographed views. */
import type { MessageName } from "./log.ts";
import { PLAYERS_AT_REST, players, TICK_AT_REST } from "./model.ts";
import { CHART_MOMENTS, pass, type RoomState } from "./state.ts";

const place = (name: string) => players.findIndex((player) => player.name === name);

/** Vesper came last, and how long ago: the charts rise where the room went from five to six. */
const NEWCOMER = place("Vesper");
const JOINED_MOMENTS_AGO = 46;

const taken = players.map((_, player) => player < PLAYERS_AT_REST);
const before = taken.map((present, player) => present && player !== NEWCOMER);

const beginning: RoomState = {
  tick: TICK_AT_REST,
  running: false,
  locked: false,
  present: taken,
  seats: PLAYERS_AT_REST,
  driver: place("tomo_k"),
  actor: place("tomo_k"),
  past: Array.from({ length: CHART_MOMENTS - 1 }, (_, i) =>
    CHART_MOMENTS - 1 - i > JOINED_MOMENTS_AGO ? before : taken,
  ),
  log: [],
  next: 0,
  due: TICK_AT_REST + 14,
};

/** The last tenth of a second: how many ticks ago, what passed, and whom it is about. */
const passed: readonly [number, MessageName, string][] = [
  [3, "snapshot", "moth"],
  [3, "input", "moth"],
  [3, "enter", "ravn"],
  [2, "owner", "ravn"],
  [2, "snapshot", "ravn"],
  [2, "input", "Okonkwo"],
  [2, "fire", "moth"],
  [1, "snapshot", "moth"],
  [1, "hit", "tomo_k"],
  [1, "input", "Vesper"],
  [0, "snapshot", "Vesper"],
];

function atRest(): RoomState {
  let room = beginning;
  for (const [ago, message, name] of passed) {
    room = pass({ ...room, tick: TICK_AT_REST - ago }, message, place(name));
  }
  return room;
}

export const rest = atRest();
