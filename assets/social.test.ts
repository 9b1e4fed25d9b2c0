import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { drawn, filledIn, wanted } from "./social/words.ts";

test("social cards show the words of the copy", async () => {
  const cards = JSON.parse(await readFile(drawn, "utf8"));
  assert.deepEqual(cards, await wanted(), "the copy has changed since: run `make draw`");
});

test("a card repeats a text where its words have a place in braces", () => {
  const copy = { site: { name: "Example" }, plans: [{ id: "small", price: "$5" }] };
  assert.equal(
    filledIn("{site.name} costs {plans.small.price}, {plans.1.price}", copy),
    "Example costs $5, $5",
  );
  assert.throws(() => filledIn("{site.title}", copy), /\{site\.title\} leads to no text/);
});
