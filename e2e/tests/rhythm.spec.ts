import { expect, NARROW, NOWHERE, type Page, paths, test } from "../fixtures.ts";

/** The most bare ground between two sections, in pixels. */
const BARE = 160;

/** From the end of what a section shows, its clouds too, to the beginning of the next one's words. */
const gaps = (page: Page) =>
  page.evaluate(() => {
    // The wrapper of an island has no box.
    const WORDS = ".page > :not([data-island], script), [data-island] > *";
    const sections = [...document.querySelectorAll("main > section")];
    const bottom = (section: Element) =>
      Math.max(
        ...[...section.querySelectorAll(`${WORDS}, .bank-behind`)].map(
          (each) => each.getBoundingClientRect().bottom,
        ),
      );
    const top = (section: Element) =>
      Math.min(
        ...[...section.querySelectorAll(WORDS)].map((each) => each.getBoundingClientRect().top),
      );
    return sections.slice(1).map((section, index) => {
      const above = sections[index];
      return above ? Math.round(top(section) - bottom(above)) : Number.NaN;
    });
  });

for (const path of ["/", "/pricing"]) {
  test(`${path}: no stretch between two sections is bare for long`, async ({ page, visit }) => {
    await visit(path);
    for (const width of [320, 375, NARROW, 1024, 1440]) {
      await page.setViewportSize({ width, height: 812 });
      const found = await gaps(page);
      expect(found.length).toBeGreaterThan(0);
      for (const gap of found) {
        expect(gap, `at ${width} px`).toBeLessThanOrEqual(BARE);
      }
    }
  });
}

const box = async (page: Page, selector: string) => {
  const found = await page.locator(selector).boundingBox();
  return found ?? { x: Number.NaN, y: Number.NaN, width: Number.NaN, height: Number.NaN };
};

test.describe("on a phone", () => {
  test.use({ viewport: { width: 375, height: 812 } });

  test("the three plans are no longer than 1,700 px", async ({ page }) => {
    await page.goto("/pricing");
    for (const width of [320, 375]) {
      await page.setViewportSize({ width, height: 812 });
      const { height } = await box(page, ".pricing-cards");
      expect(height, `at ${width} px`).toBeLessThanOrEqual(1700);
    }
  });

  test("mail and phone stand under the lead as targets for a thumb, and the form begins above 400 px", async ({
    page,
  }) => {
    await page.goto("/contact");
    const lead = await box(page, ".contact-words .lead");
    const card = await box(page, ".contact-card");
    for (const address of ["mailto", "tel"]) {
      const link = await box(page, `.contact-words a[href^=${address}]`);
      expect(link.height).toBeGreaterThanOrEqual(44);
      expect(link.y).toBeGreaterThanOrEqual(lead.y + lead.height);
      expect(link.y + link.height).toBeLessThanOrEqual(card.y);
    }
    expect(card.y).toBeLessThan(400);
  });
});

test("a tablet's window holds the whole form, and all of another one's controls", async ({
  page,
}) => {
  for (const size of [
    { width: 768, height: 1024 },
    { width: 820, height: 1106 },
  ]) {
    await page.setViewportSize(size);
    await page.goto("/contact");
    await expect(page.locator(".contact-card")).toBeInViewport({ ratio: 1 });
    await page.goto("/contact/sent");
    await expect(page.getByRole("button", { name: "Send Message" })).toBeInViewport({ ratio: 1 });
  }
});

test("name and e-mail stand side by side where there is room", async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.goto("/contact");
  const [name, email] = [await box(page, "#contact-name"), await box(page, "#contact-email")];
  expect(email.y).toBe(name.y);
  expect(email.x).toBeGreaterThan(name.x + name.width);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`by ${colorScheme === "light" ? "day the sun" : "night the moon"} moves from one page's height to the next one's, but not for whoever wants no motion`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    // What the browser moves the disc by, from where it was to where it will be.
    await page.addInitScript(() =>
      addEventListener("pagereveal", async ({ viewTransition }) => {
        await viewTransition?.ready.catch(() => {});
        const moves = document
          .getAnimations()
          .map(({ effect }) => effect as KeyframeEffect)
          .filter(({ pseudoElement }) => pseudoElement === "::view-transition-group(luminary)")
          .flatMap((effect) => effect.getKeyframes())
          .map(({ transform }) => transform);
        Object.assign(window, { moves });
      }),
    );
    const disc = async () => (await box(page, ".luminary")).y;
    const moves = () =>
      page.waitForFunction(() => (window as unknown as { moves?: string[] }).moves);
    await page.goto("/");
    const heights = new Set([await disc()]);
    for (const [name, path] of [
      ["Pricing", "/pricing"],
      ["Contact", "/contact"],
    ] as const) {
      const before = await disc();
      // A browser that takes too long over the next page changes over without moving anything.
      await expect(async () => {
        if (page.url().endsWith(path)) await page.goBack();
        await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name }).click();
        await expect(page).toHaveURL(path);
        const from = (await (await moves()).jsonValue())?.[0];
        // It is moved by whole pixels.
        expect(from, "where it comes from").toMatch(new RegExp(`, ${Math.round(before)}\\)$`));
      }).toPass();
      heights.add(await disc());
    }
    expect(heights.size, "each page has a height of its own").toBe(3);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.getByRole("link", { name: "Tickfleet home" }).click();
    await expect(page).toHaveURL("/");
    expect(await (await moves()).jsonValue()).toEqual([]);
  });
}

