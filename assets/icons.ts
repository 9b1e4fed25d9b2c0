/** Draws the favicon set in root/ from the mark, in the colours of the tokens. */
import { readFile, writeFile } from "node:fs/promises";
import sharp from "sharp";
import { openBrowser } from "./browser.ts";

const read = (path: string) => readFile(new URL(path, import.meta.url), "utf8");
const write = (name: string, data: string | Buffer) =>
  writeFile(new URL(`root/${name}`, import.meta.url), data);

const tokens = await read("css/tokens.css");
const [, path = ""] = /<path d="([^"]+)"/.exec(await read("images/mark.svg")) ?? [];
const MARK = { width: 15, height: 9 };

/** The mark, each of its steps so many pixels, in the middle of a square. */
function drawing(size: number, step: number, style: string): string {
  const x = Math.floor((size - MARK.width * step) / 2);
  const y = Math.floor((size - MARK.height * step) / 2);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}">${style}<path transform="translate(${x} ${y}) scale(${step})" d="${path}"/></svg>`;
}

/** The values that a token has by day and by night. */
function values(token: string): string[] {
  const found = [...tokens.matchAll(new RegExp(`--${token}: ([^;]+);`, "g"))].map(
    ([, value = ""]) => value,
  );
  if (found.length === 0) throw new Error(`css/tokens.css has no --${token}.`);
  return found;
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

const [day, night] = values("link");
await write(
  "favicon.svg",
  `${drawing(32, 2, `<style>path{fill:${day}}@media (prefers-color-scheme:dark){path{fill:${night}}}</style>`)}\n`,
);

const browser = await openBrowser();
try {
  const page = await browser.newPage({ colorScheme: "light" });
  const paint = async (size: number, step: number, ground: string, mark: string) => {
    await page.setViewportSize({ width: size, height: size });
    await page.setContent(
      `<!doctype html><style>${tokens} html{background:${ground}} body{margin:0} svg{display:block;fill:${mark}}</style>${drawing(size, step, "")}`,
    );
    const png = await page.screenshot({ omitBackground: true });
    return sharp(png).png({ palette: true, compressionLevel: 9 }).toBuffer();
  };

  // Alone in a browser's tab the mark has no ground of its own.
  const small: { size: number; png: Buffer }[] = [];
  for (const [size, step] of [
    [16, 1],
    [32, 2],
    [48, 3],
  ] as const) {
    small.push({ size, png: await paint(size, step, "transparent", "var(--sky-deep)") });
  }
  await write("favicon.ico", iconFile(small));

  // Systems cut these to a circle or a rounded square; the mark stays in the middle three fifths.
  for (const [name, size, step] of [
    ["apple-touch-icon.png", 180, 7],
    ["icon-192.png", 192, 7],
    ["icon-512.png", 512, 20],
  ] as const) {
    await write(name, await paint(size, step, "var(--sky-deep)", "var(--surface)"));
  }
} finally {
  await browser.close();
}
