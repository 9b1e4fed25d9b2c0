import assert from "node:assert/strict";
import { test } from "node:test";
import { assertExamplesAreValid, example, render } from "../../testing.ts";

const html = render("Estimate", example("Estimate", "twenty players"));
const text = html.replace(/<[^>]+>/g, " ");

test("every example is valid HTML without inline styles", async () => {
  await assertExamplesAreValid("Estimate");
  assert.doesNotMatch(html, / style=/);
});

test("it begins with an example that adds up", () => {
  assert.match(text, /121 GB a month/);
  assert.match(text, /Professional fits: 48% of\s250GB\./);
});

test("on the gauge the plan that carries it is the one that stands out", () => {
  const marked = [...html.matchAll(/<g class="estimate-fits">.*?<text[^>]*>([^<]*)/g)];
  assert.deepEqual(
    marked.map(([, bandwidth]) => bandwidth),
    ["250GB"],
  );
});

test("each figure can be typed as well as dragged", () => {
  for (const [name, value] of Object.entries({ players: 20, rate: 7, hours: 8 })) {
    for (const type of ["number", "range"]) {
      const control = [...html.matchAll(/<input[^>]*>/g)]
        .map(([input]) => input)
        .find((input) => input.includes(`type="${type}"`) && input.includes(`name="${name}`));
      assert.ok(control?.includes(`value="${value}"`), `${name}, ${type}`);
    }
  }
});

test("how many player-hours the example takes stands beside what they are", () => {
  assert.match(text, /20 × 8\sh × 30\sdays\s+4,800\splayer-hours/);
});

test("without scripts a table says how many hours each plan carries", () => {
  assert.match(text, /\b2\s+8,333\s+34,722\s+416,666/);
  assert.match(text, /\b16\s+1,041\s+4,340\s+52,083/);
});
