/** Draws the picture that a shared link shows, for each page: its words beside one console. */
import { readFile, writeFile } from "node:fs/promises";
import sharp from "sharp";
import { openBrowser } from "../browser.ts";
import { drawn, wanted } from "./words.ts";

const CARD = { width: 1200, height: 630 };

const file = (path: string) => new URL(path, import.meta.url);
const text = (path: string) => readFile(file(path), "utf8");
const embedded = async (path: string, type: string) =>
  `data:${type};base64,${await readFile(file(path), "base64")}`;
const escaped = (words: string) => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const [tokens, stylesheet, mark, font, bank] = await Promise.all([
  text("../css/tokens.css"),
  text("card.css"),
  text("../images/mark.svg"),
  embedded("../fonts/familjen-grotesk.woff2", "font/woff2"),
  embedded("../clouds/bank.svg", "image/svg+xml"),
]);

const cards = await wanted();
const browser = await openBrowser();
try {
  const page = await browser.newPage({ viewport: CARD, colorScheme: "light" });
  for (const [name, { brand, heading, words, view }] of Object.entries(cards)) {
    const picture = await embedded(`../images/console-${view}-1200.avif`, "image/avif");
    await page.setContent(`<!doctype html>
      <style>
        @font-face { font-family: "Familjen Grotesk"; font-weight: 600 700; src: url(${font}); }
        ${tokens}
        ${stylesheet}
        :root { --bank: url(${bank}); }
      </style>
      <main>
        <p class="brand">${mark}${escaped(brand)}</p>
        <h1>${escaped(heading)}</h1>
        <p class="words">${escaped(words)}</p>
      </main>
      <img src="${picture}" alt="">
      <i class="bank behind"></i><i class="bank"></i>`);
    await page.evaluate(async () => {
      await document.fonts.ready;
      await Promise.all(Array.from(document.images, (image) => image.decode()));
    });
    const card = await sharp(await page.screenshot())
      .png({ palette: true, quality: 90, compressionLevel: 9, effort: 10 })
      .toBuffer();
    await writeFile(file(`../images/social-${name}.png`), card);
    console.log(`social-${name}.png: ${card.length} bytes`);
  }
  await writeFile(drawn, `${JSON.stringify(cards, undefined, 2)}\n`);
} finally {
  await browser.close();
}
