/** Draws the favicon set in root/ from the mark, in the colours of the tokens. */
import { readFile, writeFile } from "node:fs/promises";
import sharp from "sharp";
import { openBrowser } from "./browser.ts";
import { withPlainColours } from "./styles.ts";
import { dayAndNight, tokens } from "./tokens.ts";

const read = (path: string) => readFile(new URL(path, import.meta.url), "utf8");
const write = (name: string, data: string | Buffer) =>
  writeFile(new URL(`root/${name}`, import.meta.url), data);

const mark = await read("images/mark.svg");
const [, width = 0, height = 0] = (/viewBox="0 0 (\d+) (\d+)"/.exec(mark) ?? []).map(Number);
const [, path] = /<path\b[^>]* d="([^"]+)"/.exec(mark) ?? [];
if (!path || !width || !height) {
  throw new Error('images/mark.svg must be one `path` in a `viewBox="0 0 WIDTH HEIGHT"`.');
}

/** The mark in the middle of a square, of which it fills so much; its steps are whole pixels. */
function drawing(size: number, part: number, style: string): string {
  const fitting = (size * part) / Math.max(width, height);
  const step = Math.floor(fitting) || fitting;
  const x = Math.floor((size - width * step) / 2);
  const y = Math.floor((size - height * step) / 2);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}">${style}<path transform="translate(${x} ${y}) scale(${step})" d="${path}"/></svg>`;
}

/** An icon file holds PNGs behind one directory entry each. */
function iconFile(images: { size: number; png: Buffer }[]): Buffer {
  const ENTRY = 16;
  const header = Buffer.alloc(6 + ENTRY * images.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(images.length, 4);
  let offset = header.length;
  for (const [i, { size, png }] of images.entries()) {
    const at = 6 + ENTRY * i;
    header.writeUInt8(size, at);
    header.writeUInt8(size, at + 1);
    header.writeUInt16LE(1, at + 4);
    header.writeUInt16LE(32, at + 6);
    header.writeUInt32LE(png.length, at + 8);
    header.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([header, ...images.map(({ png }) => png)]);
}

const [day, night] = dayAndNight("link");
const style = await withPlainColours(
  `path{fill:${day}}@media (prefers-color-scheme:dark){path{fill:${night}}}`,
);
await write("favicon.svg", `${drawing(32, 1, `<style>${style}</style>`)}\n`);

const browser = await openBrowser();
try {
  const page = await browser.newPage({ colorScheme: "light" });
  const paint = async (size: number, part: number, ground: string, mark: string) => {
    await page.setViewportSize({ width: size, height: size });
    await page.setContent(
      `<!doctype html><style>${tokens} html{background:${ground}} body{margin:0} svg{display:block;fill:${mark}}</style>${drawing(size, part, "")}`,
    );
    const png = await page.screenshot({ omitBackground: true });
    return sharp(png).png({ palette: true, compressionLevel: 9 }).toBuffer();
  };

  // Alone in a browser's tab the mark has no ground of its own.
  const small: { size: number; png: Buffer }[] = [];
  for (const size of [16, 32, 48]) {
    small.push({ size, png: await paint(size, 1, "transparent", "var(--sky-deep)") });
  }
  await write("favicon.ico", iconFile(small));

  // Systems cut these to a circle or a rounded square; the mark stays in the middle three fifths.
  for (const [name, size] of [
    ["apple-touch-icon.png", 180],
    ["icon-192.png", 192],
    ["icon-512.png", 512],
  ] as const) {
    await write(name, await paint(size, 0.6, "var(--sky-deep)", "var(--surface)"));
  }
} finally {
  await browser.close();
}