test("one page has become another after 150 ms", async ({ page }) => {
  await page.addInitScript(() =>
    addEventListener("pagereveal", async ({ viewTransition }) => {
      await viewTransition?.ready.catch(() => {});
      const ends = document
        .getAnimations()
        .filter(({ effect }) => (effect as KeyframeEffect).pseudoElement?.includes("transition"))
        .map(({ effect }) => Number(effect?.getComputedTiming().endTime));
      Object.assign(window, { ends });
    }),
  );
  await page.goto("/");
  // A browser that takes too long over the next page changes over at once.
  await expect(async () => {
    if (page.url().endsWith("/pricing")) await page.goBack();
    await page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: "Pricing" })
      .click();
    await expect(page).toHaveURL("/pricing");
    const ends = await page.waitForFunction(() => (window as unknown as { ends?: number[] }).ends);
    expect(new Set(await ends.jsonValue())).toEqual(new Set([150]));
  }).toPass();
});

test("no cloud hides a window of the thousand", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" }); // or they are still rising
  await page.goto("/");
  for (const width of [320, 375, 640, NARROW, 1023, 1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.locator(".thousand").scrollIntoViewIfNeeded();
    const windows = await box(page, ".thousand");
    const clouds = await box(page, ".thousand + .clouds-below");
    expect(windows.y + windows.height, `at ${width} px`).toBeLessThanOrEqual(clouds.y);
  }
});

test("the ground that comes next lies over the foot of the bank: no line of light is left", async ({
  page,
  visit,
}) => {
  for (const path of paths) {
    await visit(path);
    for (const width of [320, 430, NARROW, 1440]) {
      await page.setViewportSize({ width, height: 932 });
      const uncovered = await page.locator(".cloudscape").evaluateAll((skies) =>
        skies.flatMap((sky) => {
          const bottom = (selector: string) =>
            sky.querySelector(selector)?.getBoundingClientRect().bottom ?? 0;
          const ground = bottom(".bank-before"); // 0 where the bank itself becomes the page
          return ground ? bottom(".bank:not(.bank-behind, .bank-before)") - ground : [];
        }),
      );
      for (const line of uncovered) expect(line, `${path} at ${width} px`).toBeLessThanOrEqual(0);
    }
  }
});

test("abreast the drawings of the features are one landscape, over which the same clouds go", async ({
  page,
}) => {
  await page.goto("/");
  for (const width of [640, NARROW, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const skies = await page.locator(".drawn").evaluateAll((drawings) =>
      drawings.map((drawing) => {
        const { left, right } = drawing.getBoundingClientRect();
        const clouds = [...drawing.querySelectorAll(".clouds-below svg")];
        return { left, right, clouds: clouds.map((svg) => svg.getBoundingClientRect().left) };
      }),
    );
    expect(skies, `at ${width} px`).toHaveLength(3);
    for (const [before, { left, clouds }] of skies.slice(1).entries()) {
      expect(left, `sky at ${width} px`).toBeCloseTo(skies[before]?.right ?? 0, 0);
      for (const [bank, start] of clouds.entries())
        expect(Math.abs(start - (skies[0]?.clouds[bank] ?? 0)), `at ${width} px`).toBeLessThan(2);
    }
  }
});

test("sun, moon and houses have whole pixels for each of their steps, or half ones", async ({
  page,
  visit,
}) => {
  for (const [path, drawing, steps] of [
    ["/pricing", ".luminary", 10],
    ["/contact", ".luminary", 10],
    ["/", ".cloudscape .icon", 50],
    [NOWHERE, ".cloudscape .icon", 50],
  ] as const) {
    await visit(path);
    for (const width of [320, 375, NARROW, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const { width: breadth } = (await page.locator(drawing).boundingBox()) ?? { width: 0 };
      expect(breadth, `${path} at ${width} px`).toBeGreaterThan(0);
      expect(((breadth / steps) * 2) % 1, `${path} at ${width} px`).toBe(0);
    }
  }
});

test("no part of a drawing needs a filter, which Safari has for whole drawings alone", async ({
  page,
  visit,
}) => {
  for (const path of paths) {
    await visit(path);
    const filters = await page
      .locator("svg *")
      .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).filter));
    expect(new Set(filters), path).toEqual(new Set(["none"]));
  }
});

