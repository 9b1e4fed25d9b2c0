import { readFileSync } from "node:fs";
import { expect, test } from "../fixtures.ts";

const file = readFileSync(new URL("../../bench/budgets.toml", import.meta.url), "utf8");
const [, phone = ""] = file.split("[phone]");
const budget = (name: string) =>
  Number(new RegExp(`^${name} = { budget = (\\d+),`, "m").exec(phone)?.[1]);

test.use({ viewport: { width: 375, height: 812 }, deviceScaleFactor: 2 });

test("the home page on a phone, everything, stays within its budget", async ({ page }) => {
  await page.goto("/", { waitUntil: "networkidle" });
  const requests = await page.requests();
  const sizes = await Promise.all(requests.map((request) => request.sizes()));
  const bytes = sizes.reduce(
    (sum, { responseHeadersSize, responseBodySize }) =>
      sum + responseHeadersSize + responseBodySize,
    0,
  );
  console.info(`home page on a phone: ${bytes} bytes in ${requests.length} requests`);
  expect(bytes).toBeLessThanOrEqual(budget("bytes"));
  expect(requests.length).toBeLessThanOrEqual(budget("requests"));
});

test("the pieces of the room that the points show are fetched when they come near, and seen", async ({
  page,
}) => {
  const pictures = async () =>
    (await page.requests()).filter((request) => request.url().includes("console-points"));
  await page.goto("/", { waitUntil: "networkidle" });
  expect(await pictures()).toEqual([]);

  const answer = page.waitForResponse((response) => response.url().includes("console-points"));
  // As extensions do, and tools that check a page: none of it may keep the picture away.
  await page.evaluate(() => {
    for (const element of document.querySelectorAll("*")) {
      getComputedStyle(element, "::before").content;
    }
  });
  await page.locator(".points").scrollIntoViewIfNeeded();
  expect((await answer).ok()).toBe(true);
  for (const piece of await page.locator(".piece").all()) {
    await piece.scrollIntoViewIfNeeded();
    await expect(piece).toBeInViewport({ ratio: 0.99 });
  }
  // One picture for all five.
  expect(await pictures()).toHaveLength(1);
});
