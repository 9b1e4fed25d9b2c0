import { expect, NARROW, NOWHERE, type Page, paths, test } from "../fixtures.ts";
import { seenTexts } from "../texts.ts";

/** From a folded phone to where pages become no broader, and where layouts begin, in pixels. */
const widths = [
  280,
  300,
  ...Array.from({ length: 29 }, (_, step) => 320 + 40 * step),
  ...[361, 481, 641, NARROW, NARROW + 1, 1023, 1024],
];

/** What a page of this width does to its words: cuts them at a line's end, or draws over them. */
const spoiled = async (page: Page) =>
  (await seenTexts(page)).evaluate((seen) => {
    const found: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) {
      found.push(`the page is ${scrollWidth} px wide`);
    }
    const stars = [...document.querySelectorAll(".cloudscape")].flatMap((sky) => {
      const { left, right, top } = sky.getBoundingClientRect();
      const { boxShadow } = getComputedStyle(sky, "::before");
      const isMirrored = new DOMMatrix(getComputedStyle(sky).transform).a < 0;
      return [...boxShadow.matchAll(/\) (-?[\d.]+)px (-?[\d.]+)px/g)].map(
        ([, x, y]) =>
          new DOMRect(isMirrored ? right - Number(x) : left + Number(x), top + Number(y), 3, 3),
      );
    });
    const drawings = [...document.querySelectorAll(".luminary, .far-cloud")]
      .map((drawing) => drawing.getBoundingClientRect())
      .concat(stars)
      .filter(({ width }) => width > 0);
    const houses = [...document.querySelectorAll<SVGPathElement>(".cloudscape .icon path")];
    /** Whether a house stands at a point of the window. */
    const built = (x: number, y: number) =>
      houses.some((house) =>
        house.isPointInFill(new DOMPoint(x, y).matrixTransform(house.getScreenCTM()?.inverse())),
      );
    for (const { node, text, element, range } of seen(document.body)) {
      if (element.closest(".room")) {
        continue;
      }
      const lines = [...range.getClientRects()];
      for (const { left, right, top, bottom } of lines) {
        const crossed = drawings.some(
          (drawing) =>
            drawing.left < right &&
            left < drawing.right &&
            drawing.top < bottom &&
            top < drawing.bottom,
        );
        let over = false;
        if (element.closest("main")) {
          for (let x = left; x <= right && !over; x += 8) {
            over = built(x, top) || built(x, bottom);
          }
        }
        if (crossed || over) {
          found.push(`${over ? "a house" : "something in the sky"} behind "${text.trim()}"`);
        }
      }
      if (lines.length < 2) {
        continue;
      }
      // In running text a line may end with a hyphen, and where there is no room for whole words.
      const mayEndAtHyphen = clientWidth < 320 || element.closest(".clause");
      for (const { 0: word, index } of text.matchAll(mayEndAtHyphen ? /[^\s-]+/g : /\S+/g)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (tops.size > 1) {
          found.push(`"${word}" is cut`);
        }
      }
    }
    return found;
  });

for (const path of [...paths, "/contact/sent"]) {
  test(`${path}: at every width each word has its line, and no drawing stands behind it`, async ({
    page,
    visit,
  }) => {
    test.slow(); // A page is laid out 38 times.
    // By night there are stars, too.
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await visit(path);
    expect(await page.locator(".luminary, .far-cloud").count()).toBeGreaterThan(1);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      expect.soft(await spoiled(page), `at ${width} px`).toEqual([]);
    }
  });
}

test("a phone that lies shows the way on without scrolling", async ({ page, visit }) => {
  for (const [path, way] of [
    ["/", "Get Started"],
    [NOWHERE, "Back to home"],
  ] as const) {
    await visit(path);
    for (const [width, height] of [
      [667, 375],
      [812, 375],
      [932, 430],
    ] as const) {
      await page.setViewportSize({ width, height });
      const link = page.getByRole("main").getByRole("link", { name: way }).first();
      await expect.soft(link, `${path} at ${width} px`).toBeInViewport({ ratio: 1 });
    }
  }
});
