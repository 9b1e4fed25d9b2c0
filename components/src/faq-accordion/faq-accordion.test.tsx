import assert from "node:assert/strict";
import { test } from "node:test";
import { assertExamplesAreValid, example, render } from "../../testing.ts";

const props = example("FaqAccordion", "five topics");
const html = render("FaqAccordion", props);

test("every example is valid HTML", () => assertExamplesAreValid("FaqAccordion"));

test("the browser itself keeps one question open at a time, none at first", () => {
  assert.equal(html.match(/<details class="faq-entry" name="faq" id="[\w-]+">/g)?.length, 5);
});

test("a question is a heading in its summary, and its whole answer is in the page", () => {
  for (const { id, question, answer } of props.entries) {
    assert.ok(html.includes(`id="${id}"><summary><h3>${question}</h3>`), question);
    for (const paragraph of answer) {
      assert.ok(html.includes(`<p>${paragraph}</p>`), paragraph);
    }
  }
});

test("what an answer comes to stands beside its question, where the copy says it", () => {
  const entry = { id: "uptime", question: "How reliable?", answer: ["We guarantee 99.9% uptime."] };
  const summary = (gist: string | null) =>
    /<summary>(.*)<\/summary>/.exec(render("FaqAccordion", { entries: [{ ...entry, gist }] }))?.[1];
  assert.equal(summary("99.9% uptime"), "<h3>How reliable?</h3><span>99.9% uptime</span>");
  assert.equal(summary(null), "<h3>How reliable?</h3>");
});

test("text that looks like markup stays text", () => {
  const evil = "</script><script>alert(1)</script>";
  const rendered = render("FaqAccordion", {
    entries: [{ id: "evil", question: evil, gist: evil, answer: [evil] }],
  });
  assert.doesNotMatch(rendered, /<script>/);
});
