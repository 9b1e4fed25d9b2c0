import { expect, extremes, onScreens, paths, test, whollyInView, widths } from "../fixtures.ts";

test("all pages share a footer: three columns, social links, copyright", async ({
  page,
  visit,
}) => {
  for (const path of paths) {
    await test.step(path, async () => {
      await visit(path);
      const footer = page.getByRole("contentinfo");
      await expect(footer.locator("nav > div")).toHaveCount(3);
      for (const { width } of widths) {
        await page.setViewportSize({ width, height: 800 });
        const parts = footer.locator("h2, li a, small");
        await expect(parts.filter({ visible: true }), `at ${width} px`).toHaveCount(
          await parts.count(),
        );
      }
    });
  }
});

onScreens(extremes, () => {
  test("Features in the footer leads to the highlights of the home page", async ({ page }) => {
    await page.goto("/contact");
    await page.getByRole("contentinfo").getByRole("link", { name: "Features" }).click();
    await expect(page).toHaveURL("/#features");
    await expect.poll(() => whollyInView(page.locator("#features h2"))).toBe(true);
  });
});

for (const path of ["/contact", "/contact/sent", "/privacy"]) {
  test(`${path}: in a window higher than the page the footer begins under the sky and fills the rest`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1440, height: 1700 });
    await page.goto(path);
    const sky = await page.locator("main > .sky").boundingBox();
    const footer = await page.getByRole("contentinfo").boundingBox();
    expect(footer?.y).toBeCloseTo(Number(sky?.y) + Number(sky?.height), 0);
    expect(Number(footer?.y) + Number(footer?.height)).toBeCloseTo(1700, 0);
  });
}
