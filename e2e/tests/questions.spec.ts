import { expect, type Page, quiet, test, whollyInView } from "../fixtures.ts";
import { settled } from "../states.ts";

const question = (page: Page, id: string) => page.locator(`#faq details#${id}`);
const open = (page: Page) => page.locator("#faq details[open]");

/** Goes to another question of the page by the address, as back and forward do. */
const goTo = (page: Page, id: string) =>
  page.evaluate((hash) => {
    location.hash = hash;
  }, id);

for (const [width, place] of [
  [375, "below"],
  [1280, "beside"],
] as const) {
  test(`${width} px: what an answer comes to is seen ${place} its closed question`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/");
    const summary = question(page, "reliability").locator("summary");
    await summary.scrollIntoViewIfNeeded();
    const gist = summary.getByText("99.9% uptime");
    await expect.poll(() => whollyInView(gist)).toBe(true);
    const [asked, told] = [await summary.locator("h3").boundingBox(), await gist.boundingBox()];
    const end = (asked?.y ?? 0) + (asked?.height ?? 0);
    expect((told?.y ?? 0) >= end ? "below" : "beside").toBe(place);
  });
}

test("the question in the address is open and in view", async ({ page }) => {
  await page.goto("/#plans");
  await expect(question(page, "plans")).toHaveAttribute("open");
  await expect.poll(() => whollyInView(question(page, "plans").locator("h3"))).toBe(true);
});

test("an address that changes to another question opens that one alone", async ({ page }) => {
  await page.goto("/#what-it-is");
  await goTo(page, "plans");
  await expect(question(page, "plans")).toHaveAttribute("open");
  await expect(open(page)).toHaveCount(1);
  await expect.poll(() => whollyInView(question(page, "plans").locator("h3"))).toBe(true);
  await page.goBack();
  await expect(question(page, "what-it-is")).toHaveAttribute("open");
  await expect(open(page)).toHaveCount(1);
});

test("what the visitor opens stays open, whatever the address names", async ({ page }) => {
  await page.goto("/#plans");
  await question(page, "support").locator("summary").click();
  await page.keyboard.press("Tab");
  await quiet(page);
  await expect(question(page, "support")).toHaveAttribute("open");
  await expect(open(page)).toHaveCount(1);
  await question(page, "support").locator("summary").click();
  await expect(open(page)).toHaveCount(0);
});

test("a pressed question stays under the finger while the one above it closes", async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 667 });
  await page.goto("/");
  await question(page, "what-it-is").locator("summary").click();
  // An answer that is still opening would move what is measured.
  await settled(page);
  const pressed = question(page, "support").locator("summary");
  await pressed.evaluate((summary) =>
    summary.scrollIntoView({ block: "center", behavior: "instant" }),
  );
  const place = async () => (await pressed.boundingBox())?.y ?? Number.NaN;
  const before = await place();
  await pressed.click();
  await expect(question(page, "support")).toHaveAttribute("open");
  await expect(open(page)).toHaveCount(1);
  await settled(page);
  await expect.poll(async () => Math.abs((await place()) - before)).toBeLessThan(2);
});

test("whoever scrolls while a question opens gets where they want to", async ({ page }) => {
  await page.goto("/#plans");
  await question(page, "support").locator("summary").click();
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  await page.waitForTimeout(400);
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test("an address that names nothing, or something else, opens nothing", async ({ page }) => {
  for (const hash of ["nothing", "features", "%"]) {
    await page.goto(`/#${hash}`);
    await expect(open(page)).toHaveCount(0);
  }
});

test("a browser that doesn't know groups of questions keeps one open at a time, too", async ({
  page,
}) => {
  await page.addInitScript(() => {
    // @ts-expect-error: every browser that TypeScript knows has it
    delete HTMLDetailsElement.prototype.name;
  });
  await page.route("/", async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(' name="faq"', "");
    await route.fulfill({ response, body });
  });
  await page.goto("/");
  for (const id of ["what-it-is", "plans", "support"]) {
    await question(page, id).locator("summary").click();
    await expect(question(page, id)).toHaveAttribute("open");
    await expect(open(page)).toHaveCount(1);
  }
  await question(page, "support").locator("summary").click();
  await expect(open(page)).toHaveCount(0);
});
