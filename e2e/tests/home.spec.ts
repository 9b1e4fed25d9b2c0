import { expect, NARROW, onScreens, type Page, screens, test } from "../fixtures.ts";

type Box = { x: number; y: number; width: number; height: number };

const overlap = (a: Box, b: Box) =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));

const highlights = {
  "Lightning Fast": ["Deploy in seconds"],
  "Secure & Private": ["Enterprise-grade security", "DDoS protection"],
  Reliable: ["99.9% uptime guarantee", "automatic failover and backup"],
};

const serviceFeatures = [
  "Realtime networking logs",
  "Room and player control",
  "Live room object view with bandwidth stats",
  "Rapid multiplayer setup",
  "Stable and scalable real-time sessions",
];

/** The topics of the questions, each with what its answer must say (docs/behaviour.md, "Home"). */
const questions: Record<string, string[]> = {
  "What is Tickfleet?": ["multiplayer games made with Unity"],
  "How reliable is it?": ["99.9% uptime"],
  "Which games are supported?": ["Only Unity-based games are supported"],
  "Which plan fits my game?": [
    "Starter is for indie developers and small projects",
    "Professional is for established games with growing player bases",
    "Enterprise is for large-scale games, maximum performance and dedicated support",
  ],
  "What support do I get?": [
    "Technical support with documentation and integration guides comes with all plans",
    "Direct engineering access is for enterprise clients",
  ],
};

onScreens(screens, () => {
  test("the sections stand in order: navigation, hero, features, mission, questions, closing call, footer", async ({
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
  });

  test("the hero has a headline, the pitch, and Get Started to the root of the application", async ({
    page,
    announce,
  }) => {
    await page.goto("/");
    const hero = page.locator(".hero");
    await expect(hero.getByText(/Deploy and manage .* in minutes/)).toBeVisible();
    const application = "https://app.tickfleet.example/";
    announce(application);
    await page.route(application, (route) => route.fulfill({ body: "the application" }));
    await hero.getByRole("link", { name: "Get Started" }).click();
    await expect(page).toHaveURL(application);
  });

  test("the hero has three overlapping product screenshots", async ({ page }) => {
    await page.goto("/");
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
      expect(covered).toBeGreaterThan(0.05);
      expect(covered).toBeLessThan(0.8);
    }
  });

  test("the three highlights and the mission are told", async ({ page }) => {
    await page.goto("/");
    for (const [heading, facts] of Object.entries(highlights)) {
      const highlight = page
        .getByRole("listitem")
        .filter({ has: page.getByRole("heading", { name: heading }) });
      for (const fact of facts) {
        await expect(highlight).toContainText(fact);
      }
    }
    for (const feature of serviceFeatures) {
      await expect(page.locator(".mission").getByRole("heading", { name: feature })).toBeVisible();
    }
  });

  test("questions: one open at a time, and a click on the open one closes it", async ({ page }) => {
    await page.goto("/");
    const entries = page.locator("#faq details");
    const open = page.locator("#faq details[open]");
    await expect(entries).toHaveCount(Object.keys(questions).length);
    await expect(open).toHaveCount(0);
    for (const [question, facts] of Object.entries(questions)) {
      const entry = entries.filter({ hasText: question });
      await entry.locator("summary").click();
      await expect(open).toHaveCount(1);
      for (const fact of facts) {
        await expect(open).toContainText(fact);
      }
      await expect(entry.locator("p").last()).toBeVisible();
    }
    await open.locator("summary").click();
    await expect(open).toHaveCount(0);
  });

  test("questions open and close by the keyboard", async ({ page }) => {
    await page.goto("/");
    const entries = page.locator("#faq details");
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

  test("the closing call says that hundreds of game developers already host here", async ({
    page,
  }) => {
    await page.goto("/");
    const closing = page.locator(".closing");
    await expect(closing).toContainText("Hundreds of game developers already host on Tickfleet");
    await expect(closing.getByRole("link", { name: "Get Started" })).toHaveAttribute(
      "href",
      "https://app.tickfleet.example/",
    );
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
