import { expect, onScreens, paths, screens, test } from "../fixtures.ts";

const columns = {
  Product: ["Features", "Pricing", "Docs"],
  Solutions: ["Game Studios", "Indie Developers", "Education"],
  Company: ["About", "Contact", "Careers"],
};

/** Where a footer link leads that has somewhere to go. */
const destinations: Record<string, string> = {
  Features: "/#features",
  Pricing: "/pricing",
  Docs: "https://docs.tickfleet.example/",
  Contact: "/contact",
};

onScreens(screens, () => {
  test("all pages share a footer: three columns, social links, copyright for 2025", async ({
    page,
    visit,
  }) => {
    for (const path of paths) {
      await visit(path);
      const footer = page.getByRole("contentinfo");
      await expect(footer.getByRole("heading")).toHaveText(Object.keys(columns));
      for (const [heading, labels] of Object.entries(columns)) {
        const column = footer.locator("nav > div", {
          has: page.getByRole("heading", { name: heading }),
        });
        const links = column.locator("li a");
        await expect(links).toHaveText(labels.map((label) => new RegExp(`^${label}`)));
        for (const [index, label] of labels.entries()) {
          const link = links.nth(index);
          await expect(link).toBeVisible();
          expect(await link.getAttribute("href")).toBe(destinations[label] ?? null);
        }
      }
      await expect(footer.getByRole("list", { name: "Follow us" }).locator("a")).toHaveText([
        "X",
        "TikTok",
        "Discord",
      ]);
      await expect(footer.getByText("© 2025 Tickfleet")).toBeVisible();
    }
  });

  test("Features in the footer leads to the highlights of the home page", async ({ page }) => {
    await page.goto("/contact");
    await page.getByRole("contentinfo").getByRole("link", { name: "Features" }).click();
    await expect(page).toHaveURL("/#features");
    await expect(page.locator("#features").getByRole("heading").first()).toBeInViewport();
  });
});
