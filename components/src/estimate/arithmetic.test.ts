import assert from "node:assert/strict";
import { test } from "node:test";
import {
  fitting,
  gigabytes,
  hoursCarried,
  hoursShown,
  monthly,
  onGauge,
  playerHours,
  shareOf,
  shown,
} from "./arithmetic.ts";

const plans = ["60GB", "250GB", "3TB"].map((bandwidth) => ({ bandwidth }));
const fits = (need: number) => fitting(plans, need)?.bandwidth;

test("twenty players at 7 kB/s for 8 hours take 121 GB: Professional", () => {
  const need = monthly({ players: 20, rate: 7, hours: 8 });
  assert.equal(need, 120.96);
  assert.equal(shown(need), "121");
  assert.equal(fits(need), "250GB");
});

test("a plan carries its bandwidth, and not a byte more", () => {
  for (const { bandwidth } of plans) {
    const most = gigabytes(bandwidth);
    assert.equal(fits(most), bandwidth);
    assert.equal(fits(most - 0.000001), bandwidth);
    assert.notEqual(fits(most + 0.000001), bandwidth);
  }
  assert.equal(fits(0), "60GB");
  assert.equal(fits(3000.000001), undefined);
});

test("what is shown is never less than what a plan carries that is too small", () => {
  for (const [need, text] of [
    [0, "0"],
    [0.05, "0.1"],
    [59.96, "60"],
    [60, "60"],
    [60.000001, "60.1"],
    [250, "250"],
    [250.000001, "251"],
    [3000, "3,000"],
    [3000.000001, "3,001"],
  ] as const) {
    assert.equal(shown(need), text);
  }
});

test("a plan that carries a game has no more than all of its bandwidth taken", () => {
  for (const [bandwidth, need, share] of [
    ["60GB", 0, 0],
    ["60GB", 0.05, 0],
    ["60GB", 60, 100],
    ["250GB", 60.000001, 24],
    ["250GB", 120.96, 48],
    ["3TB", 2999.9, 100],
  ] as const) {
    assert.equal(shareOf(bandwidth, need), share, `${need} of ${bandwidth}`);
  }
});

test("twenty players for 8 hours a day are online for 4,800 hours a month", () => {
  assert.equal(playerHours({ players: 20, rate: 7, hours: 8 }), 4800);
});

test("binary fractions change nothing", () => {
  // 0.1 + 0.2 in disguise: the product of three tenths and a whole is a whole.
  assert.equal(monthly({ players: 1000, rate: 0.1, hours: 10 }), 108);
  for (let players = 1; players < 200; players++) {
    const need = monthly({ players, rate: 0.3, hours: 24 });
    assert.equal(Math.round(need * 1e4) / 1e4, need, `${players}`);
  }
});

test("hours of one player are those that the bandwidth carries whole", () => {
  assert.deepEqual(
    plans.map(({ bandwidth }) => [2, 4, 8, 16].map((rate) => hoursCarried(bandwidth, rate))),
    [
      [8333, 4166, 2083, 1041],
      [34722, 17361, 8680, 4340],
      [416666, 208333, 104166, 52083],
    ],
  );
});

test("hours have three digits from a million on, and never more than a plan carries", () => {
  for (const [rate, hours] of [
    [7, "119,047"],
    [0.9, "925,925"],
    [0.1, "8.33M"],
    [0.0001, "8.33B"],
    [0, "∞"],
  ] as const) {
    assert.equal(hoursShown(hoursCarried("3TB", rate)), hours, `${rate}`);
  }
  assert.equal(hoursShown(1_999_999), "1.99M");
});

test("the gauge is logarithmic, from 1 GB to 10 TB", () => {
  assert.deepEqual([0, 1, 10, 100, 1000, 10_000, 1e9].map(onGauge), [0, 0, 25, 50, 75, 100, 100]);
});
