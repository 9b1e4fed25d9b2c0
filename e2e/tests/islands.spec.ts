import {
  expect,
  expectFields,
  field,
  fillIn,
  hold,
  hydrated,
  message,
  NARROW,
  navigationBar,
  type Page,
  paths,
  test,
} from "../fixtures.ts";

const SCRIPT = "/assets/hydrate-*.js*";
const success = "Thank you for your message! We'll get back to you shortly.";

/** Collects the addresses from which the script of the islands was asked for. */
function scriptRequests(page: Page) {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/assets/hydrate-")) {
      asked.push(request.url());
    }
  });
  return asked;
}

test.describe("what a visitor did before hydration is kept:", () => {
  test("typed text, the focus and the place of the cursor", async ({ page }) => {
    const release = await hold(page, SCRIPT);
    await page.goto("/contact");
    await fillIn(page);
    await field(page, "Message").press("Home");
    release();
    await hydrated(page, "ContactForm");
    await expectFields(page, message);
    await expect(field(page, "Message")).toBeFocused();
    await page.keyboard.type("Hello. ");
    await expect(field(page, "Message")).toHaveValue(`Hello. ${message.Message}`);
  });

  test("an open question", async ({ page }) => {
    const release = await hold(page, SCRIPT);
    await page.goto("/");
    const entries = page.locator("#faq details");
    await entries.nth(2).locator("summary").click();
    await expect(entries.nth(2)).toHaveAttribute("open");
    release();
    await hydrated(page, "FaqAccordion");
    await expect(entries.nth(2)).toHaveAttribute("open");
    await entries.nth(3).locator("summary").click();
    await expect(entries.nth(3)).toHaveAttribute("open");
    await expect(entries.nth(2)).not.toHaveAttribute("open");
  });

  test("an open menu", async ({ page }) => {
    await page.setViewportSize({ width: NARROW, height: 800 });
    const release = await hold(page, SCRIPT);
    await page.goto("/");
    await page.getByRole("button", { name: "Open menu" }).click();
    release();
    await hydrated(page, "NavBar");
    const button = page.getByRole("button", { name: "Close menu" });
    await expect(button).toHaveAttribute("aria-expanded", "true");
    await expect(page.locator(":popover-open")).toBeVisible();
    await button.click();
    await expect(page.locator(":popover-open")).toHaveCount(0);
  });

  test("a submit, however often it is clicked: it is sent once, without leaving the page", async ({
    page,
  }) => {
    const release = await hold(page, SCRIPT);
    await page.goto("/contact");
    await fillIn(page);
    let posts = 0;
    page.on("request", (request) => {
      posts += Number(request.method() === "POST");
    });
    const button = page.getByRole("button", { name: "Send Message" });
    await button.click();
    await button.click();
    release();
    await expect(page.getByText(success)).toBeVisible();
    await expect(page).toHaveURL("/contact");
    expect(posts).toBe(1);
  });
});

test.describe("a script that can't be loaded", () => {
  test("is tried again at the next interaction", async ({ page, announce }) => {
    announce("/assets/hydrate-");
    const asked = scriptRequests(page);
    await page.route("/assets/hydrate-*.js", (route) => route.abort("failed"));
    await page.goto("/contact");
    await Promise.all([page.waitForEvent("requestfailed"), field(page, "Name").click()]);
    await expect(async () => {
      await field(page, "Email").click();
      await expect(page.locator("[data-hydrated]")).toBeAttached({ timeout: 500 });
    }).toPass();
    expect(new Set(asked).size).toBe(2);
    await fillIn(page);
    await page.getByRole("button", { name: "Send Message" }).click();
    await expect(page.getByText(success)).toBeVisible();
    await expect(page).toHaveURL("/contact");
  });

  test("leaves a form that the browser sends by itself", async ({ page, announce }) => {
    announce("/assets/hydrate-");
    await page.route(SCRIPT, (route) => route.abort("failed"));
    await page.goto("/contact");
    await fillIn(page);
    await page.getByRole("button", { name: "Send Message" }).click();
    await expect(page).toHaveURL("/contact/sent");
    await expect(page.getByText(success)).toBeVisible();
  });

  test("leaves the menu and the questions as they are without scripts", async ({
    page,
    announce,
  }) => {
    announce("/assets/hydrate-");
    await page.setViewportSize({ width: NARROW, height: 800 });
    await page.route(SCRIPT, (route) => route.abort("failed"));
    await page.goto("/");
    await page.getByRole("button", { name: "Open menu" }).click();
    await page.getByRole("button", { name: "Close menu" }).click();
    await expect(page.locator(":popover-open")).toHaveCount(0);
    const entries = page.locator("#faq details");
    await entries.first().locator("summary").click();
    await entries.nth(1).locator("summary").click();
    await expect(page.locator("#faq details[open]")).toHaveCount(1);
  });
});

for (const width of [375, 1280]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    for (const path of paths) {
      test(`${path} downloads no React before it is needed`, async ({ page, visit }) => {
        const asked = scriptRequests(page);
        await visit(path);
        // Over words: whoever points at a form is about to use it.
        await page.mouse.move(width / 4, 400);
        await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
        await page.waitForLoadState("networkidle");
        expect(asked).toEqual([]);
      });
    }
  });
}

for (const path of ["/pricing", "/nowhere"]) {
  test(`${path} downloads no React for its links, only for its menu`, async ({ page, visit }) => {
    const asked = scriptRequests(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await visit(path);
    await page.locator("main").getByRole("link").first().focus();
    await navigationBar(page).getByRole("link", { name: "Pricing" }).focus();
    await page.keyboard.press("Tab");
    await page.getByRole("main").click({ position: { x: 5, y: 200 } });
    await page.waitForLoadState("networkidle");
    expect(asked).toEqual([]);

    await page.setViewportSize({ width: NARROW, height: 800 });
    await page.getByRole("button", { name: "Open menu" }).click();
    await hydrated(page, "NavBar");
    expect(asked).toHaveLength(1);
  });
}

test("a link to a question opens it", async ({ page }) => {
  await page.goto("/#plans");
  await expect(page.locator("#plans")).toHaveAttribute("open");
});
