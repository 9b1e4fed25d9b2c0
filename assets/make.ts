/**
 * Draws everything that is generated and kept in the repository: the display face, the favicons,
 * the flight of a message, the footer's street, the product views and the social cards. Needs Chromium; the site's build does not.
 */
for (const drawing of [
  "fonts/subset",
  "icons",
  "flight",
  "street",
  "screenshots/photograph",
  "social/cards",
]) {
  await import(new URL(`${drawing}.ts`, import.meta.url).href);
}
