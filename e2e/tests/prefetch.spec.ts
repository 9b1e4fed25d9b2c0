import { expect, navigationBar, test } from "../fixtures.ts";

test("the browser is given speculation rules that it understands", async ({ page, visit }) => {
  const rules = page.waitForResponse("**/speculation-rules.json");
  await visit("/");
  expect((await rules).headers()["content-type"]).toBe("application/speculationrules+json");
});

test("a page is fetched ahead on intent where the browser has no speculation rules", async ({
  page,
  visit,
}) => {
  await page.addInitScript(() => {
    HTMLScriptElement.supports = () => false;
  });
  await visit("/");
  const ahead = page.waitForRequest((request) => new URL(request.url()).pathname === "/pricing");
  await navigationBar(page).getByRole("link", { name: "Pricing" }).hover();
  expect((await ahead).headers()["sec-purpose"] ?? (await ahead).headers().purpose).toContain(
    "prefetch",
  );
});
