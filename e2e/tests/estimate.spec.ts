import {
  expect,
  hold,
  hydrated,
  type Page,
  SCRIPTS,
  test,
  whollyInView,
  widths,
} from "../fixtures.ts";

const estimate = (page: Page) => page.locator(".estimate");
const figure = (page: Page, name: string) => estimate(page).getByRole("spinbutton", { name });
const slider = (page: Page, name: string) => estimate(page).getByRole("slider", { name });
const result = (page: Page) => estimate(page).locator("output");
const marked = (page: Page) => page.locator(".plan[data-fits]");

test("what is typed is told in gigabytes, with the plan that carries it, in its card and in the address", async ({
  page,
}) => {
  await page.goto("/pricing");
  await expect(result(page)).toContainText("121 GB a month");
  await figure(page, "Players").fill("5");
  await expect(result(page)).toContainText("30.3 GB a month");
  await expect(result(page)).toContainText("Starter fits: 50% of 60GB.");
  await expect(marked(page).getByRole("heading")).toHaveText("Starter");
  await expect(slider(page, "Players")).toHaveValue("5");
  await expect(page).toHaveURL("/pricing?players=5&rate=7&hours=8#estimate");
  await page.reload();
  await expect(result(page)).toContainText("30.3 GB a month");
  await expect(figure(page, "Players")).toHaveValue("5");
});

test("the rate that was given has a row of its own in the table of hours", async ({ page }) => {
  await page.goto("/pricing");
  const yours = estimate(page).getByRole("row", { name: "yours" });
  await figure(page, "Players").fill("40");
  await expect(estimate(page).locator(".estimate-sum")).toHaveText(/9,600\splayer-hours/);
  await expect(yours).toHaveText("7 yours2,3809,920119,047");
  for (const { width } of widths) {
    await page.setViewportSize({ width, height: 800 });
    for (const [rate, text] of [
      ["9999.99", "9999.99 yours1683"],
      ["0.1", "0.1 yours166,666694,4448.33M"],
    ] as const) {
      await figure(page, "kB/s").fill(rate);
      await expect(yours).toHaveText(text);
      const { clientWidth, scrollWidth } = await estimate(page)
        .locator(".estimate-table")
        .evaluate(({ clientWidth, scrollWidth }) => ({ clientWidth, scrollWidth }));
      expect(scrollWidth, `${rate} at ${width} px`).toBe(clientWidth);
    }
  }
});

test("beyond the largest plan people are asked to talk", async ({ page }) => {
  await page.goto("/pricing");
  await figure(page, "Players").fill("20000");
  await expect(result(page)).toContainText("120,960 GB a month");
  await expect(result(page)).toContainText("More than the 3TB of the largest plan.");
  await expect(marked(page)).toHaveCount(0);
  await estimate(page).getByRole("link", { name: "Talk to us" }).click();
  await expect(page).toHaveURL("/contact");
});

test("the plan that fits is a click away", async ({ page }) => {
  await page.goto("/pricing");
  await figure(page, "Players").fill("5");
  await estimate(page).getByRole("link", { name: "See Starter" }).click();
  await expect.poll(() => whollyInView(marked(page).getByRole("heading"))).toBe(true);
});

test("what is no figure stays, says so once it is left, and changes nothing", async ({ page }) => {
  await page.goto("/pricing?players=many&rate=-3&hours=25");
  await hydrated(page, "Estimate");
  await expect(result(page)).toContainText("121 GB a month");
  const form = estimate(page).locator("form");
  await form.scrollIntoViewIfNeeded();
  const { height } = (await form.boundingBox()) ?? {};
  await figure(page, "Hours").fill("25");
  await figure(page, "kB/s").fill("");
  await expect(result(page)).toContainText("121 GB a month");
  const words = estimate(page).getByRole("alert");
  await expect(words).toHaveText("Enter a number from 0 to 24.");
  await expect(words).toBeInViewport({ ratio: 1 });
  expect((await form.boundingBox())?.height).toBe(height);
  await expect(figure(page, "Hours")).toHaveValue("25");
  await expect(figure(page, "Hours")).toHaveAccessibleDescription("Enter a number from 0 to 24.");
  await expect(figure(page, "Hours")).toHaveAttribute("aria-invalid", "true");
  await figure(page, "kB/s").blur();
  await expect(words).toHaveText([
    "Enter a number from 0 to 10,000.",
    "Enter a number from 0 to 24.",
  ]);
  // A figure, typed or dragged, takes the words away.
  await figure(page, "kB/s").fill("9");
  await slider(page, "Hours").press("Home");
  await expect(words).toHaveCount(0);
  await expect(figure(page, "Hours")).toHaveValue("0");
  await expect(figure(page, "Hours")).not.toHaveAttribute("aria-invalid");
  await expect(result(page)).toContainText("0 GB a month");
  // So does one that takes the place of nothing.
  await slider(page, "Hours").press("ArrowRight");
  await figure(page, "Hours").fill("");
  await slider(page, "Hours").press("Home");
  await expect(figure(page, "Hours")).toHaveValue("0");
});

