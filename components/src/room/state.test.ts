import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decimal, rate } from "./figures.ts";
import type { Line } from "./log.ts";
import {
  CAPACITY,
  countOf,
  momentOf,
  type Presence,
  phaseOf,
  players,
  SERVER,
  TICK_RATE,
} from "./model.ts";
import { rest } from "./rest.ts";
import { advance, restart } from "./simulation.ts";
import { history, kick, letIn, mostPlayers, type RoomState, setPlayers, traffic } from "./state.ts";
import { snapshotBytes, trafficOf } from "./traffic.ts";

const MOTH = 0;
const RAVN = 3;

const lock = (room: RoomState) => ({ ...room, locked: true });
const messagesOf = (room: RoomState) =>
  room.log.map(({ peer, kind, detail }) => `${peer} ${kind} ${detail}`.trim());
const lastMessage = (room: RoomState) => messagesOf(room).at(-1);

/** A room with each combination of players, open and locked. */
const everyRoom = Array.from({ length: 2 ** CAPACITY }, (_, bits) => {
  let room = setPlayers(rest, CAPACITY);
  for (const player of players.keys()) {
    if (!(bits & (1 << player))) room = kick(room, player);
  }
  return [room, lock(room)];
}).flat();

test("at rest it is the room of the front picture", () => {
  const { out, in: received, players: count, snapshot } = traffic(rest);
  assert.deepEqual(
    [rest.tick, phaseOf(rest.tick), rest.running, rest.locked, count],
    [184_212, "live", false, false, 6],
  );
  assert.deepEqual([decimal(snapshot), rate(out), rate(received)], ["196.9", "35.4", "5.6"]);
});

test("at rest the log holds the last tenth of a second", () => {
  assert.deepEqual(
    rest.log.map(
      (line) =>
        `${line.tick} ${line.direction} ${line.peer} ${line.kind} ${line.detail} ${line.bytes}`,
    ),
    [
      "184209 out all ×6 Snapshot base 184,206 195",
      "184209 in moth Input ack 184,208 33",
      "184209 in ravn ServerRpc Enter(#0087) 19",
      "184210 out all ×6 Owner #0087 → ravn 15",
      "184210 out all ×6 Snapshot base 184,207 198",
      "184210 in Okonkwo Input ack 184,209 30",
      "184210 in moth ServerRpc Fire(43.1) 22",
      "184211 out all ×6 Snapshot base 184,208 209",
      "184211 out all ×6 ClientRpc OnHit(#0024) 26",
      "184211 in Vesper Input ack 184,208 33",
      "184212 out all ×6 Snapshot base 184,209 192",
    ],
  );
});

test("at rest the charts rise where Vesper came, 23 seconds ago", () => {
  const counts = history(rest).map((each) => each.players);
  assert.deepEqual([counts.length, counts.lastIndexOf(5), counts.indexOf(6)], [60, 12, 13]);
});

test("a kicked player can be let in again, and nobody else is touched", () => {
  for (const room of everyRoom.filter(({ locked }) => !locked)) {
    for (const [player, { name }] of players.entries()) {
      if (!room.present[player]) continue;
      const without = kick(room, player);
      assert.equal(lastMessage(without), `${name} Kick`);
      assert.equal(countOf(without.present), countOf(room.present) - 1);
      assert.deepEqual(letIn(without, player).present, room.present);
    }
  }
});

test("nobody gets into a locked room, and the log says so", () => {
  for (const room of everyRoom.filter(({ locked }) => locked)) {
    const count = countOf(room.present);
    assert.equal(mostPlayers(room), count);
    assert.deepEqual(setPlayers(room, CAPACITY).present, room.present);
    for (const [player, { name }] of players.entries()) {
      if (room.present[player]) continue;
      const after = letIn(room, player);
      assert.deepEqual(after.present, room.present);
      assert.equal(lastMessage(after), `${name} Refused`);
    }
  }
});

test("the number of players is the number of names in the list", () => {
  for (const room of everyRoom) {
    for (let count = 0; count <= mostPlayers(room); count += 1) {
      const after = setPlayers(room, count);
      assert.equal(countOf(after.present), count);
      assert.equal(traffic(after).players, count);
      assert.ok(after.present.lastIndexOf(true) < after.seats, "everybody in it has a name");
    }
  }
  assert.equal(rest.seats, 6);
  assert.equal(setPlayers(setPlayers(rest, 8), 1).seats, 8, "who has been there keeps the name");
});

