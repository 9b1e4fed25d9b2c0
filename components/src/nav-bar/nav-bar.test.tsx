import assert from "node:assert/strict";
import { test } from "node:test";
import { assertExamplesAreValid, example, render } from "../../testing.ts";

const html = render("NavBar", example("NavBar", "on the pricing page"));

test("every example is valid HTML", () => assertExamplesAreValid("NavBar"));

test("the logo leads home, and each link where it belongs", () => {
  assert.match(html, /<nav class="nav-bar" aria-label="Main"><a class="nav-bar-brand" href="\/">/);
  assert.match(html, /<a href="\/contact">Contact<\/a>/);
});

test("Docs and Dashboard open in a new tab and say so", () => {
  for (const label of ["Docs", "Dashboard"]) {
    assert.match(
      html,
      new RegExp(
        `target="_blank" rel="noopener"[^>]*>${label}<span class="visually-hidden"> \\(opens in a new tab\\)<`,
      ),
    );
  }
  assert.match(html, /class="button"[^>]*>Dashboard/);
});

test("the current page is marked, once", () => {
  assert.match(html, /<a href="\/pricing" aria-current="page">Pricing<\/a>/);
  assert.equal(html.match(/aria-current/g)?.length, 1);
  assert.match(
    render("NavBar", example("NavBar", "on the home page")),
    /href="\/" aria-current="page"/,
  );
  assert.doesNotMatch(
    render("NavBar", example("NavBar", "on a page that it doesn't name")),
    /aria-current/,
  );
});

test("the menu is a popover of its button, closed, and has both names", () => {
  assert.match(html, /<button[^>]* type="button" popoverTarget="nav-bar-menu"/);
  assert.match(html, /id="nav-bar-menu" popover="auto"/);
  assert.match(html, />Open menu<.*>Close menu</);
  assert.doesNotMatch(html, /aria-expanded/);
});
