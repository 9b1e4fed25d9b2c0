import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import {
  expect,
  hold,
  NARROW,
  openAll,
  openNavigation,
  type Page,
  paths,
  test,
} from "../fixtures.ts";
import { shifts, watchShifts } from "../shifts.ts";

/** Both sides of the breakpoint (docs/behaviour.md, "Constants"), the narrowest phone, and 1280 px magnified to 400 %. */
const windows = [
  { width: 320, height: 256 },
  { width: 320, height: 700 },
  { width: 375, height: 800 },
  { width: NARROW, height: 1024 },
  { width: NARROW + 1, height: 1024 },
  { width: 1024, height: 800 },
  { width: 1280, height: 800 },
];

/** Whatever makes the page scroll sideways or is cut off at a side of the window. */
const tooWide = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const words = "h1, h2, h3, p, li, dd, summary, a, button, input, textarea, img, figcaption";
    const cut = [...document.querySelectorAll(`:is(header, main, footer) :is(${words})`)]
      .filter((element) => element.checkVisibility() && !element.closest(".contact-form-trap"))
      .filter((element) => {
        const { left, right } = element.getBoundingClientRect();
        return left < -0.5 || right > clientWidth + 0.5;
      })
      .map((element) => element.outerHTML.slice(0, 120));
    return scrollWidth > clientWidth ? [`${scrollWidth} px wide`, ...cut] : cut;
  });

for (const path of paths) {
  test(`${path} fits every window without scrolling sideways, on one left edge`, async ({
    page,
    visit,
  }) => {
    await visit(path);
    await openAll(page);
    for (const viewport of windows) {
      const { width, height } = viewport;
      await test.step(`${width} × ${height} px`, async () => {
        await page.setViewportSize(viewport);
        expect(await tooWide(page)).toEqual([]);
        const edges = await page
          .locator(".nav-bar, .page")
          .evaluateAll((boxes) => boxes.map((box) => box.getBoundingClientRect().left));
        expect(edges.length).toBeGreaterThanOrEqual(3);
        expect(Math.max(...edges) - Math.min(...edges)).toBeLessThan(0.5);
        expect(edges[0]).toBeGreaterThanOrEqual(16);
        await openNavigation(page, viewport);
        expect(await tooWide(page)).toEqual([]);
        await page.keyboard.press("Escape");
      });
    }
  });
}

/** The site behind a network so slow that a browser paints a page of which it has only a part. */
const dripping = (origin: string) =>
  createServer(async ({ url = "/" }, answer) => {
    const whole = await fetch(new URL(url, origin));
    const headers = new Headers(whole.headers);
    headers.delete("content-encoding");
    headers.delete("content-length");
    answer.writeHead(whole.status, Object.fromEntries(headers));
    if (headers.get("content-type")?.startsWith("text/html")) {
      const pieces = (await whole.text()).split(
        /(?<=<\/(?:header|h\d|p|picture|dl|li|label|form|section)>)/,
      );
      for (const piece of pieces) {
        answer.write(piece);
        await setTimeout(30);
      }
      answer.end();
    } else {
      answer.end(Buffer.from(await whole.arrayBuffer()));
    }
  });

for (const width of [375, NARROW, 1024, 1280]) {
  for (const path of paths) {
    test(`nothing shifts while ${path} loads at ${width} px, even when its font comes late`, async ({
      page,
      visit,
    }) => {
      await page.setViewportSize({ width, height: 800 });
      await watchShifts(page);
      const releaseFont = await hold(page, "/assets/*.woff2");
      const loaded = visit(path);
      await page.waitForFunction(
        () => performance.getEntriesByName("first-contentful-paint").length,
      );
      releaseFont();
      await loaded;
      expect(await shifts(page)).toEqual([]);
    });

    test(`nothing shifts while ${path} arrives piece by piece at ${width} px`, async ({
      page,
      baseURL,
      visit,
    }) => {
      const server = dripping(String(baseURL)).listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      await page.setViewportSize({ width, height: 800 });
      await watchShifts(page);
      await visit(`http://127.0.0.1:${port}${path}`);
      expect(await shifts(page)).toEqual([]);
      // Until the icons are there, which nothing waits for.
      await page.waitForLoadState("networkidle");
      server.closeAllConnections();
      server.close();
    });
  }
}

test("an i keeps its dot in the smallest words of the interface", async ({ page }) => {
  await page.goto("/");
  const fused = await page.evaluate(async () => {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d", { willReadFrequently: true });
    if (!context) throw new Error("This browser draws no canvas.");
    const family = getComputedStyle(document.body).getPropertyValue("--font-display").split(",")[0];
    const sizes = [13, 14, 15, 16].flatMap((size) => [500, 600].map((weight) => [weight, size]));
    const fonts = sizes.map(([weight, size]) => `${weight} ${size}px ${family}`);
    const faces = await Promise.all(fonts.map((font) => document.fonts.load(font, "i")));
    if (faces.some(({ length }) => length === 0)) throw new Error(`There is no ${family}.`);
    return fonts.filter((font) => {
      context.clearRect(0, 0, 40, 40);
      context.font = font;
      context.fillText("i", 10, 30);
      const { data } = context.getImageData(0, 0, 40, 40);
      const darkest = Array.from({ length: 40 }, (_, row) =>
        Math.max(
          ...Array.from({ length: 40 }, (_, column) => data[4 * (40 * row + column) + 3] ?? 0),
        ),
      );
      const drawn = darkest.slice(
        darkest.findIndex((alpha) => alpha > 128),
        30,
      );
      // Where a dot fuses with its stem, the row between them is covered by half or more.
      return Math.min(...drawn) > 90;
    });
  });
  expect(fused).toEqual([]);
});
