import { launchOptions } from "../../assets/browser.ts";
import {
  expect,
  expectFields,
  fillIn,
  message,
  NARROW,
  PATIENCE_MS,
  type Page,
  posts,
  SCRIPTS,
  sendButton,
  test,
} from "../fixtures.ts";

// Visitors have the back-forward cache. The headless shell lacks it, and Playwright switches it off.
test.use({
  launchOptions: {
    ...launchOptions({ whole: true }),
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
  },
});

/** Leaves the page for another and comes back to it as it was left. */
async function leaveAndReturn(page: Page) {
  await page.evaluate(() =>
    addEventListener("pageshow", ({ persisted }) => {
      document.documentElement.dataset.persisted = String(persisted);
    }),
  );
  await page.goto("/pricing");
  await page.goBack({ waitUntil: "commit" });
  await expect(page.locator("html")).toHaveAttribute("data-persisted", "true");
}

test("a page that was left with its menu open comes back with it closed", async ({ page }) => {
  await page.setViewportSize({ width: NARROW, height: 800 });
  await page.goto("/");
  await page.getByRole("button", { name: "Open menu" }).click();
  await leaveAndReturn(page);
  await expect(page.locator(":popover-open")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Open menu" })).toBeVisible();
});

test("a submit that waited for its script when the visitor left isn't sent behind their back", async ({
  page,
}) => {
  const posted = posts(page);
  await page.clock.install();
  await page.route(SCRIPTS, () => {});
  await page.goto("/contact");
  await fillIn(page);
  await sendButton(page).click();
  await leaveAndReturn(page);
  await page.clock.runFor(PATIENCE_MS);
  expect(posted).toEqual([]);
  await expectFields(page, message);

  await sendButton(page).click();
  await page.clock.runFor(PATIENCE_MS);
  await expect(page).toHaveURL("/contact/sent");
  expect(posted).toHaveLength(1);
});
