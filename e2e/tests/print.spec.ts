import { expect, test } from "../fixtures.ts";

for (const [path, heading, kept] of [
  ["/pricing", "Simple, Transparent Pricing", "$500"],
  ["/contact", "Contact Us", "hello@tickfleet.example"],
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
      for (const aside of [
        ".cloudscape",
        ".rising",
        ".closing",
        ".site-footer",
        "main form",
        "main button",
      ]) {
        for (const each of await page.locator(aside).all()) {
          await expect(each).toBeHidden();
        }
      }
      const colour = await title.evaluate((element) => getComputedStyle(element).color);
      expect(Math.max(...(colour.match(/\d+/g) ?? []).map(Number))).toBeLessThan(64);
    });
  }
}
