/** Draws the picture that a shared link shows, for each page: its words beside one console. */
import { readFile, writeFile } from "node:fs/promises";
import sharp from "sharp";
import { parse } from "smol-toml";
import type { pages } from "../../components/src/contract.ts";
import { openBrowser } from "../browser.ts";

const CARD = { width: 1200, height: 630 };

type Copy = {
  site: { name: string };
  home: { hero: { headline: string; text: string } };
  pricing: { heading: string; subtitle: string };
  contact: { heading: string; intro: string };
};

const file = (path: string) => new URL(path, import.meta.url);
const text = (path: string) => readFile(file(path), "utf8");
const embedded = async (path: string, type: string) =>
  `data:${type};base64,${await readFile(file(path), "base64")}`;
const escaped = (words: string) => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const { site, home, pricing, contact } = parse(
  await text("../../site/content/site.toml"),
) as unknown as Copy;

type Listed = Extract<(typeof pages)[number], { listed: true }>["name"];

/** A page that is listed and has no card here doesn't compile. */
const cards: Record<Listed, { heading: string; words: string; view: string }> = {
  home: { heading: home.hero.headline, words: home.hero.text, view: "rooms" },
  pricing: { heading: pricing.heading, words: pricing.subtitle, view: "objects" },
  contact: { heading: contact.heading, words: contact.intro, view: "log" },
};

const [tokens, stylesheet, mark, font, bank] = await Promise.all([
  text("../css/tokens.css"),
  text("card.css"),
  text("../images/mark.svg"),
  embedded("../fonts/familjen-grotesk.woff2", "font/woff2"),
  embedded("../clouds/bank.svg", "image/svg+xml"),
]);

const browser = await openBrowser();
try {
  const page = await browser.newPage({ viewport: CARD, colorScheme: "light" });
  for (const [name, { heading, words, view }] of Object.entries(cards)) {
    const picture = await embedded(`../images/console-${view}-1200.avif`, "image/avif");
    await page.setContent(`<!doctype html>
      <style>
        @font-face { font-family: "Familjen Grotesk"; font-weight: 600 700; src: url(${font}); }
        ${tokens}
        ${stylesheet}
        :root { --bank: url(${bank}); }
      </style>
      <main>
        <p class="brand">${mark}${escaped(site.name)}</p>
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
} finally {
  await browser.close();
}
