import type { Page } from "./fixtures.ts";
import { seenTexts } from "./texts.ts";

/** What a page of this width does to its words: cuts them at a line's end, or draws over them. */
export const spoiled = async (page: Page) =>
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
