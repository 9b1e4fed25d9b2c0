import assert from "node:assert/strict";
import { test } from "node:test";
import { assertExamplesAreValid, example, render } from "../../testing.ts";

const html = render("Room", example("Room", "at rest"));

/** The texts of a table's cells, row by row. */
function tableIn(pane: string): string[][] {
  const [, table = ""] =
    html.match(new RegExp(`class="${pane}">.*?<table>(.*?)</table>`, "s")) ?? [];
  return [...table.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = ""]) =>
      cell
        .replace(/<[^>]+>/g, "|")
        .replace(/\|+/g, " ")
        .trim(),
    ),
  );
}

test("it is valid HTML without inline styles, and React needs no marks in its text", async () => {
  await assertExamplesAreValid("Room");
  assert.doesNotMatch(html, / style=|<!--/);
});

test("the room stands in the page as the front picture shows it", () => {
  const text = html.replace(/<[^>]+>/g, "");
  for (const figure of ["foundry-04", "live", "tick 184,212", "6 of 8", "5.6 kB/s in"]) {
    assert.ok(text.includes(figure), figure);
  }
  assert.match(text, /6 players × 30 Hz × 196\.9 B = 35\.4 kB\/s out/);
  assert.match(text, /Tick work 6\.2 \/ 33\.3 ms/);
  assert.match(html, /<a href="\/pricing\?players=6&amp;rate=5\.9#estimate">128 MB an hour<\/a>/);
});

test("players stand in a table with a key each, and free places without", () => {
  assert.deepEqual(tableIn("room-players"), [
    ["In the room", "RTT p50 40, p95 86 ms"],
    ["moth", "24 ms", "Kick Let in  moth"],
    ["Okonkwo", "31 ms", "Kick Let in  Okonkwo"],
    ["pixelpaula", "38 ms", "Kick Let in  pixelpaula"],
    ["ravn", "42 ms", "Kick Let in  ravn"],
    ["tomo_k", "57 ms", "Kick Let in  tomo_k"],
    ["Vesper", "86 ms", "Kick Let in  Vesper"],
    ["free"],
    ["free"],
  ]);
});

test("the objects' rows add up to the room's traffic", () => {
  const [head, ...rows] = tableIn("room-objects");
  assert.deepEqual(head, ["Objects", "Owner", "30 s", "out", "in"]);
  assert.deepEqual(rows[0], ["Buggy  #0087", "ravn", "Buggy #0087 · max 7.9 kB/s", "5.7", "0.0"]);
  assert.deepEqual(rows.at(-1), ["Total, kB/s", "35.4", "5.6"]);
  const tenths = rows.map((row) => row.slice(-2).map((figure) => Math.round(Number(figure) * 10)));
  const total = tenths.pop();
  const sum = tenths.reduce(([out = 0, received = 0], [sent = 0, came = 0]) => [
    out + sent,
    received + came,
  ]);
  assert.deepEqual(sum, total);
});

test("the log's lines are the room's last tenth of a second", () => {
  const rows = tableIn("room-log");
  assert.deepEqual(rows[0], ["tick", "Log", "B"]);
  assert.equal(rows.length, 12);
  assert.deepEqual(rows.at(-1), ["184,212", "out all ×6 \n Snapshot  base 184,209", "192"]);
});

test("all heads are scoped, and of each choice the first is made", () => {
  assert.doesNotMatch(html, /<th(?! scope)[ >]/);
  const chosen = [...html.matchAll(/<input type="radio"[^>]* checked=""[^>]*>/g)].map(
    ([input]) => input,
  );
  assert.deepEqual(
    chosen.map((input) => /name="(\w+)"/.exec(input)?.[1]),
    ["pane", "object", "kind"],
  );
});

test("nothing is announced before a visitor does something", () => {
  assert.match(html, /<p role="status" class="visually-hidden"><\/p>/);
});
