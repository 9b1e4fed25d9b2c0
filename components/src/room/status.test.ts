import assert from "node:assert/strict";
import { test } from "node:test";
import type { RoomCopy } from "../contract.ts";
import { rest } from "./rest.ts";
import { restart } from "./simulation.ts";
import { kick, letIn, type RoomState, setPlayers } from "./state.ts";
import { announce } from "./status.ts";

const copy = {
  states: { starting: "starting", open: "open", live: "live" },
  player: "player",
  players: "players",
  status: "{name} {what}. {count}, {rate} kB/s out.",
  what: {
    kicked: "kicked",
    letIn: "let in",
    refused: "refused",
    locked: "locked",
    unlocked: "unlocked",
    running: "running",
    paused: "paused",
  },
} as RoomCopy;

const without = kick(rest, 0);
const locked: RoomState = { ...without, locked: true };

for (const [was, now, said] of [
  [rest, without, "moth kicked. 5 players, 25.4 kB/s out."],
  [without, rest, "moth let in. 6 players, 35.4 kB/s out."],
  [rest, setPlayers(rest, 8), "foundry-04 live. 8 players, 57.7 kB/s out."],
  [rest, setPlayers(rest, 1), "foundry-04 live. 1 player, 2.8 kB/s out."],
  [without, locked, "foundry-04 locked. 5 players, 25.4 kB/s out."],
  [locked, without, "foundry-04 unlocked. 5 players, 25.4 kB/s out."],
  [locked, letIn(locked, 0), "moth refused. 5 players, 25.4 kB/s out."],
  [rest, { ...rest, running: true }, "foundry-04 running. 6 players, 35.4 kB/s out."],
  [{ ...rest, running: true }, rest, "foundry-04 paused. 6 players, 35.4 kB/s out."],
  [{ ...rest, running: true }, restart(rest), "foundry-04 starting. 6 players, 39.0 kB/s out."],
] as const) {
  test(`it announces: ${said}`, () => assert.equal(announce(copy, was, now), said));
}
