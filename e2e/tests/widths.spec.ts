import { expect, NARROW, NOWHERE, paths, test } from "../fixtures.ts";
import { spoiled } from "../spoiled.ts";

/** From a folded phone to where pages become no broader, and where layouts begin, in pixels. */
const widths = [
  280,
  300,
  ...Array.from({ length: 29 }, (_, step) => 320 + 40 * step),
  ...[361, 481, 641, NARROW, NARROW + 1, 1023, 1024],
];

for (const path of [...paths, "/contact/sent"]) {
  test(`${path}: at every width each word has its line, and no drawing stands behind it`, async ({
    page,
    visit,
  }) => {
    test.slow(); // A page is laid out 38 times.
    // By night there are stars, too.
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await visit(path);
    expect(await page.locator(".luminary, .far-cloud").count()).toBeGreaterThan(1);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      expect.soft(await spoiled(page), `at ${width} px`).toEqual([]);
    }
  });
}

test("a phone that lies shows the way on without scrolling", async ({ page, visit }) => {
  for (const [path, way] of [
    ["/", "Get Started"],
    [NOWHERE, "Back to home"],
  ] as const) {
    await visit(path);
    for (const [width, height] of [
      [667, 375],
      [812, 375],
      [932, 430],
    ] as const) {
      await page.setViewportSize({ width, height });
      const link = page.getByRole("main").getByRole("link", { name: way }).first();
      await expect.soft(link, `${path} at ${width} px`).toBeInViewport({ ratio: 1 });
    }
  }
});
