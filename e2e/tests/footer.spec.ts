import { expect, extremes, onScreens, paths, test, widths } from "../fixtures.ts";

onScreens(widths, () => {
  test("all pages share a footer: three columns, social links, copyright", async ({
    page,
    visit,
  }) => {
    for (const path of paths) {
      await visit(path);
      const footer = page.getByRole("contentinfo");
      await expect(footer.locator("nav > div")).toHaveCount(3);
      for (const part of await footer.locator("h2, li a, small").all()) {
        await expect(part).toBeVisible();
      }
    }
  });
});

onScreens(extremes, () => {
  test("Features in the footer leads to the highlights of the home page", async ({ page }) => {
    await page.goto("/contact");
    await page.getByRole("contentinfo").getByRole("link", { name: "Features" }).click();
    await expect(page).toHaveURL("/#features");
    await expect(page.locator("#features").getByRole("heading").first()).toBeInViewport();
  });
});
