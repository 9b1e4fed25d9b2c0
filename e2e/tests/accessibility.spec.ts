import axe from "axe-core";
import { faintFields, faintTexts, ringContrast } from "../contrast.ts";
import { expect, type Page, paths, test } from "../fixtures.ts";
import { reach, settled, states } from "../states.ts";

/** What axe can find other by night than by day. */
const OF_COLOUR = ["color-contrast", "link-in-text-block"];

for (const width of [375, 1280]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    for (const state of states.filter(({ upTo = width }) => width <= upTo)) {
      test(`${state.name}: by day and by night axe finds nothing wrong, and every text can be read`, async ({
        page,
        announce,
      }) => {
        if (state.fault) {
          announce(state.fault);
        }
        await reach(page, state);
        await page.evaluate(axe.source);
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          await settled(page);
          const rules = colorScheme === "light" ? undefined : OF_COLOUR;
          expect.soft(await violations(page, state.part, rules), `${colorScheme}: axe`).toEqual([]);
          const faint = await faintTexts(page, state.part);
          expect.soft(faint, `${colorScheme}: texts on their ground`).toEqual([]);
        }
      });
    }

    test("fields stand out from what is around them by 3:1, by day and by night", async ({
      page,
    }) => {
      await page.goto("/contact");
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await faintFields(page), colorScheme).toEqual([]);
      }
    });

    for (const path of paths) {
      test(`on ${path} the ring of the focus stands out from what is around it by 3:1, by day and by night`, async ({
        page,
        visit,
      }) => {
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          await visit(path);
          await page.keyboard.press("Tab");
          for (let stop = await focusStop(page); stop; stop = await focusStop(page)) {
            await expect
              .poll(() => ringContrast(page), `${colorScheme}: ${stop.element}`)
              .toBeGreaterThanOrEqual(3);
            await page.keyboard.press("Tab");
          }
        }
      });
    }

    for (const path of paths) {
      test(`on ${path} targets are big enough, the focus is always visible and never under the header, and the first key leads to the content`, async ({
        page,
        visit,
      }) => {
        await visit(path);
        await test.step("everything that can be clicked is big enough", async () => {
          const clickable = "a[href], button, summary, input, textarea";
          expect.soft(await smallTargets(page, clickable, 24)).toEqual([]);
          // The room is dense where a mouse points; for thumbs, room.spec.ts measures it.
          const primary =
            ":is(.button, button, summary, input, textarea, header a[href]):not(.room *)";
          expect.soft(await smallTargets(page, primary, 44)).toEqual([]);
        });
        for (const key of ["Tab", "Shift+Tab"]) {
          await test.step(`${key}: the focus is always visible and never under the header`, async () => {
            expect(await focusStops(page, key)).toBeGreaterThan(8);
          });
        }
        await test.step("the first key leads to the content", async () => {
          await page.keyboard.press("Tab");
          const skip = page.getByRole("link", { name: "Skip to content" });
          await expect(skip).toBeFocused();
          await expect(skip).toBeInViewport();
          await page.keyboard.press("Enter");
          await expect(page.getByRole("main")).toBeFocused();
        });
      });
    }
  });
}

/** What axe objects to or cannot decide; what is behind a text `faintTexts` decides. */
const violations = (page: Page, part = "html", rules?: string[]) =>
  page.evaluate(
    async ({ part, rules }) => {
      const { axe } = window as unknown as { axe: typeof import("axe-core") };
      const { violations, incomplete } = await axe.run(part, rules ? { runOnly: rules } : {});
      return [...violations, ...incomplete.filter(({ id }) => id !== "color-contrast")].flatMap(
        ({ help, nodes }) =>
          nodes.map(({ html, failureSummary }) => ({ help, html, failureSummary })),
      );
    },
    { part, rules },
  );

/** Presses a key until the focus has left the page; expects it to be seen wherever it stops. */
async function focusStops(page: Page, key: string): Promise<number> {
  const seen = { outlined: true, inView: true };
  for (let stops = 0; ; stops++) {
    await page.keyboard.press(key);
    const stop = await focusStop(page);
    if (!stop) {
      return stops;
    }
    if (!(stop.outlined && stop.inView)) {
      // The page may still be scrolling there.
      await expect.poll(() => focusStop(page), stop.element).toMatchObject(seen);
    }
  }
}

/** Where the keyboard stands, and whether a visitor can see it; nothing once it has left the page. */
const focusStop = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) {
      return undefined;
    }
    const { left, top, right, bottom } = element.getBoundingClientRect();
    // A row of a table takes the ring of the control that covers it.
    const rings = [element, element.closest("tr") ?? element].map((each) => getComputedStyle(each));
    // Inside the steps of its corners.
    const edge = 5;
    const corners = [
      [left + edge, top + edge],
      [right - edge, top + edge],
      [left + edge, bottom - edge],
      [right - edge, bottom - edge],
      [(left + right) / 2, (top + bottom) / 2],
    ] as const;
    return {
      element: element.outerHTML.slice(0, 120),
      outlined: rings.some(
        ({ outlineStyle, outlineWidth }) =>
          outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2,
      ),
      inView: corners.some(([x, y]) => element.contains(document.elementFromPoint(x, y))),
    };
  });

/** The clickable elements in view that are lower or narrower than this many pixels. */
const smallTargets = (page: Page, selector: string, least: number) =>
  page.locator(selector).evaluateAll(
    (targets, least) =>
      targets
        .filter((target) => target.checkVisibility() && !target.closest(".contact-form-trap"))
        .map((target) => ({ target, box: target.getBoundingClientRect() }))
        .filter(({ box }) => box.width < least || box.height < least)
        .map(
          ({ target, box }) => `${box.width} × ${box.height}: ${target.outerHTML.slice(0, 120)}`,
        ),
    least,
  );
