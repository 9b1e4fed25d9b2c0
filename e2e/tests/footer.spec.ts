import { expect, extremes, onScreens, paths, test, widths } from "../fixtures.ts";

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
    await expect(page.locator("#features").getByRole("heading").first()).toBeInViewport();
  });
});
