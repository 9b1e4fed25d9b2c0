import { expect, test } from "../fixtures.ts";

/** What no sheet of paper needs. */
const ASIDES = [".cloudscape", ".site-footer"];

for (const [path, heading, kept, asides] of [
  [
    "/",
    "Game Server Hosting Made Easy",
    "maximum performance and dedicated support",
    [".hero-views", ".room-figure", ".closing", ".otherwise"],
  ],
  ["/pricing", "Simple, Transparent Pricing", "$500", [".rising", ".closing", ".estimate-form"]],
  ["/contact", "Contact Us", "hello@tickfleet.example", ["main form", "main button"]],
] as const) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`${path} prints its words alone, dark on white, in the ${colorScheme} scheme`, async ({
      page,
    }) => {
      await page.emulateMedia({ media: "print", colorScheme });
      await page.goto(path);
      const title = page.getByRole("heading", { name: heading });
      await expect(title).toBeVisible();
      await expect(page.getByText(kept).first()).toBeVisible();
      for (const aside of [...ASIDES, ...asides]) {
        const all = await page.locator(aside).all();
        expect(all, aside).not.toEqual([]);
        for (const each of all) {
          await expect(each).toBeHidden();
        }
      }
      const colour = await title.evaluate((element) => getComputedStyle(element).color);
      expect(Math.max(...(colour.match(/\d+/g) ?? []).map(Number))).toBeLessThan(64);
      const grounds = await page.locator("html, body, main, main section").evaluateAll((all) =>
        all
          .filter((each) => {
            const { backgroundColor, backgroundImage } = getComputedStyle(each);
            const isBare = backgroundColor === "rgba(0, 0, 0, 0)" && backgroundImage === "none";
            return each.checkVisibility() && !isBare;
          })
          .map((each) => each.className || each.tagName),
      );
      expect(grounds, "not the paper's own").toEqual([]);
    });
  }
}
