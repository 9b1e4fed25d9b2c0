import { expect, onScreens, screens, test } from "../fixtures.ts";

const plans = [
  {
    name: "Starter",
    price: "$15",
    bandwidth: "60GB",
    support: "basic",
    description: "Perfect for indie developers and small games",
    action: { label: "Get Started", href: "https://app.tickfleet.example/" },
  },
  {
    name: "Professional",
    price: "$50",
    bandwidth: "250GB",
    support: "priority",
    description: "Ideal for growing game studios",
    action: { label: "Get Started", href: "https://app.tickfleet.example/" },
  },
  {
    name: "Enterprise",
    price: "$500",
    bandwidth: "3TB",
    support: "24/7 dedicated",
    description: "For large-scale game operations",
    action: { label: "Contact Sales", href: "/contact" },
  },
];

const included = [
  "24/7 uptime monitoring",
  "realtime networking logs",
  "stable and scalable real-time game sessions",
  "rapid multiplayer setup",
  "simple powerful room and player control",
  "live room object view and bandwidth stats",
];

onScreens(screens, ({ scripts }) => {
  test("heading, subtitle, and three plan cards with every constant, billed per month", async ({
    page,
  }) => {
    await page.goto("/pricing");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Simple, Transparent Pricing");
    await expect(page.getByText("Choose the plan that fits your needs")).toBeVisible();
    const cards = page.getByRole("article");
    await expect(cards).toHaveCount(plans.length);
    for (const [index, plan] of plans.entries()) {
      const card = cards.nth(index);
      await expect(card).toBeVisible();
      await expect(card.getByRole("heading")).toHaveText(plan.name);
      await expect(card.getByText(plan.description, { exact: true })).toBeVisible();
      await expect(card.locator(".plan-price")).toHaveText(`${plan.price} per month`);
      const terms = await card.locator("dl > div").allTextContents();
      expect(terms).toEqual([`Bandwidth${plan.bandwidth}`, `Support${plan.support}`]);
      expect(await card.getByRole("listitem").allTextContents()).toEqual(included);
      const action = card.getByRole("link");
      await expect(action).toHaveText(new RegExp(`^${plan.action.label}`));
      await expect(action).toHaveAttribute("href", plan.action.href);
    }
  });

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
    announce(application);
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

  if (scripts) {
    test("the page starts at the top on a reload too", async ({ page }) => {
      await page.goto("/pricing");
      await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
      expect(await page.evaluate(() => scrollY)).toBeGreaterThan(100);
      await page.reload();
      expect(await page.evaluate(() => scrollY)).toBe(0);
    });
  }
});
