import type { Page } from "./fixtures.ts";
import { seenTexts } from "./texts.ts";

type Box = { x: number; y: number; width: number; height: number };
type Color = [red: number, green: number, blue: number];

/** How far two colours stand apart, from 1 to 21 (WCAG 2.2). */
function contrast(one: Color, other: Color) {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: Color) {
  const [red = 0, green = 0, blue = 0] = color
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The least contrast of a text, and of a large one (WCAG 2.2, 1.4.3). */
const AA = { text: 4.5, large: 3 };

/** The same for whoever wants more (WCAG 2.2, 1.4.6). */
export const AAA = { text: 7, large: 4.5 };

/**
 * The texts, of the page or a part of it, that are hard to read on some pixel of what is painted
 * behind them. A checker that reads styles cannot tell what a gradient or a cloud puts behind a word.
 */
export async function faintTexts(page: Page, within = "body", wanted = AA) {
  // A picture of the whole page moves what a pointer would rest on, and so what it lights up.
  await page.mouse.move(0, 0);
  // It also lays the page out anew, and one that began without its display face has it from then on.
  await page.screenshot({ fullPage: true });
  const seen = await seenTexts(page);
  const texts = await seen.evaluate((seen, within) => {
    scrollTo(0, 0);
    // What is pinned to the window covers a text here and there; it is measured in its own place.
    const measured = new CSSStyleSheet();
    measured.replaceSync("[data-pinned] { position: static !important }");
    document.adoptedStyleSheets.push(measured);
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const rgb = (color: string): Color => {
      if (!canvas) {
        throw new Error("The browser draws no canvas");
      }
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
      return [red, green, blue];
    };
    const found: { text: string; color: Color; large: boolean; box: Box }[] = [];
    // An open menu puts its shadow on the page; the page is measured when it is closed.
    const root = document.querySelector(":popover-open") ?? document.querySelector(within);
    if (!root) {
      throw new Error(`The page has no ${within}`);
    }
    for (const { text, element, range } of seen(root)) {
      const { color, fontSize, fontWeight } = getComputedStyle(element);
      const size = Number.parseFloat(fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
      for (const { x, y, width, height } of range.getClientRects()) {
        if (width === 0) {
          continue;
        }
        const box = { x, y: y + scrollY, width, height };
        found.push({ text: text.trim(), color: rgb(color), large, box });
      }
    }
    measured.insertRule("* { color: transparent !important; transition: none !important }");
    return found;
  }, within);
  const painted = await colorsIn(
    page,
    texts.map(({ box }) => box),
  );
  await page.evaluate(() => document.adoptedStyleSheets.pop());
  return texts
    .map(({ text, color, large }, index) => {
      const least = large ? wanted.large : wanted.text;
      const ratios = (painted[index] ?? []).map((ground) => contrast(color, ground));
      return { text, least, contrast: Math.min(...ratios) };
    })
    .filter(({ contrast, least }) => contrast < least);
}

/**
 * The contrast of the ring around what has the focus with what is painted right outside of it, at two
 * of its sides at least: next to another stands a word. WCAG 2.2, 1.4.11 asks for 3.
 */
export async function ringContrast(page: Page): Promise<number> {
  const { color, grounds } = await page.evaluate(() => {
    const focused = document.activeElement;
    const ringed = [focused, focused?.closest("tr")].find(
      (each) => each && getComputedStyle(each).outlineStyle !== "none",
    );
    const [box] = ringed?.getClientRects() ?? [];
    if (!ringed || !box) {
      throw new Error(`No ring is around ${focused?.outerHTML}`);
    }
    const { outlineColor, outlineOffset, outlineWidth } = getComputedStyle(ringed);
    const out = Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth) + 1;
    const x = (box.left + box.right) / 2;
    const y = (box.top + Math.min(box.bottom, innerHeight)) / 2; // a high field may go on below
    const beside = [
      [box.left - out, y],
      [box.right + out - 1, y],
      [x, box.top - out],
      [x, box.bottom + out - 1],
    ] as const;
    const [, red, green, blue] = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(outlineColor) ?? [];
    if (!blue) {
      throw new Error(`A ring of ${outlineColor} may not be seen`);
    }
    return {
      color: [Number(red), Number(green), Number(blue)] as Color,
      grounds: beside
        .map(([x, y]) => ({ x: Math.round(x), y: Math.round(y), width: 1, height: 1 }))
        .filter(({ x, y }) => x >= 0 && x < innerWidth && y >= 0 && y < innerHeight),
    };
  });
  const painted = await colorsIn(page, grounds, false);
  const contrasts = painted.flat().map((ground) => contrast(color, ground));
  return contrasts.sort((a, b) => b - a)[1] ?? 0;
}

/** The fields whose edge is hard to tell from the ground around it: 3:1. */
export async function faintFields(page: Page) {
  const fields = await page
    .locator(".field :is(input, textarea)")
    .evaluateAll((fields) =>
      fields.map((field) => ({ id: field.id, box: field.getBoundingClientRect().toJSON() as Box })),
    );
  const pixel = ({ x, y, height }: Box, beside: number) => ({
    x: Math.round(x) - beside,
    y: Math.round(y + height / 2),
    width: 1,
    height: 1,
  });
  const painted = await colorsIn(
    page,
    fields.flatMap(({ box }) => [pixel(box, 0), pixel(box, 4)]),
  );
  return fields
    .map(({ id }, index) => {
      const [edge = [], ground = []] = painted.slice(2 * index);
      const [edgeColor, groundColor] = [edge[0], ground[0]];
      return { id, contrast: edgeColor && groundColor ? contrast(edgeColor, groundColor) : 0 };
    })
    .filter(({ contrast }) => contrast < 3);
}

/** The different colours that are painted in each part of the page, or of the window. */
async function colorsIn(page: Page, boxes: Box[], fullPage = true): Promise<Color[][]> {
  const top = Math.floor(Math.min(...boxes.map(({ y }) => y)));
  const bottom = Math.ceil(Math.max(...boxes.map(({ y, height }) => y + height)));
  const width = page.viewportSize()?.width ?? 0;
  const clip = { x: 0, y: top, width, height: bottom - top };
  const png = (await page.screenshot({ fullPage, clip })).toString("base64");
  return page.evaluate(
    async ({ png, boxes, top }) => {
      const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes]));
      const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d", {
        willReadFrequently: true,
      });
      if (!canvas) {
        throw new Error("The browser draws no canvas");
      }
      canvas.drawImage(image, 0, 0);
      return boxes.map(({ x, y, width, height }) => {
        const { data } = canvas.getImageData(x, y - top, Math.ceil(width), Math.ceil(height));
        const colors = new Map<number, [number, number, number]>();
        for (let at = 0; at < data.length; at += 4) {
          const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
          colors.set((red << 16) | (green << 8) | blue, [red, green, blue]);
        }
        return [...colors.values()];
      });
    },
    { png, boxes, top },
  );
}
