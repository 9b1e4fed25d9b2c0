/**
 * Photographs the three product views, and the pieces of them that the points show, at 2x into
 * ../images, as AVIF and WebP in several widths.
 * With a folder as argument it also leaves the unscaled PNGs there, to look at.
 */
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import sharp from "sharp";
import { openBrowser } from "../browser.ts";
import { pointsView } from "./points.ts";
import { logView, objectsView, roomsView } from "./views.ts";

/** What a picture of each width may cost. */
const WIDE = { 480: 25_000, 800: 25_000, 1200: 60_000 };
/** WebP is for browsers that don't know AVIF. */
const WIDE_BYTES = { avif: WIDE, webp: { 800: 25_000 } };
/**
 * Phones see narrower consoles with larger type. The front one is their largest paint: at this size
 * it arrives within two round trips of a slow network, beside the font.
 */
const FRONT_BYTES = { avif: { 480: 10_500, 720: 11_100 }, webp: {} };
/** Tablets that lie see one that is between the two. */
const MIDDLE_BYTES = { avif: { 480: 14_000, 960: 25_000 }, webp: {} };
/** Of those behind only an edge is seen. */
const REAR_BYTES = { avif: { 480: 3_200 }, webp: {} };
/** Fetched when they come near; without them the words say it all, so no WebP. */
const BROAD_POINTS_BYTES = { avif: { 932: 20_000, 1176: 22_000 }, webp: {} };
const POINTS_BYTES = { avif: { 768: 20_000 }, webp: {} };
const NARROW_POINTS_BYTES = { avif: { 610: 20_000, 720: 24_000 }, webp: {} };

/**
 * Everything that is photographed: a name, what is drawn, on which canvas, in which widths. The
 * points of wide windows have canvases as broad as they are shown, so that letters stay sharp.
 */
const photographs = [
  ["rooms", roomsView(), { width: 960, height: 640 }, WIDE_BYTES],
  ["log", logView(), { width: 960, height: 640 }, WIDE_BYTES],
  ["objects", objectsView(), { width: 960, height: 640 }, WIDE_BYTES],
  ["rooms-narrow", roomsView("narrow"), { width: 500, height: 406 }, FRONT_BYTES],
  ["rooms-middle", roomsView("narrow middle"), { width: 640, height: 520 }, MIDDLE_BYTES],
  ["log-narrow", logView("narrow"), { width: 360, height: 240 }, REAR_BYTES],
  ["objects-narrow", objectsView("narrow"), { width: 360, height: 240 }, REAR_BYTES],
  ["points-broad", pointsView("broad"), { width: 588, height: 392 }, BROAD_POINTS_BYTES],
  ["points", pointsView("wide"), { width: 384, height: 384 }, POINTS_BYTES],
  ["points-narrow", pointsView("narrow"), { width: 600, height: 1200 }, NARROW_POINTS_BYTES],
] as const;

const require = createRequire(import.meta.url);
const stylesheet = (path: string) => readFile(new URL(path, import.meta.url), "utf8");

async function fontFace(family: string, path: string): Promise<string> {
  const data = await readFile(require.resolve(path), "base64");
  return `@font-face { font-family: "${family}"; font-weight: 100 900; src: url(data:font/woff2;base64,${data}); }`;
}

// The consoles' type is embedded, so that the pictures do not depend on this machine's fonts.
const css = await Promise.all([
  stylesheet("../css/tokens.css"),
  stylesheet("console.css"),
  stylesheet("narrow.css"),
  stylesheet("points.css"),
  fontFace(
    "Familjen Grotesk",
    "@fontsource-variable/familjen-grotesk/files/familjen-grotesk-latin-wght-normal.woff2",
  ),
  fontFace(
    "JetBrains Mono",
    "@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
  ),
]);

/** The best picture that keeps to the budget. */
async function encode(
  photograph: Buffer,
  width: number,
  format: "avif" | "webp",
  budget: number,
): Promise<Buffer> {
  const image = sharp(photograph).resize({ width });
  for (let quality = 66; quality >= 18; quality -= 2) {
    const data = await (format === "avif"
      ? image.clone().avif({ quality, effort: 9, chromaSubsampling: "4:4:4" })
      : image.clone().webp({ quality, effort: 6, smartSubsample: true })
    ).toBuffer();
    if (data.length <= budget) return data;
  }
  throw new Error(`No ${format} quality keeps to ${budget} bytes: draw less.`);
}

const browser = await openBrowser();
try {
  const page = await browser.newPage({
    deviceScaleFactor: 2,
  });
  for (const [name, html, canvas, budgets] of photographs) {
    await page.setViewportSize(canvas);
    await page.setContent(`<!doctype html><style>${css.join("\n")}</style>${html}`);
    await page.evaluate(() => document.fonts.ready);
    const photograph = await page.screenshot({ type: "png" });
    const folder = process.argv[2];
    if (folder) await writeFile(join(folder, `${name}.png`), photograph);
    for (const format of ["avif", "webp"] as const) {
      for (const [width, budget] of Object.entries(budgets[format])) {
        const data = await encode(photograph, Number(width), format, budget);
        const file = `console-${name}-${width}.${format}`;
        await writeFile(new URL(`../images/${file}`, import.meta.url), data);
        console.log(`${file}: ${data.length} bytes`);
      }
    }
  }
} finally {
  await browser.close();
}
