import { fileURLToPath } from "node:url";
import { expect, test } from "./fixtures.ts";
import { otherQuestions, reach, settled, states } from "./states.ts";

const folder = fileURLToPath(new URL("screenshots", import.meta.url));

for (const width of [1440, 1024, 768, 375, 320]) {
  for (const colorScheme of ["light", "dark"] as const) {
    test.describe(`${width} px, ${colorScheme}`, () => {
      test.use({ viewport: { width, height: 900 }, colorScheme });

      for (const state of [...states, ...otherQuestions].filter(
        ({ upTo = width }) => width <= upTo,
      )) {
        test(state.name, async ({ page, announce }) => {
          if (state.fault) {
            announce(state.fault);
          }
          // A first visit may keep the stand-in for the display face; every later one has it.
          await page.goto("/");
          await reach(page, state);
          // From the top and nothing pinned, or both would stand in the middle of the picture.
          await page.mouse.move(0, 0);
          await page.evaluate(() => {
            document.querySelector("[data-pinned]")?.removeAttribute("data-pinned");
            scrollTo({ top: 0, behavior: "instant" });
          });
          await expect(page.locator("html")).toHaveAttribute("data-scrolled", "false");
          await settled(page);
          // Pieces far below the window are drawn only when they come near.
          const height = await page.evaluate(() => document.documentElement.scrollHeight);
          await page.setViewportSize({ width, height });
          await page.waitForLoadState("networkidle");
          const path = `${folder}/${state.name}-${width}-${colorScheme}.png`;
          await page.screenshot({ path });
        });
      }
    });
  }
}
