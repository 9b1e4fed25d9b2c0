import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { apportion, decimal, hourly, rate, rowRates, signed, thousands } from "./figures.ts";
import { rttOf, rttSpread } from "./latency.ts";
import { CAPACITY, countOf, PLAYERS_AT_REST, type Presence, players, TICK_RATE } from "./model.ts";
import { tickWork, trafficOf } from "./traffic.ts";

/** Everybody who can be in the room, in every combination. */
const everyPresence: Presence[] = Array.from({ length: 2 ** CAPACITY }, (_, bits) =>
  players.map((_, i) => Boolean(bits & (1 << i))),
);
const firstPlayers = (count: number) => players.map((_, i) => i < count);

/** The half minute before the room is first shown, the moment itself, and half a minute of running. */
const moments = Array.from({ length: 120 }, (_, i) => i - 59);

/** Whole tenths of a figure as it is shown. */
const tenths = (shown: string) => {
  assert.match(shown, /^\d+\.\d$/);
  return Number(shown.replace(".", ""));
};

test("one, six and eight players cost what the page says", () => {
  const shown = [1, 6, 8].map((count) => rate(trafficOf(firstPlayers(count), 0).out));
  assert.deepEqual(shown, ["2.8", "35.4", "57.7"]);
  const six = trafficOf(firstPlayers(6), 0);
  assert.equal(decimal(six.snapshot), "196.9");
  assert.equal(rate(six.in), "5.6");
  assert.equal(hourly(six.out), "128");
  assert.equal(tickWork(6).toFixed(1), "6.2");
});

test("with any players at any moment the shown figures agree to the last digit", () => {
  for (const present of everyPresence) {
    for (const moment of moments) {
      const traffic = trafficOf(present, moment);
      const where = `${present} at ${moment}`;
      // players × Hz × B, from the digits that stand on the page
      const product = (countOf(present) * TICK_RATE * tenths(decimal(traffic.snapshot))) / 10;
      assert.equal(rate(traffic.out), (Math.round(product / 100) / 10).toFixed(1), where);
      assert.equal(hourly(traffic.out), thousands(Math.round((product * 3600) / 1e6)), where);
      for (const direction of ["out", "in"] as const) {
        const rows = rowRates(traffic, direction).map(tenths);
        const sum = rows.reduce((total, row) => total + row, 0);
        assert.equal(sum, tenths(rate(traffic[direction])), `${direction}: ${where}`);
      }
    }
  }
});

test("a snapshot grows by the same for a player whoever else is there", () => {
  for (const present of everyPresence) {
    const { snapshot } = trafficOf(present, 0);
    const avatars = players.filter((_, i) => present[i]).map(({ avatar }) => avatar);
    assert.equal(
      snapshot,
      avatars.reduce((sum, avatar) => sum + avatar, 660),
    );
  }
});

test("bandwidth grows with the square of the players", () => {
  const counts = Array.from({ length: CAPACITY + 1 }, (_, count) => count);
  const differences = (values: number[]) =>
    values.slice(1).map((value, i) => value - (values[i] ?? 0));
  // The mean over everybody who can make up that number: avatars differ.
  const means = counts.map((count) => {
    const flows = everyPresence
      .filter((present) => countOf(present) === count)
      .map((present) => trafficOf(present, 0).out);
    return flows.reduce((sum, flow) => sum + flow, 0) / flows.length;
  });
  const [second = 0, ...others] = differences(differences(means)).map(Math.round);
  assert.ok(second > 0);
  assert.ok(others.every((other) => other === second));
});

test("tick work grows with the number of players", () => {
  const work = Array.from({ length: CAPACITY + 1 }, (_, count) => tickWork(count).toFixed(1));
  assert.deepEqual(work, ["2.0", "2.7", "3.4", "4.1", "4.8", "5.5", "6.2", "6.9", "7.6"]);
});

test("players who aren't there neither send nor cost anything", () => {
  for (const present of everyPresence) {
    const { rows, in: received } = trafficOf(present, 17);
    const silent = rows.filter((row) => row.out === 0).length;
    const missing = present.slice(0, PLAYERS_AT_REST).filter((there) => !there).length;
    assert.equal(silent, countOf(present) ? missing : rows.length);
    assert.equal(received === 0, countOf(present) === 0);
  }
});

test("parts are rounded together, each by less than one of its last digit", () => {
  const parts = fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1 });
  fc.assert(
    fc.property(parts, fc.integer({ min: 1, max: 5000 }), (exact, step) => {
      const rounded = apportion(exact, step);
      const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
      assert.equal(sum(rounded), Math.round(sum(exact) / step));
      for (const [i, value] of rounded.entries()) {
        assert.ok(Math.abs(value - (exact[i] ?? 0) / step) < 1);
        assert.ok(exact[i] || value === 0, "nothing stays nothing");
      }
    }),
  );
});

test("numbers below nothing have a true minus sign", () => {
  assert.deepEqual([signed(-17.83), signed(4)], ["−17.8", "4.0"]);
});

test("round-trip times scatter upwards from a floor, and the percentiles are those of who is there", () => {
  for (const [i, { rtt }] of players.entries()) {
    const seen = moments.map((moment) => rttOf(i, moment));
    assert.ok(new Set(seen).size >= 5, "they scatter");
    assert.ok(Math.min(...seen) >= Math.floor(rtt * 0.93));
    assert.ok(Math.max(...seen) <= Math.ceil(rtt * 1.37));
  }
  assert.deepEqual(rttSpread(firstPlayers(6), 0), { p50: 40, p95: 86 });
  assert.deepEqual(rttSpread(firstPlayers(5), 0), { p50: 38, p95: 57 });
  assert.deepEqual(rttSpread(firstPlayers(1), 0), { p50: 24, p95: 24 });
  assert.equal(rttSpread(firstPlayers(0), 0), undefined);
});
