import axe from "axe-core";
import { AAA, faintTexts } from "../contrast.ts";
import {
  expect,
  fillIn,
  hold,
  hydrated,
  openNavigation,
  type Page,
  paths,
  sendButton,
  test,
} from "../fixtures.ts";
import { settled, states } from "../states.ts";

/** Texts below 7:1, large ones below 4.5:1, as far as axe can tell what is behind them. */
const faint = (page: Page) =>
  page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") };
    const { violations } = await axe.run({ runOnly: ["color-contrast-enhanced"] });
    return violations.flatMap(({ nodes }) => nodes.map(({ failureSummary }) => failureSummary));
  });

for (const width of [375, 1280]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    for (const path of paths) {
      test(`${path}: whoever wants more contrast gets 7:1, by day and by night`, async ({
        page,
        visit,
      }) => {
        await page.emulateMedia({ contrast: "more" });
        await visit(path);
        await page.evaluate(axe.source);
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          await settled(page);
          expect.soft(await faint(page), `${colorScheme}: axe`).toEqual([]);
          const onGround = await faintTexts(page, "body", AAA);
          expect.soft(onGround, `${colorScheme}: texts on their ground`).toEqual([]);
        }
      });
    }
  });
}

test("whoever wants more contrast can read, too, that a message is being sent", async ({
  page,
}) => {
  await page.emulateMedia({ contrast: "more" });
  await page.goto("/contact");
  await states.find(({ name }) => name === "contact-sending")?.reach?.(page);
  await expect(page.getByRole("button", { name: "Sending..." })).toBeDisabled();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await faintTexts(page, ".contact-form", AAA), colorScheme).toEqual([]);
  }
});

test("the browser's bar has the colour of the sky, by day and by night", async ({ page }) => {
  await page.goto("/");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const [bar, sky] = await page.evaluate((scheme) => {
      const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
      const shown = (color = "") => {
        canvas?.reset();
        if (canvas) canvas.fillStyle = color;
        canvas?.fillRect(0, 0, 1, 1);
        return canvas?.getImageData(0, 0, 1, 1).data.join();
      };
      const meta = `meta[name="theme-color"][media*="${scheme}"]`;
      const { content } = document.querySelector(meta) as HTMLMetaElement;
      const style = getComputedStyle(document.documentElement);
      return [shown(content), shown(style.getPropertyValue("--sky-far"))];
    }, colorScheme);
    expect(bar, colorScheme).toBe(sky);
  }
});

/** The parts of a page whose style moves them, now or when it changes. */
const moving = (page: Page) =>
  page.evaluate(() => {
    const calm = ["opacity", "color", "background-color", "border-color", "overlay", "display"];
    return [...document.querySelectorAll("*")].flatMap((element) =>
      [undefined, "::before", "::after", "::backdrop", "::details-content"].flatMap((part) => {
        const style = getComputedStyle(element, part);
        const lasts = style.transitionDuration.split(", ").map(Number.parseFloat);
        const moves = style.transitionProperty
          .split(", ")
          .filter((property, at) => lasts[at % lasts.length] && !calm.includes(property));
        const what = [...moves, style.animationName].filter((name) => name !== "none");
        return what.map((each) => `${element.className || element.tagName}${part ?? ""}: ${each}`);
      }),
    );
  });

for (const path of paths) {
  test(`${path}: whoever wants less motion finds no part of the page that moves, nor in an open menu`, async ({
    page,
    visit,
  }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await visit(path);
    expect(await moving(page)).toEqual([]);
    await page.setViewportSize({ width: 375, height: 800 });
    await openNavigation(page, { width: 375 });
    await expect(page.locator(":popover-open")).toBeVisible();
    expect(await moving(page), "on a phone").toEqual([]);
  });
}

for (const [reducedMotion, milliseconds] of [
  ["no-preference", 500],
  ["reduce", 1000],
] as const) {
  test(`motion ${reducedMotion}: the figures of a running room change every ${milliseconds} ms`, async ({
    page,
  }) => {
    await page.clock.install();
    await page.emulateMedia({ reducedMotion });
    await page.goto("/");
    const room = page.locator(".room");
    await room.locator(".room-head").click();
    await hydrated(page, "Room");
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
    await room.getByRole("checkbox", { name: "Run" }).click();
    await expect(room.getByRole("checkbox", { name: "Pause" })).toBeVisible();
    await page.clock.runFor(milliseconds - 1);
    await expect(room).toContainText("tick 184,212");
    await page.clock.runFor(1);
    await expect(room).not.toContainText("tick 184,212");
  });
}

test("in forced colours clouds are gone, and what marks a list or a choice is there", async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 800 });
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/");
  await expect(page.locator(".clouds")).toBeHidden();
  for (const sky of await page.locator(".cloudscape, .clouds-below").all()) {
    await expect(sky).toBeHidden();
  }
  const ground = (selector: string, part?: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element, part) => getComputedStyle(element, part).backgroundColor, part);
  const paper = await ground("html");
  expect(await ground(".points li", "::after")).not.toBe(paper);
  await expect(page.locator(".thousand")).not.toHaveCSS("background-image", "none");
  const question = page.locator("#faq summary").first();
  await question.click();
  const [chevron, words] = await question.evaluate((summary) =>
    [getComputedStyle(summary, "::after"), getComputedStyle(document.body)].map(
      ({ color, backgroundImage }) => [color, backgroundImage !== "none"],
    ),
  );
  expect(chevron).toEqual([words?.[0], true]);
  expect(await ground(".nav-bar-icon")).not.toBe(paper);
  // The system draws the slider, with its rail.
  await expect(page.locator(".room [type=range]")).not.toHaveCSS("appearance", "none");
  await page.goto("/pricing");
  await page.setViewportSize({ width: 1280, height: 800 });
  // A line is drawn in the system's colour; a ground would be painted over.
  const line = await page
    .locator(".nav-bar-menu [aria-current]")
    .evaluate((link) => getComputedStyle(link, "::after").borderBottomStyle);
  expect(line, "the current page's mark").toBe("solid");
  expect(await ground(".plan-features li", "::before")).not.toBe(paper);
  await expect(page.locator(".plan").first()).toHaveCSS("border-top-width", "1px");
  // How much of a plan it is: two colours of the system.
  const bar = page.locator(".estimate-result .estimate-filled");
  const system = (colour: string) =>
    page.evaluate((colour) => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.color = colour;
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    }, colour);
  await expect(bar).toHaveCSS("stroke", await system("Highlight"));
  await expect(page.locator(".estimate-result .estimate-bar")).toHaveCSS(
    "stroke",
    await system("GrayText"),
  );
  await expect(page.locator(".estimate-fits line")).toHaveCSS("stroke", await system("Highlight"));
  // One side of what turns has no colour.
  await page.goto("/contact");
  await fillIn(page);
  const release = await hold(page, "/contact");
  await sendButton(page).click();
  await expect(page.locator(".spinner")).toHaveCSS("border-inline-end-color", "rgba(0, 0, 0, 0)");
  await expect(page.locator(".spinner")).toHaveCSS("color", await system("GrayText"));
  release();
});