test("no house beside the questions stands behind the hours; the card ends with the closed list, and stays in sight beside an answer", async ({
  page,
  visit,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await visit("/");
  /** How high the card is, what is between its houses and the hours, and how far below the list it ends, but for the clouds at its foot. */
  const measured = () =>
    page.evaluate(() => {
      const bottom = (selector: string) =>
        (document.querySelector(selector) as Element).getBoundingClientRect().bottom;
      const aside = document.querySelector(".otherwise") as Element;
      const drawn = getComputedStyle(aside, "::before");
      const height = Number.parseFloat(drawn.blockSize);
      const scale = Number.parseFloat(drawn.scale) || 1;
      const { right, bottom: foot, height: high } = aside.getBoundingClientRect();
      const end = right - Number.parseFloat(drawn.right);
      // The tower, the house with a light on, and the low house: from the end, and how high.
      const houses = [
        { breadth: 40, tall: height },
        { breadth: 85, tall: height - 30 },
        { breadth: 150, tall: 105 },
      ];
      const lines = [...aside.querySelectorAll("div p")].flatMap((line) => {
        const range = document.createRange();
        range.selectNodeContents(line);
        return [...range.getClientRects()];
      });
      const room = lines.flatMap((line) =>
        houses.map(({ breadth, tall }) =>
          Math.max(end - scale * breadth - line.right, foot - scale * tall - line.bottom),
        ),
      );
      const ground = foot + Number.parseFloat(getComputedStyle(aside).marginBlockEnd);
      return {
        high,
        room: Math.min(...room),
        below: ground - bottom(".faq-entry:last-child"),
      };
    });
  for (const width of [320, 375, NARROW, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const closed = await measured();
    await page.locator("#faq summary").first().click();
    const open = await measured();
    await page.locator("#faq summary").first().click();
    for (const { room } of [closed, open]) {
      expect(room, `at ${width} px`).toBeGreaterThanOrEqual(3);
    }
    expect(open.high, `at ${width} px`).toBe(closed.high);
    const below = width < 1024 ? 0 : closed.below;
    expect(Math.abs(below), `${below} px below, at ${width} px`).toBeLessThanOrEqual(2);
  }
  await page.setViewportSize({ width: 1024, height: 600 });
  await page.locator("#faq #plans summary").click();
  await page.locator("#faq #plans .faq-answer").evaluate((answer) => answer.scrollIntoView(false));
  const [card, header] = await Promise.all(
    [".otherwise", "header"].map((name) => page.locator(name).first().boundingBox()),
  );
  expect(card?.y).toBeGreaterThan((header?.y ?? 0) + (header?.height ?? 0));
  expect((card?.y ?? 0) + (card?.height ?? 0)).toBeLessThan(600);
});

test("neither sun nor cloud comes near the words of a page's head", async ({ page, visit }) => {
  for (const path of [...paths, "/contact/sent"]) {
    await visit(path);
    expect(await page.locator(".luminary, .far-cloud").count()).toBeGreaterThan(1);
    for (const width of [320, 375, 640, NARROW, 1023, 1024, 1280, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const near = await page.evaluate(() => {
        const words = [...document.querySelectorAll("h1, h1 + p")].flatMap((element) => {
          const range = document.createRange();
          range.selectNodeContents(element);
          return [...range.getClientRects()];
        });
        const sky = [...document.querySelectorAll(".luminary, .far-cloud")]
          .map((element) => element.getBoundingClientRect())
          .filter(({ width }) => width > 0);
        return words.flatMap((word) =>
          sky
            .map((drawing) => [
              Math.max(drawing.left - word.right, word.left - drawing.right) - 8,
              // A line is higher than its letters.
              Math.max(drawing.top - word.bottom, word.top - drawing.bottom),
            ])
            .filter((gaps) => Math.max(...gaps) < 0),
        );
      });
      expect(near, `${path} at ${width} px`).toEqual([]);
    }
  }
});
