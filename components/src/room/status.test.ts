import assert from "node:assert/strict";
import { test } from "node:test";
import type { RoomCopy } from "./copy.ts";
import { rest } from "./rest.ts";
import { kick, letIn, type Room, setPlayers } from "./room.ts";
import { restart } from "./simulation.ts";
import { announce } from "./status.ts";

const copy = {
  player: "player",
  players: "players",
  status: {
    kicked: "{name} kicked. {count}, {rate} kB/s out.",
    letIn: "{name} let in. {count}, {rate} kB/s out.",
    changed: "{count}, {rate} kB/s out.",
    refused: "{name} refused.",
    locked: "Locked.",
    unlocked: "Unlocked.",
    running: "Running.",
    paused: "Paused at tick {tick}.",
    restarted: "Restarted.",
  },
} as RoomCopy;

const without = kick(rest, 0);
const locked: Room = { ...without, locked: true };

for (const [was, now, said] of [
  [rest, without, "moth kicked. 5 players, 25.4 kB/s out."],
  [without, rest, "moth let in. 6 players, 35.4 kB/s out."],
  [rest, setPlayers(rest, 8), "8 players, 57.7 kB/s out."],
  [rest, setPlayers(rest, 1), "1 player, 2.8 kB/s out."],
  [without, locked, "Locked."],
  [locked, without, "Unlocked."],
  [locked, letIn(locked, 0), "moth refused."],
  [rest, { ...rest, running: true }, "Running."],
  [{ ...rest, running: true }, rest, "Paused at tick 184,212."],
  [{ ...rest, running: true }, restart(rest), "Restarted."],
] as const) {
  test(`it announces: ${said}`, () => assert.equal(announce(copy, was, now), said));
}
