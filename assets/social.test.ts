import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { drawn, wanted } from "./social/words.ts";

test("social cards show the words of the copy", async () => {
  const cards = JSON.parse(await readFile(drawn, "utf8"));
  assert.deepEqual(cards, await wanted(), "the copy has changed since: run `make draw`");
});
