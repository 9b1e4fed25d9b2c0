import assert from "node:assert/strict";
import { test } from "node:test";
import { assertExamplesAreValid, example, render } from "../../testing.ts";

const show = (name: string) => render("ContactForm", example("ContactForm", name));
const idle = show("empty");

const SUCCESS = "Thank you for your message! We&#x27;ll get back to you shortly.";
const FAILURE = "There was an error sending your message. Please try again.";

test("every example is valid HTML", () => assertExamplesAreValid("ContactForm"));

test("it is a form that posts without script", () => {
  assert.match(idle, /^<form[^>]* action="\/contact" method="post">/);
  assert.match(idle, /<h2 id="contact-form-heading">Send Us a Message<\/h2>/);
  assert.match(
    idle,
    /<button class="button button-primary" type="submit"><span>Send Message<\/span><\/button>/,
  );
});

test("name, email and message are required, company is optional and says so", () => {
  const tag = (name: string) =>
    idle.match(new RegExp(`<(?:input|textarea)[^>]* id="contact-${name}"[^>]*>`))?.[0];
  assert.match(
    idle,
    /<label for="contact-company"><span>Company<\/span><span class="field-note"> \(optional\)<\/span>/,
  );
  for (const name of ["name", "email", "message"]) {
    assert.match(tag(name) ?? "", / required=""/, name);
  }
  assert.doesNotMatch(tag("company") ?? "", /required/);
  assert.match(tag("email") ?? "", / type="email"/);
  assert.match(tag("name") ?? "", / autoComplete="name"/i);
  assert.match(tag("email") ?? "", / autoComplete="email"/i);
  assert.match(tag("company") ?? "", / autoComplete="organization"/i);
});

test("the live regions are there before they speak, and the room for what they say", () => {
  assert.match(idle, /<div role="status" tabindex="-1"><\/div><div role="alert"><\/div>/i);
  const longest = example("ContactForm", "empty").copy.limited;
  assert.ok(idle.includes(`<div class="contact-form-answer" data-room="${longest}">`));
});

test("success shows its banner, failure and limit theirs with what was typed", () => {
  for (const [name, role, banner] of [
    ["sent", "status", SUCCESS],
    ["failed", "alert", FAILURE],
    ["limited", "alert", "You have sent several messages"],
  ] as const) {
    const html = show(name);
    // Without script the browser goes there.
    const region = new RegExp(
      `<div role="${role}"[^>]*><p class="banner [\\w-]+" tabindex="-1" autofocus=""><span>${banner}`,
      "i",
    );
    assert.match(html, region);
    assert.equal(/ value="Ada Okafor"/.test(html), name !== "sent");
    assert.equal(/<h2[^>]*>Send Us a Message</.test(html), name !== "sent");
    // Before another message comes what became of the first.
    assert.equal(/banner-success.*<h2[^>]*>Write Another Message</.test(html), name === "sent");
    assert.equal(/<textarea[^>]*>We launch in March/.test(html), name !== "sent");
  }
});

test("an error stands in the summary, which takes the focus, and at its field", () => {
  const html = show("with errors");
  assert.match(
    html,
    /<section class="error-summary"[^>]* tabindex="-1" autofocus=""><h3[^>]*>There is a problem/i,
  );
  assert.match(html, /<a href="#contact-name">Enter your name<\/a>/);
  assert.match(
    html,
    /<p class="field-error" id="contact-name-error"><span class="visually-hidden">Error: <\/span><span>Enter your name/,
  );
  assert.match(
    html,
    /<input id="contact-name"[^>]* aria-invalid="true" aria-describedby="contact-name-error"/,
  );
  assert.doesNotMatch(idle, /aria-invalid|error-summary/);
});

test("the trap is out of reach, and the script's own fields are empty", () => {
  assert.match(idle, /<div class="contact-form-trap" aria-hidden="true">/);
  assert.match(
    idle,
    /<input id="contact-website" autoComplete="off" tabindex="-1" name="website"/i,
  );
  assert.match(idle, /<input type="hidden" name="submission_id" value=""/);
  assert.match(idle, /<input type="hidden" name="elapsed_ms" value=""/);
});
