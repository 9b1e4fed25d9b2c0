import {
  expect,
  fillIn,
  message,
  NARROW,
  openAll,
  openNavigation,
  type Page,
  paths,
  sendButton,
  test,
} from "../fixtures.ts";
import { seenTexts } from "../texts.ts";

/** Widths at which something becomes narrower, and one in between where the bar is full. */
const WIDTHS = [320, 375, 480, 600, NARROW + 1, 1005, 1280];

/** What WCAG 1.4.12 lets a visitor set, and the page must bear. */
const SPACING = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-block-end: 2em !important; }
`;

/** Texts outside of the window or of what cuts off around them, and links that lie on each other. */
const lost = async (page: Page) =>
  (await seenTexts(page)).evaluate((seen) => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const found = scrollWidth > clientWidth ? [`the page is ${scrollWidth} px wide`] : [];
    for (const { text, element, range } of seen(document.body)) {
      let { left, top, right, bottom } = range.getBoundingClientRect();
      let around: Element | null = element;
      let isCut = false;
      for (; around && around !== document.body; around = around.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(around);
        const box = around.getBoundingClientRect();
        if (/auto|scroll/.test(overflowX + overflowY)) {
          // Whatever it holds can be scrolled to; it must be in view itself.
          ({ left, top, right, bottom } = box);
        } else if (/hidden|clip/.test(overflowX + overflowY)) {
          isCut ||= left < box.left - 1 || right > box.right + 1;
          isCut ||= top < box.top - 1 || bottom > box.bottom + 1;
        }
      }
      if (isCut || left < -1 || right > clientWidth + 1) {
        found.push(`${Math.round(left)} to ${Math.round(right)} px: ${text}`);
      }
    }
    const links = [...document.querySelectorAll("header a, header button")]
      .filter((link) => link.checkVisibility())
      .map((link) => link.getBoundingClientRect());
    const overlap = (a: DOMRect, b: DOMRect) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    if (links.some((a, index) => links.slice(index + 1).some((b) => overlap(a, b)))) {
      found.push("links in the header lie on each other");
    }
    return found;
  });

/** Sets the browser's own text size, in pixels: unlike a style, media queries in em follow it. */
async function setText(page: Page, standard: number) {
  const browser = await page.context().newCDPSession(page);
  await browser.send("Page.setFontSizes", { fontSizes: { standard } });
}

for (const path of paths) {
  test(`${path}: nothing is lost at 200 % text, at 150 %, and with more space between letters and lines`, async ({
    page,
    visit,
  }) => {
    await visit(path);
    await openAll(page);
    for (const size of [32, 24]) {
      await setText(page, size);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        expect.soft(await lost(page), `text of ${size} px at ${width} px`).toEqual([]);
      }
      await expect(page.locator("html")).toHaveCSS("font-size", `${size}px`);
    }
    await setText(page, 16);
    await page.evaluate((spacing) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(spacing);
      document.adoptedStyleSheets.push(sheet);
    }, SPACING);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      expect.soft(await lost(page), `spacing at ${width} px`).toEqual([]);
    }
  });
}

test("in a window of 320 × 256 px, which is 1280 px magnified to 400 %, the menu and the form can be used", async ({
  page,
}) => {
  const viewport = { width: 320, height: 256 };
  await page.setViewportSize(viewport);
  await page.goto("/");
  const navigation = await openNavigation(page, viewport);
  await navigation.getByRole("link", { name: "Dashboard" }).scrollIntoViewIfNeeded();
  await expect(navigation.getByRole("link", { name: "Dashboard" })).toBeInViewport({ ratio: 1 });
  await navigation.getByRole("link", { name: "Contact" }).click();
  await expect(page).toHaveURL("/contact");
  await fillIn(page, { ...message, Company: "" });
  await sendButton(page).click();
  await expect(page.locator(".banner-success")).toBeInViewport({ ratio: 1 });
});

test("the keyboard alone leads through the site: menu, plans, questions, and a message", async ({
  page,
}) => {
  /** Tabs to what has this name; what has the focus is always in view. */
  const tabTo = async (name: string) => {
    for (let stops = 0; stops < 60; stops++) {
      await page.keyboard.press("Tab");
      const focused = page.locator(":focus").filter({ hasText: name });
      if (await focused.count()) {
        await expect(focused).toBeInViewport({ ratio: 0.5 });
        return;
      }
    }
    throw new Error(`No Tab leads to ${name}`);
  };
  await page.setViewportSize({ width: 375, height: 667 });
  await page.goto("/");
  await tabTo("Open menu");
  await page.keyboard.press("Enter");
  await tabTo("Pricing");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/pricing");
  await tabTo("Contact Sales");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/contact");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await tabTo("Privacy");
  for (const value of Object.values(message)) {
    await page.keyboard.press("Tab");
    await page.keyboard.type(value);
  }
  await tabTo("Send Message");
  await page.keyboard.press("Enter");
  await expect(page.locator(".banner-success")).toBeInViewport({ ratio: 1 });
  await page.goto("/#faq");
  await tabTo("What is Tickfleet?");
  await page.keyboard.press("Space");
  await expect(page.locator("#what-it-is p").first()).toBeVisible();
});
