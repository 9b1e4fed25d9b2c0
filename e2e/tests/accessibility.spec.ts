import axe from "axe-core";
import { expect, type Page, paths, test } from "../fixtures.ts";
import { reach, states } from "../states.ts";

for (const width of [375, 1280]) {
  for (const colorScheme of ["light", "dark"] as const) {
    test.describe(`${width} px, ${colorScheme}`, () => {
      test.use({ viewport: { width, height: 800 }, colorScheme });

      for (const state of states.filter(({ upTo = width }) => width <= upTo)) {
        test(`axe finds nothing wrong with ${state.name}`, async ({ page, announce }) => {
          if (state.fault) {
            announce(state.fault);
          }
          await reach(page, state);
          expect(await violations(page)).toEqual([]);
        });
      }

      test("fields stand out from what is around them by 3:1", async ({ page }) => {
        await page.goto("/contact");
        expect(await faintFields(page)).toEqual([]);
      });
    });
  }

  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    for (const path of paths) {
      test(`on ${path} the focus is always visible and never under the header`, async ({
        page,
        visit,
      }) => {
        await visit(path);
        for (const key of ["Tab", "Shift+Tab"]) {
          let stops = 0;
          for (;;) {
            await page.keyboard.press(key);
            const stop = await focusStop(page);
            if (!stop) {
              break;
            }
            stops++;
            expect(stop, stop.element).toMatchObject({ outlined: true, inView: true });
          }
          expect(stops).toBeGreaterThan(8);
        }
      });

      test(`on ${path} everything that can be clicked is big enough`, async ({ page, visit }) => {
        await visit(path);
        expect(await smallTargets(page, "a[href], button, summary, input, textarea", 24)).toEqual(
          [],
        );
        const primary = ".button, button, summary, input, textarea, header a[href]";
        expect(await smallTargets(page, primary, 44)).toEqual([]);
      });

      test(`on ${path} the first key leads to the content`, async ({ page, visit }) => {
        await visit(path);
        await page.keyboard.press("Tab");
        await expect(page.getByRole("link", { name: "Skip to content" })).toBeInViewport();
        await page.keyboard.press("Enter");
        await expect(page.getByRole("main")).toBeFocused();
      });
    }
  });
}

/** What axe objects to, in a form that a failed test can print. */
async function violations(page: Page) {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") };
    const results = await axe.run();
    return [...results.violations, ...results.incomplete].flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, any }) => ({ id, help, html, why: any.map((check) => check.message) })),
    );
  });
}

/** Where the keyboard stands, and whether a visitor can see it; nothing once it has left the page. */
const focusStop = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) {
      return undefined;
    }
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const corners = [
      [left + 2, top + 2],
      [right - 2, top + 2],
      [left + 2, bottom - 2],
      [right - 2, bottom - 2],
      [(left + right) / 2, (top + bottom) / 2],
    ] as const;
    return {
      element: element.outerHTML.slice(0, 120),
      outlined: outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2,
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

/** The fields whose border is hard to tell from the ground on either side of it (WCAG 2.2, 1.4.11). */
const faintFields = (page: Page) =>
  page.locator(".field :is(input, textarea)").evaluateAll((fields) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const luminance = (color: string) => {
      if (!canvas) {
        throw new Error("The browser draws no canvas");
      }
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data]
        .map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const contrast = (one: string, other: string) => {
      const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
      return (light + 0.05) / (dark + 0.05);
    };
    return fields
      .map((field) => {
        const card = field.closest(".contact-card");
        const edge = getComputedStyle(field).borderTopColor;
        const ground = card ? getComputedStyle(card).backgroundColor : "";
        return { name: field.id, edge, ground, contrast: contrast(edge, ground) };
      })
      .filter(({ contrast }) => contrast < 3);
  });
