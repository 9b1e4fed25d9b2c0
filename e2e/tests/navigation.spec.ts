import {
  expect,
  extremes,
  NARROW,
  navigationBar,
  onScreens,
  openNavigation,
  type Page,
  paths,
  screens,
  test,
} from "../fixtures.ts";

const button = (page: Page, name: "Open menu" | "Close menu") =>
  page.getByRole("button", { name, exact: true });

// That nothing in it overlaps or is cut off at any width, layout.spec.ts shows for each page.
onScreens(extremes, (screen) => {
  test("all pages share the navigation bar, and the current page is marked in it", async ({
    page,
    visit,
  }) => {
    for (const path of paths) {
      await test.step(path, async () => {
        await visit(path);
        const navigation = await openNavigation(page, screen);
        const marked = navigation.locator("[aria-current=page]");
        const named = await navigation.locator(`a[href="${path}"]`).count();
        await expect(marked).toHaveCount(named);
        if (named > 0) {
          await expect(marked).toHaveAttribute("href", path);
        }
      });
    }
  });
});

onScreens(extremes, (screen) => {
  test("the logo links to home, Pricing and Contact to their pages", async ({ page }) => {
    await page.goto("/pricing");
    await page.getByRole("link", { name: "Tickfleet home" }).click();
    await expect(page).toHaveURL("/");
    for (const [name, path] of [
      ["Pricing", "/pricing"],
      ["Contact", "/contact"],
    ] as const) {
      const navigation = await openNavigation(page, screen);
      await navigation.getByRole("link", { name, exact: true }).click();
      await expect(page).toHaveURL(path);
    }
  });

  test("Docs and Dashboard are external, open in a new tab and say so", async ({
    page,
    context,
    announce,
  }) => {
    await context.route("https://**", (route) => route.fulfill({ body: "elsewhere" }));
    await page.goto("/");
    for (const [name, address] of [
      ["Docs", "https://docs.tickfleet.example/"],
      ["Dashboard", "https://app.tickfleet.example/"],
    ] as const) {
      announce(`asked another host: ${address}`);
      const navigation = await openNavigation(page, screen);
      const link = navigation.getByRole("link", { name: `${name} (opens in a new tab)` });
      await expect(link).toHaveAttribute("rel", "noopener");
      const [tab] = await Promise.all([context.waitForEvent("page"), link.click()]);
      await expect(tab).toHaveURL(address);
      await tab.close();
      await page.goto("/");
    }
  });
});

onScreens(extremes, () => {
  test("over the top of the sky the bar has no ground of its own, further down it has", async ({
    page,
  }) => {
    await page.goto("/");
    const bar = page.locator(".site-header");
    const opacity = () => bar.evaluate((element) => getComputedStyle(element, "::before").opacity);
    for (const [top, expected] of [
      [0, "0"],
      [400, "1"],
      [0, "0"],
    ] as const) {
      await page.evaluate((top) => scrollTo({ top, behavior: "instant" }), top);
      await expect.poll(opacity).toBe(expected);
    }
  });
});

onScreens(
  [375, 1280].flatMap((width) => [
    { width, scripts: true },
    { width, scripts: false },
  ]),
  ({ width }) => {
    test("the header stays while the page scrolls; in a window lower than 480 px it scrolls away, and an open menu doesn't dim", async ({
      page,
    }) => {
      for (const height of [480, 479]) {
        const low = height < 480;
        await page.setViewportSize({ width, height });
        await page.goto("/");
        await openNavigation(page, { width });
        if (width <= NARROW) {
          const scrim = () =>
            page
              .locator(":popover-open")
              .evaluate((menu) => getComputedStyle(menu, "::backdrop").backgroundColor);
          await expect.poll(scrim).toMatch(low ? /, 0\)$/ : /, 0\.[6-9]\d*\)$/);
        }
        await page.evaluate(() => scrollTo({ top: 600, behavior: "instant" }));
        const header = expect(page.locator(".site-header"));
        await (low ? header.not.toBeInViewport() : header.toBeInViewport({ ratio: 1 }));
      }
    });
  },
);

test("where an extension blocks all scripts, no bar without a ground lies on the page's words", async ({
  page,
  announce,
}) => {
  announce("script-src-elem refuses inline");
  announce("violates the following Content Security Policy directive 'script-src 'none''");
  await page.route("/", async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      headers: { ...response.headers(), "content-security-policy": "script-src 'none'" },
    });
  });
  await page.goto("/");
  await expect(page.locator(".site-header")).toBeInViewport();
  await page.mouse.wheel(0, 600);
  await expect(page.locator(".site-header")).not.toBeInViewport();

  // On a phone an open menu goes with it.
  await page.setViewportSize({ width: 375, height: 800 });
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  await button(page, "Open menu").click();
  await expect(page.locator(".nav-bar-menu")).toBeInViewport({ ratio: 1 });
  await page.evaluate(() => scrollTo({ top: 600, behavior: "instant" }));
  await expect(page.locator(".nav-bar-menu")).not.toBeInViewport();
});

onScreens(
  screens.filter(({ width }) => width > NARROW),
  () => {
    test("on a wide screen the links stand in the bar and there is no menu button", async ({
      page,
    }) => {
      await page.goto("/");
      await expect(button(page, "Open menu")).toBeHidden();
      await expect(button(page, "Close menu")).toBeHidden();
      for (const link of await navigationBar(page).locator("a").all()) {
        await expect(link).toBeInViewport({ ratio: 1 });
      }
    });
  },
);

