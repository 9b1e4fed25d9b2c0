import assert from "node:assert/strict";
import { test } from "node:test";
import { assertExamplesAreValid, example, render } from "../../testing.ts";

const html = render("PricingCards", example("PricingCards", "three plans")).replaceAll(
  "<!-- -->",
  "",
);
const [starter = "", professional = "", enterprise = ""] = html.split(/(?=<article)/).slice(1);

test("every example is valid HTML", () => assertExamplesAreValid("PricingCards"));

test("each plan says what docs/behaviour.md says, word for word", () => {
  const facts = [
    [starter, "Starter", "$15", "60GB", "basic", "Perfect for indie developers and small games"],
    [professional, "Professional", "$50", "250GB", "priority", "Ideal for growing game studios"],
    [enterprise, "Enterprise", "$500", "3TB", "24/7 dedicated", "For large-scale game operations"],
  ];
  for (const [card = "", ...texts] of facts) {
    for (const text of [...texts, "per month"]) {
      assert.ok(card.includes(`>${text}<`), `"${text}" in ${card}`);
    }
  }
});

test("each plan shows how much of the largest one's bandwidth it has, in fiftieths", () => {
  const lit = (card: string) => {
    const [, upper, lower] = /<\/path><path d="M0 .5h(\d+)M0 1.5h(\d+)"/.exec(card) ?? [];
    return Number(upper) + Number(lower);
  };
  assert.deepEqual([starter, professional, enterprise].map(lit), [1, 4, 50]);
});

test("every plan lists all that is included in all plans", () => {
  for (const card of [starter, professional, enterprise]) {
    for (const feature of [
      "24/7 uptime monitoring",
      "realtime networking logs",
      "stable and scalable real-time game sessions",
      "rapid multiplayer setup",
      "simple powerful room and player control",
      "live room object view and bandwidth stats",
    ]) {
      assert.ok(card.includes(`<li>${feature}</li>`), feature);
    }
  }
});

test("Professional alone is highlighted", () => {
  assert.match(professional, /^<article[^>]* data-highlighted="true"/);
  assert.equal(html.match(/data-highlighted/g)?.length, 1);
});

test("Enterprise contacts sales; the others lead to the application", () => {
  assert.match(enterprise, /<a[^>]* href="\/contact"[^>]*>Contact Sales<\/a>/);
  assert.match(starter, /<a[^>]* href="https:[^>]*>Get Started</);
  assert.match(professional, /<a[^>]* href="https:[^>]*>Get Started</);
});
