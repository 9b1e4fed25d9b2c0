/** What goes on in the room by itself, tick by tick, the same each time. There is no clock. */
import { chance, type MessageName } from "./log.ts";
import { isStarting, MOMENT_TICKS, players, TICK_RATE } from "./model.ts";
import { CHART_MOMENTS, pass, type RoomState } from "./state.ts";

/** Starts the room anew, with the same players in it. */
export const restart = (room: RoomState): RoomState =>
  pass({ ...room, tick: 0, running: true, past: [], log: [], next: 0, due: TICK_RATE }, "state");

/** Lines that the log is given in any second; one more waits. */
const LINES_PER_SECOND = 3;

/** What passes in turn, and the ticks before the next message may. */
const SCRIPT: readonly (readonly [MessageName, number])[] = [
  ["snapshot", 14],
  ["input", 15],
  ["fire", 1],
  ["hit", 15],
  ["snapshot", 14],
  ["input", 15],
  ["enter", 1],
  ["owner", 15],
  ["snapshot", 14],
  ["input", 16],
  ["refused", 14],
];

/** Whether the message can be about this player as things stand. */
function canPass({ present, actor, driver, locked }: RoomState, name: MessageName, player: number) {
  if (name === "refused") return locked && !present[player];
  if (name === "hit") return present[player] && player !== actor;
  if (name === "enter") return present[player] && player !== driver;
  if (name === "owner") return present[player] && player !== driver && player === actor;
  return present[player];
}

function tick(room: RoomState): RoomState {
  const now = { ...room, tick: room.tick + 1 };
  if (now.tick % MOMENT_TICKS === 0) {
    now.past = [...room.past, room.present].slice(1 - CHART_MOMENTS);
  }
  if (isStarting(now.tick)) return pass(now, "state");
  const step = SCRIPT[now.next % SCRIPT.length];
  const fresh = now.log.filter((line) => line.tick > now.tick - TICK_RATE);
  if (!step || now.tick < now.due || fresh.length >= LINES_PER_SECOND) return now;
  const [name, gap] = step;
  const candidates = [...players.keys()].filter((player) => canPass(now, name, player));
  const player = candidates[Math.floor(chance(now.tick) * candidates.length)];
  const next = player === undefined ? now : pass(now, name, player);
  return { ...next, due: now.tick + gap, next: now.next + 1 };
}

/** The room so many ticks later. */
export function advance(room: RoomState, ticks: number): RoomState {
  let next = room;
  for (let left = ticks; left > 0; left -= 1) next = tick(next);
  return next;
}
