import {
  expect,
  extremes,
  NARROW,
  onScreens,
  type Page,
  quiet,
  screens,
  test,
  widths,
} from "../fixtures.ts";
import { settled } from "../states.ts";

type Box = { x: number; y: number; width: number; height: number };

const overlap = (a: Box, b: Box) =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));

onScreens(widths, () => {
  test("the sections stand in order: navigation, hero, features, mission, questions, closing call, footer; and the hero has three overlapping product screenshots", async ({
    page,
  }) => {
    await page.goto("/");
    const main = page.getByRole("main");
    const sections = [
      page.getByRole("navigation", { name: "Main" }),
      main.getByRole("heading", { level: 1, name: "Game Server Hosting Made Easy" }),
      main.getByRole("heading", { name: "Lightning Fast" }),
      main.getByText(
        "Empower game developers with reliable, scalable, and easy-to-manage server infrastructure.",
      ),
      main.getByText("What is Tickfleet?"),
      main.getByRole("heading", { name: "Ready to Host Your Game?" }),
      page.getByRole("contentinfo"),
    ];
    let above = -1;
    for (const section of sections) {
      await expect(section).toBeVisible();
      const top = (await section.boundingBox())?.y ?? Number.NaN;
      expect(top).toBeGreaterThan(above);
      above = top;
    }
    await test.step("three overlapping product screenshots", async () => {
      const images = page.locator(".hero .view img");
      await expect(images).toHaveCount(3);
      for (const image of await images.all()) {
        await expect(image).toHaveAttribute("alt", /.{20}/);
        await expect
          .poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth))
          .toBeGreaterThan(0);
      }
      const boxes = await page
        .locator(".hero .view")
        .evaluateAll((views) => views.map((view) => view.getBoundingClientRect().toJSON() as Box));
      const [front, left, right] = boxes as [Box, Box, Box];
      for (const behind of [left, right]) {
        const covered = overlap(front, behind) / (behind.width * behind.height);
        expect(covered).toBeGreaterThan(0);
        expect(covered).toBeLessThan(0.8);
      }
    });
  });
});

onScreens(extremes, () => {
  test("Get Started leads to the root of the application", async ({ page, announce }) => {
    await page.goto("/");
    const hero = page.locator(".hero");
    const application = "https://app.tickfleet.example/";
    announce(`asked another host: ${application}`);
    await page.route(application, (route) => route.fulfill({ body: "the application" }));
    await hero.getByRole("link", { name: "Get Started" }).click();
    await expect(page).toHaveURL(application);
  });

  test("questions: one open at a time, a click on the open one closes it, and the keyboard does the same", async ({
    page,
  }) => {
    await page.goto("/");
    const entries = page.locator("#faq details");
    const open = page.locator("#faq details[open]");
    await expect(entries).toHaveCount(5);
    await expect(open).toHaveCount(0);
    for (const entry of await entries.all()) {
      await entry.locator("summary").click();
      await expect(open).toHaveCount(1);
      await expect(entry.locator("p").last()).toBeVisible();
    }
    await open.locator("summary").click();
    await expect(open).toHaveCount(0);

    await test.step("by the keyboard", async () => {
      await entries.first().locator("summary").focus();
      await page.keyboard.press("Enter");
      await expect(entries.first()).toHaveAttribute("open");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Space");
      await expect(entries.nth(1)).toHaveAttribute("open");
      await expect(entries.first()).not.toHaveAttribute("open");
      await page.keyboard.press("Space");
      await expect(entries.nth(1)).not.toHaveAttribute("open");
    });
  });
});

const clouds = (page: Page) => page.locator(".hero .cloud");

/** From now on time passes for the page's scripts only when the test says so. */
async function stopClock(page: Page) {
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
}

/** How many clouds show at least a tenth of themselves between the sides of the window. */
const cloudsInView = (page: Page) =>
  clouds(page).evaluateAll(
    (all) =>
      all.filter((cloud) => {
        const { left, right, width } = cloud.getBoundingClientRect();
        return Math.min(right, innerWidth) - Math.max(left, 0) > width / 10;
      }).length,
  );

onScreens(
  screens.filter(({ width }) => width <= NARROW),
  ({ scripts }) => {
    test("on small screens clouds move into view 500 ms after load", async ({ page }) => {
      if (scripts) {
        await stopClock(page);
        await page.goto("/");
        await page.clock.runFor(499);
        await expect(clouds(page)).toHaveCount(2);
        expect(await cloudsInView(page)).toBe(0);
        await page.clock.runFor(1);
      } else {
        await page.goto("/");
        const begins = await clouds(page).evaluateAll((all) =>
          all.flatMap((cloud) =>
            cloud.getAnimations().map((move) => {
              move.pause();
              move.currentTime = 499;
              return move.effect?.getTiming().delay;
            }),
          ),
        );
        expect(begins).toEqual([500, 500]);
        expect(await cloudsInView(page)).toBe(0);
        await clouds(page).evaluateAll((all) => {
          for (const move of all.flatMap((cloud) => cloud.getAnimations())) {
            move.finish();
          }
        });
      }
      await expect.poll(() => cloudsInView(page)).toBe(2);
    });

    test("with reduced motion the clouds are simply there", async ({ page }) => {
      await page.emulateMedia({ reducedMotion: "reduce" });
      await stopClock(page);
      await page.goto("/");
      expect(await cloudsInView(page)).toBe(2);
      const moves = await clouds(page).evaluateAll((all) =>
        all.flatMap((cloud) => cloud.getAnimations()),
      );
      expect(moves).toEqual([]);
    });
  },
);

/** What of the room is dimmed, by class. */
const dimmed = (page: Page) =>
  page
    .locator(".room > *")
    .evaluateAll((parts) =>
      parts
        .filter((part) => Number(getComputedStyle(part).opacity) < 1)
        .map(({ classList }) => classList[0]),
    );

test("pointing at a feature of the service or focusing it dims the rest of the room", async ({
  page,
}) => {
  await page.goto("/");
  const link = page.locator(".shows-players a");
  const acts = { point: () => link.hover(), focus: () => link.focus() };
  for (const [name, act] of Object.entries(acts)) {
    await act();
    await expect.poll(() => dimmed(page), name).toContain("room-objects");
    await settled(page);
    const parts = await dimmed(page);
    expect(parts, name).toContain("room-head");
    expect(parts, name).not.toContain("room-players");
    await page.mouse.move(0, 0);
    await link.blur();
    await expect.poll(() => dimmed(page), name).toEqual([]);
  }
});

test.describe("on a touch screen", () => {
  test.use({ isMobile: true, hasTouch: true, viewport: { width: 375, height: 800 } });

  test("a touch on a feature of the service dims nothing of the room", async ({ page }) => {
    await page.goto("/");
    const link = page.locator(".shows-players a");
    // A moment is enough: what is touched scrolls away.
    await page.evaluate(() => {
      const { dataset } = document.body;
      addEventListener("mouseover", () => Object.assign(dataset, { pointed: "" }));
      addEventListener("transitionrun", ({ target, propertyName }) => {
        const part = target instanceof Element && target.matches(".room > *");
        if (part && propertyName === "opacity") Object.assign(dataset, { dimmed: "" });
      });
    });
    await link.tap();
    await quiet(page);
    await expect(page.locator("body")).toHaveAttribute("data-pointed");
    await expect(page.locator("body")).not.toHaveAttribute("data-dimmed");
  });
});
