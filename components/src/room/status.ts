import { fill, type RoomCopy } from "./copy.ts";
import { rate, thousands } from "./figures.ts";
import { countOf, players } from "./model.ts";
import { type Room, traffic } from "./room.ts";

/** What is announced to a visitor whose action made one room of the other. */
export function announce(copy: RoomCopy, was: Room, now: Room): string {
  const { status } = copy;
  const changed = [...players.keys()].filter((i) => was.present[i] !== now.present[i]);
  const count = countOf(now.present);
  const say = (sentence: string, player = changed[0] ?? now.actor) =>
    fill(sentence, {
      name: players[player]?.name ?? "",
      count: `${count} ${count === 1 ? copy.player : copy.players}`,
      rate: rate(traffic(now).out),
      tick: thousands(now.tick),
    });
  if (changed.length > 1) return say(status.changed);
  if (changed.length) return say(count > countOf(was.present) ? status.letIn : status.kicked);
  if (was.locked !== now.locked) return say(now.locked ? status.locked : status.unlocked);
  if (now.tick < was.tick) return say(status.restarted);
  if (was.running !== now.running) return say(now.running ? status.running : status.paused);
  return say(status.refused);
}