for (const { width } of widths) {
  test(`at ${width} px every field has its words below it, and neither reaches out of the form`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/pricing");
    const form = estimate(page).locator("form");
    await form.scrollIntoViewIfNeeded();
    const before = await form.boundingBox();
    for (const name of ["Players", "kB/s", "Hours"]) await figure(page, name).fill("-1");
    await figure(page, "Hours").blur();
    await expect(estimate(page).getByRole("alert")).toHaveCount(3);
    expect(await form.boundingBox()).toEqual(before);
    for (const row of await form.locator(".estimate-figures > div").all()) {
      const [field, words] = [row.getByRole("spinbutton"), row.getByRole("alert")];
      const [box, said] = [await field.boundingBox(), await words.boundingBox()];
      const end = (before?.x ?? 0) + (before?.width ?? 0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(end);
      expect(said?.y).toBeGreaterThanOrEqual((box?.y ?? 0) + (box?.height ?? 0) - 12);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
}

test("what was no figure before the script was there is told of, too", async ({ page }) => {
  const release = await hold(page, SCRIPTS);
  await page.goto("/pricing");
  await figure(page, "Players").fill("-1");
  await figure(page, "Hours").focus();
  release();
  await expect(figure(page, "Players")).toHaveAccessibleDescription(/from 0 to\s1,000,000/);
  await expect(figure(page, "Players")).toHaveValue("-1");
  await expect(result(page)).toContainText("121 GB a month");
});

test("a figure that was emptied before the script was there is still being typed", async ({
  page,
}) => {
  const release = await hold(page, SCRIPTS);
  await page.goto("/pricing");
  await figure(page, "Players").fill("");
  release();
  await hydrated(page, "Estimate");
  await figure(page, "Players").pressSequentially("50");
  await expect(result(page)).toContainText("303 GB a month");
});

test("however fast a slider is dragged, the address follows within what browsers allow", async ({
  page,
}) => {
  await page.addInitScript(() => {
    const { replaceState } = history;
    history.replaceState = function counted(...state) {
      document.documentElement.dataset.changes = String(
        Number(document.documentElement.dataset.changes ?? 0) + 1,
      );
      replaceState.apply(this, state);
    };
  });
  await page.goto("/pricing");
  await slider(page, "Players").hover();
  await slider(page, "Players").press("Home");
  await hydrated(page, "Estimate");
  await slider(page, "Players").evaluate(async (input: HTMLInputElement) => {
    for (let players = 0; players <= 300; players++) {
      input.value = String(players);
      input.dispatchEvent(new InputEvent("input", { bubbles: true }));
      if (players % 10 === 0) await new Promise((next) => setTimeout(next, 20));
    }
  });
  await expect(page).toHaveURL("/pricing?players=300&rate=7&hours=8#estimate");
  expect(Number(await page.locator("html").getAttribute("data-changes"))).toBeLessThan(10);
});

test("the first drag counts, before the script is there", async ({ page }) => {
  const release = await hold(page, SCRIPTS);
  await page.goto("/pricing");
  await slider(page, "Hours").press("Home");
  release();
  await expect(result(page)).toContainText("0 GB a month");
  await expect(figure(page, "Hours")).toHaveValue("0");
});

test("what was typed before the script was there counts more than the address", async ({
  page,
}) => {
  const release = await hold(page, SCRIPTS);
  await page.goto("/pricing?players=5&rate=7&hours=8");
  await figure(page, "Players").fill("50");
  release();
  await expect(result(page)).toContainText("303 GB a month");
  await expect(figure(page, "Players")).toHaveValue("50");
  await expect(page).toHaveURL("/pricing?players=50&rate=7&hours=8#estimate");
});

test("what was typed stays while its script is lost", async ({ page, announce }) => {
  announce("net::ERR_FAILED /assets/");
  announce("Failed to fetch dynamically imported module");
  await page.route(SCRIPTS, (route) => route.abort("failed"));
  await page.goto("/pricing");
  const lost = page.context().waitForEvent("weberror");
  await figure(page, "Players").fill("5");
  await lost;
  await expect(figure(page, "Players")).toHaveValue("5");
  await page.unroute(SCRIPTS);
  await figure(page, "Players").press("End");
  await expect(result(page)).toContainText("30.3 GB a month");
});

test("back leads to the figures of the address", async ({ page }) => {
  await page.goto("/pricing");
  await figure(page, "Players").fill("5");
  await estimate(page).getByRole("link", { name: "See Starter" }).click();
  await figure(page, "Players").fill("50");
  await expect(page).toHaveURL("/pricing?players=50&rate=7&hours=8#estimate");
  await page.goBack();
  await expect(page).toHaveURL("/pricing?players=5&rate=7&hours=8#estimate");
  await expect(figure(page, "Players")).toHaveValue("5");
  await expect(result(page)).toContainText("30.3 GB a month");
});

test("the room's traffic is carried over", async ({ page }) => {
  await page.goto("/");
  await page.locator(".room-sum a").click();
  await expect(page).toHaveURL("/pricing?players=6&rate=5.9#estimate");
  await expect(figure(page, "Players")).toHaveValue("6");
  await expect(figure(page, "kB/s")).toHaveValue("5.9");
  await expect(result(page)).toContainText("30.6 GB a month");
});

test.describe("scripts off", () => {
  test.use({ javaScriptEnabled: false });

  test("a table says how many hours each plan carries, and what can't work isn't there", async ({
    page,
  }) => {
    await page.goto("/pricing");
    await expect(figure(page, "Players")).toBeHidden();
    const rows = estimate(page).getByRole("row");
    await expect(rows).toHaveCount(5);
    await expect(rows.nth(1)).toContainText("34,722");
    for (const { width } of widths) {
      await page.setViewportSize({ width, height: 800 });
      await rows.last().scrollIntoViewIfNeeded();
      await expect(rows.last(), `at ${width} px`).toBeInViewport({ ratio: 1 });
    }
  });
});
