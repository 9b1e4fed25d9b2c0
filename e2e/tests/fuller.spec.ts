import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, NARROW, test } from "../fixtures.ts";
import { spoiled } from "../spoiled.ts";
import { copy, exported, serve } from "../static-host.ts";

/** What an owner adds to the copy, and after which of its lines. */
const additions: [RegExp, string][] = [
  [/(?<=^\[site\]\nname = ").*(?=")/m, "Pingharbor Cloud Ltd"],
  [
    /(?=^\[footer\.social\])/m,
    '[[footer.columns]]\nheading = "Resources"\nlinks = [{ label = "Documentation" }]\n\n',
  ],
  [
    /(?=^\[\[pricing\.cards\.plans\]\])/m,
    `[[pricing.cards.plans]]
id = "hobby"
name = "Hobby"
price = "$5"
period = "per month"
description = "For a game among friends"
bandwidth = "20GB"
support = "basic"
action = { label = "Get Started" }

`,
  ],
  [
    /(?<=^\[contact\.hours\]\nheading = .*\nlines = \[.*)(?=\]$)/m,
    ', "Thanksgiving, November 26: closed", "New Year: closed"',
  ],
];

// One after the other: they share an export.
test.describe.configure({ mode: "default" });

let host: Awaited<ReturnType<typeof serve>>;
test.beforeAll(async () => {
  const fuller = additions.reduce(
    (text, [place, added]) => {
      expect(text).toMatch(place);
      return text.replace(place, () => added);
    },
    readFileSync(copy, "utf8"),
  );
  const content = join(mkdtempSync(join(process.env.E2E_STATE ?? "", "copy-")), "site.toml");
  writeFileSync(content, fuller);
  host = await serve(exported(content));
});
test.afterAll(() => host.close());

for (const path of ["/", "/pricing", "/contact"]) {
  test(`${path}: what an owner adds has its place at every width`, async ({ page, visit }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await visit(host.address + path);
    for (const width of [320, 375, 480, NARROW, NARROW + 1, 1024, 1280, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect.soft(await spoiled(page), `at ${width} px`).toEqual([]);
      const header = await page.locator(".nav-bar").boundingBox();
      expect.soft(header?.height, `the header at ${width} px`).toBe(72);
      const cards = await page.locator(".plan").all();
      const boxes = await Promise.all(cards.map((card) => card.boundingBox()));
      for (const [above, below] of boxes.flatMap((a) => boxes.map((b) => [a, b] as const))) {
        if (above && below && above.x === below.x && above.y < below.y) {
          const apart = below.y - above.y - above.height;
          expect.soft(apart, `cards at ${width} px`).toBeGreaterThan(15);
        }
      }
    }
  });
}
