/**
 * The form's controls, each found by its name: a checkbox by the name of each player who may be
 * kicked, `lock` and `run`, and `count` for the number of players.
 */
import { countOf, players } from "./model.ts";
import { kick, letIn, mostPlayers, type RoomState, setPlayers } from "./state.ts";

const find = (controls: HTMLFormControlsCollection, name: string) =>
  controls.namedItem(name) as HTMLInputElement | null;

/** The room after what its controls say; those that say what is so already change nothing. */
export function obey(room: RoomState, controls: HTMLFormControlsCollection): RoomState {
  const differs = (name: string, now: boolean | undefined) => {
    const box = find(controls, name);
    return box !== null && box.checked !== now;
  };
  let next = room;
  for (const [player, { name }] of players.entries()) {
    const isThere = room.present[player];
    if (differs(name, !isThere)) next = isThere ? kick(next, player) : letIn(next, player);
  }
  const count = Number(find(controls, "count")?.value);
  if (count !== countOf(room.present)) next = setPlayers(next, count);
  if (differs("lock", room.locked)) next = { ...next, locked: !room.locked };
  if (differs("run", room.running)) next = { ...next, running: !room.running };
  return next;
}

/** Makes the controls say what is so. One that says so already is left alone: writing costs style. */
export function mirror(room: RoomState, controls: HTMLFormControlsCollection) {
  const set = <K extends "checked" | "max" | "value">(
    name: string,
    property: K,
    now: HTMLInputElement[K],
  ) => {
    const control = find(controls, name);
    if (control && control[property] !== now) control[property] = now;
  };
  for (const [player, { name }] of players.entries()) set(name, "checked", !room.present[player]);
  set("lock", "checked", room.locked);
  set("run", "checked", room.running);
  // Before its limit: a browser lowers a value that is above it, and React doesn't hear of that.
  set("count", "value", String(countOf(room.present)));
  set("count", "max", String(mostPlayers(room)));
}