test("the Buggy belongs to somebody in the room, or to the server of an empty one", () => {
  for (const { driver, present } of everyRoom) {
    assert.ok(countOf(present) ? present[driver] : driver === SERVER);
  }
  assert.deepEqual(messagesOf(kick(rest, RAVN)).slice(-2), [
    "all ×6 Owner #0087 → moth",
    "ravn Kick",
  ]);
  const empty = setPlayers(rest, 0);
  assert.deepEqual(messagesOf(letIn(empty, MOTH)).slice(-2), [
    "moth Join",
    "all ×1 Owner #0087 → moth",
  ]);
});

test("restarted, it starts, opens and is live within three ticks from nought", () => {
  let room = restart(advance(rest, 100));
  const seen = [];
  for (let i = 0; i < 4; i += 1) {
    seen.push(`${room.tick} ${phaseOf(room.tick)}`);
    room = advance(room, 1);
  }
  assert.deepEqual(seen, ["0 starting", "1 open", "2 live", "3 live"]);
  assert.deepEqual(messagesOf(room), [
    "fleet State starting",
    "fleet State open",
    "fleet State live",
  ]);
  assert.equal(room.running, true);
  assert.deepEqual(room.present, rest.present);
  assert.equal(history(advance(room, 600)).length, 41, "it has no past of its own yet");
});

type Action = (room: RoomState) => RoomState;

/** What a visitor can do, in any order, with some time in between. */
const anyAction: fc.Arbitrary<Action> = fc.oneof(
  fc
    .nat(CAPACITY - 1)
    .map((i) => (room: RoomState) => (room.present[i] ? kick(room, i) : letIn(room, i))),
  fc.nat(CAPACITY).map((count) => (room: RoomState) => setPlayers(room, count)),
  fc.boolean().map((locked) => (room: RoomState) => ({ ...room, locked })),
  fc.constant(restart),
);
const anyStory = fc.array(fc.tuple(fc.nat(200), anyAction), { maxLength: 12 });

const number = (text: string) => Number(/[\d,]+/.exec(text)?.[0]?.replaceAll(",", ""));
const here = (present: Presence, name: string) =>
  players.some((player, i) => player.name === name && present[i]);

/** Fails where a message couldn't have passed in this room. */
function assertTrue(line: Line, { present, tick, locked }: RoomState) {
  const said = JSON.stringify(line);
  assert.equal(line.tick, tick, said);
  if (line.peer.startsWith("all")) {
    assert.equal(line.peer, `all ×${countOf(present)}`, said);
    assert.ok(countOf(present), said);
  } else if (line.kind !== "State") {
    assert.equal(here(present, line.peer), line.kind !== "Refused", said);
  }
  if (line.kind === "Refused") assert.ok(locked, said);
  if (line.kind === "Owner") assert.ok(here(present, line.detail.replace("#0087 → ", "")), said);
  if (line.kind === "Snapshot" || line.kind === "Input") {
    const reached = number(line.detail);
    assert.ok(reached >= 0 && reached < tick && reached > tick - 6, said);
  }
  if (line.kind === "Snapshot") {
    const mean = snapshotBytes(trafficOf(present, momentOf(tick)));
    assert.ok(Math.abs(line.bytes / mean - 1) < 0.09, said);
  }
}

test("whatever a visitor does, only what can be true passes, at most three lines a second", () => {
  fc.assert(
    fc.property(anyStory, (story) => {
      let room: RoomState = { ...rest, running: true };
      for (const [pause, act] of story) {
        const ticks: number[] = [];
        const reached = new Map<string, number>();
        for (let i = 0; i < pause + 90; i += 1) {
          const was = room.log;
          room = advance(room, 1);
          for (const line of room.log.filter((each) => !was.includes(each))) {
            assertTrue(line, room);
            ticks.push(line.tick);
            const key = line.kind + (line.kind === "Input" ? line.peer : "");
            const newest = number(line.detail);
            if (/Snapshot|Input/.test(key)) {
              assert.ok(newest > (reached.get(key) ?? -1), "bases and acknowledgements advance");
              reached.set(key, newest);
            }
          }
        }
        for (const tick of ticks) {
          assert.ok(ticks.filter((other) => other >= tick && other < tick + TICK_RATE).length <= 3);
        }
        assert.ok(room.log.length <= 40);
        room = act(room);
      }
    }),
    { seed: 184_212 },
  );
});

test("the same room goes on in the same way", () => {
  assert.deepEqual(advance(rest, 900), advance(advance(rest, 450), 450));
});

test("within a minute everything passes: snapshots, inputs, calls both ways and a change of owner", () => {
  let room = rest;
  const kinds = new Set<string>();
  for (let second = 0; second < 60; second += 1) {
    room = advance(room, TICK_RATE);
    for (const { kind } of room.log) kinds.add(kind);
  }
  assert.deepEqual([...kinds].sort(), ["ClientRpc", "Input", "Owner", "ServerRpc", "Snapshot"]);
});
