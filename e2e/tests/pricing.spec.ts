import { expect, extremes, onScreens, test, widths } from "../fixtures.ts";

onScreens(widths, () => {
  test("three plan cards show name, price, terms, what is included, and a button", async ({
    page,
  }) => {
    await page.goto("/pricing");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const cards = page.getByRole("article");
    await expect(cards).toHaveCount(3);
    for (const card of await cards.all()) {
      const parts = [
        card.getByRole("heading"),
        card.locator(".plan-price"),
        card.locator("dl > div").first(),
        card.locator("dl > div").last(),
        card.getByRole("listitem").first(),
        card.getByRole("listitem").last(),
        card.getByRole("link"),
      ];
      for (const part of parts) {
        await expect(part).toBeVisible();
      }
    }
  });
});

test("the plans' buttons are as high as any other, at every width", async ({ page }) => {
  await page.goto("/pricing");
  for (const width of [320, 375, 480, 481, 540, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const heights = await page
      .locator("article .button")
      .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().height));
    for (const height of heights) {
      expect(height, `at ${width} px`).toBeGreaterThanOrEqual(44);
      expect(height, `at ${width} px`).toBeLessThan(50);
    }
  }
});

onScreens(extremes, () => {
  test("Professional is highlighted, and no other plan is", async ({ page }) => {
    await page.goto("/pricing");
    const highlighted = page.locator("article[data-highlighted]");
    await expect(highlighted).toHaveCount(1);
    await expect(highlighted.getByRole("heading")).toHaveText("Professional");
    const [starter, professional, enterprise] = await page
      .locator("article .button")
      .evaluateAll((buttons) => buttons.map((button) => getComputedStyle(button).backgroundColor));
    expect(professional).not.toBe(starter);
    expect(starter).toBe(enterprise);
  });

  test("'Ready to get started?' has a start button and Contact Sales", async ({
    page,
    announce,
  }) => {
    const application = "https://app.tickfleet.example/";
    announce(`asked another host: ${application}`);
    await page.route(application, (route) => route.fulfill({ body: "the application" }));
    const closing = page
      .locator("section")
      .filter({ has: page.getByRole("heading", { name: "Ready to get started?" }) });
    await page.goto("/pricing");
    await closing.getByRole("link", { name: "Contact Sales" }).click();
    await expect(page).toHaveURL("/contact");
    await page.goto("/pricing");
    await closing.getByRole("link", { name: "Get Started" }).click();
    await expect(page).toHaveURL(application);
  });

  test("Contact Sales on the Enterprise plan leads to the contact page", async ({ page }) => {
    await page.goto("/pricing");
    await page.getByRole("article").getByRole("link", { name: "Contact Sales" }).click();
    await expect(page).toHaveURL("/contact");
  });

  test("the page starts at the top when another page leads to it", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("contentinfo").getByRole("link", { name: "Pricing" }).click();
    await expect(page).toHaveURL("/pricing");
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });
});

test("the page starts at the top on a reload too", async ({ page }) => {
  await page.goto("/pricing");
  await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(100);
  await page.reload();
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test("back from another page leads to where the visitor was", async ({ page }) => {
  await page.goto("/pricing");
  const link = page.locator("main > section").last().getByRole("link").first();
  await link.scrollIntoViewIfNeeded();
  await Promise.all([
    page.waitForNavigation(),
    page.getByRole("link", { name: "Privacy" }).click(),
  ]);
  await page.goBack();
  await expect(link).toBeInViewport();
});

test("back leads to where a link within the page was followed", async ({ page }) => {
  await page.goto("/pricing");
  const link = page.locator(".estimate-result a");
  await link.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => scrollY);
  await link.click();
  await expect.poll(() => page.evaluate(() => scrollY)).toBeLessThan(before);
  await page.goBack();
  await expect(link).toBeInViewport();
});
