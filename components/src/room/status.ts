import type { RoomCopy } from "../contract.ts";
import { fill } from "../fill.ts";
import { rate } from "./figures.ts";
import { countOf, phaseOf, players, ROOM_NAME } from "./model.ts";
import { type RoomState, traffic } from "./state.ts";

/** What is announced to a visitor whose action made one room of the other. */
export function announce(copy: RoomCopy, was: RoomState, now: RoomState): string {
  const count = countOf(now.present);
  const say = (what: string, name = ROOM_NAME) =>
    fill(copy.status, {
      name,
      what,
      count: `${count} ${count === 1 ? copy.player : copy.players}`,
      rate: rate(traffic(now).out),
    });
  const { states, what } = copy;
  const moved = players.filter((_, i) => was.present[i] !== now.present[i]);
  if (moved.length === 1) {
    return say(count > countOf(was.present) ? what.letIn : what.kicked, moved[0]?.name);
  }
  if (was.locked !== now.locked) return say(now.locked ? what.locked : what.unlocked);
  if (now.log.at(-1)?.kind === "Refused" && now.log !== was.log) {
    return say(what.refused, now.log.at(-1)?.peer);
  }
  if (was.running !== now.running && now.tick) return say(now.running ? what.running : what.paused);
  return say(states[phaseOf(now.tick)]);
}