onScreens(
  screens.filter(({ width }) => width <= NARROW),
  ({ width, scripts }) => {
    const links = (page: Page) => navigationBar(page).locator("li a");

    const expectMenu = async (page: Page, state: "open" | "closed") => {
      const open = state === "open";
      await expect(button(page, "Close menu")).toBeVisible({ visible: open });
      await expect(button(page, "Open menu")).toBeVisible({ visible: !open });
      for (const name of ["Pricing", "Contact", "Docs", "Dashboard"]) {
        await expect(links(page).filter({ hasText: name }).first()).toBeVisible({ visible: open });
      }
    };

    test("the bar collapses into a menu that starts closed and is toggled by a button, by mouse and keyboard", async ({
      page,
    }) => {
      await page.goto("/");
      await expectMenu(page, "closed");
      await test.step("by mouse", async () => {
        await button(page, "Open menu").click();
        await expectMenu(page, "open");
        for (const link of await navigationBar(page).getByRole("link").all()) {
          await expect(link).toBeInViewport({ ratio: 1 });
        }
        await button(page, "Close menu").click();
        await expectMenu(page, "closed");
      });
      await test.step("by the keyboard alone, and Escape closes it", async () => {
        await button(page, "Open menu").focus();
        for (const [open, close] of [
          ["Enter", "Enter"],
          ["Space", "Space"],
          ["Enter", "Escape"],
        ] as const) {
          await page.keyboard.press(open);
          await expectMenu(page, "open");
          await page.keyboard.press(close);
          await expectMenu(page, "closed");
          await expect(button(page, "Open menu")).toBeFocused();
        }
        await page.keyboard.press("Enter");
        await page.keyboard.press("Tab");
        await expect(links(page).first()).toBeFocused();
      });
      await test.step("it is closed on the page that a link in it leads to", async () => {
        await links(page).filter({ hasText: "Pricing" }).first().click();
        await expect(page).toHaveURL("/pricing");
        await expectMenu(page, "closed");
      });
    });

    if (scripts && width === NARROW) {
      test("the page beside an open menu is dimmed, and a click on it closes the menu and does no more", async ({
        page,
      }) => {
        await page.goto("/contact");
        await button(page, "Open menu").click();
        const scrim = await page.locator(":popover-open").evaluate((menu) => {
          const { backgroundColor, top, transitionDuration } = getComputedStyle(menu, "::backdrop");
          return { backgroundColor, top, transitionDuration };
        });
        expect(scrim).toEqual({
          backgroundColor: expect.stringMatching(/, 0\.[6-9]\d*\)$/),
          top: "72px",
          transitionDuration: "0.15s",
        });
        const message = page.getByRole("textbox", { name: "Message" });
        await message.click({ force: true });
        await expectMenu(page, "closed");
        await expect(message).not.toBeFocused();
      });

      test("a tap beside the menu closes it where the browser doesn't", async ({ page }) => {
        await page.goto("/contact");
        await button(page, "Open menu").click();
        await page.locator(".nav-bar-menu").dispatchEvent("click");
        await expectMenu(page, "open");
        await navigationBar(page).dispatchEvent("click");
        await expectMenu(page, "closed");
        await button(page, "Open menu").click();
        await page.locator(".site-header").dispatchEvent("click");
        await expectMenu(page, "closed");
      });

      test("the menu closes when the focus leaves it, so that it hides nothing", async ({
        page,
      }) => {
        await page.goto("/contact");
        await button(page, "Open menu").focus();
        await page.keyboard.press("Enter");
        await expectMenu(page, "open");
        for (let stop = 0; stop <= 4; stop++) {
          await page.keyboard.press("Tab");
        }
        await expectMenu(page, "closed");
        await expect(page.locator("main :focus")).toBeInViewport({ ratio: 1 });
        await button(page, "Open menu").focus();
        await page.keyboard.press("Enter");
        await expectMenu(page, "open");
        await page.keyboard.press("Shift+Tab");
        await page.keyboard.press("Shift+Tab");
        await expect(page.locator(".skip-link")).toBeFocused();
        await expectMenu(page, "closed");
      });

      test("the menu closes when the window becomes wide", async ({ page }) => {
        await page.goto("/");
        await button(page, "Open menu").click();
        await page.setViewportSize({ width: NARROW + 1, height: 800 });
        await expect(page.locator(":popover-open")).toHaveCount(0);
        await page.setViewportSize({ width: NARROW, height: 800 });
        await expectMenu(page, "closed");
      });

      test("the menu closes when its link opens another tab", async ({
        page,
        context,
        announce,
      }) => {
        announce("asked another host: https://docs.tickfleet.example/");
        await context.route("https://**", (route) => route.fulfill({ body: "elsewhere" }));
        await page.goto("/");
        await button(page, "Open menu").click();
        await Promise.all([
          context.waitForEvent("page"),
          links(page).filter({ hasText: "Docs" }).click(),
        ]);
        await expectMenu(page, "closed");
      });
    }
  },
);

for (const width of [640, NARROW]) {
  test(`${width} px: an open menu ends above the hero's text, so that it cuts no line of it`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 1024 });
    await page.goto("/");
    await button(page, "Open menu").click();
    const menu = await page.locator(":popover-open").boundingBox();
    const text = await page.locator(".hero-text").boundingBox();
    expect((menu?.y ?? 0) + (menu?.height ?? Infinity)).toBeLessThanOrEqual(text?.y ?? 0);
  });
}
