/**
 * Cuts Familjen Grotesk (OFL, licence beside this file) to the glyphs and weights that the site
 * uses, and writes css/fonts.css with a fallback face of the same metrics, so that text does not
 * move when one replaces the other.
 */
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import subsetFont from "subset-font";
import { openBrowser } from "../browser.ts";

const SOURCE =
  "@fontsource-variable/familjen-grotesk/files/familjen-grotesk-latin-wght-normal.woff2";
const WEIGHTS = { min: 600, max: 700 };
const HEADING_WEIGHT = 700;
const BUDGET_BYTES = 30_000;

/** Widths are compared over words of the site's own kind, at its letter frequencies. */
const SAMPLE =
  "Game Server Hosting Made Easy Simple, Transparent Pricing Ready to Host Your Game? Contact Us Send a Message Frequently Asked Questions";

const unicodeRange = "U+20-7E, U+A0, U+A9, U+B7, U+2013-2014, U+2018-2019, U+201C-201D, U+2026";

function charactersOf(range: string): string {
  return range
    .split(",")
    .map((part) => part.trim().slice(2).split("-"))
    .flatMap(([first = "", last = first]) => {
      const start = Number.parseInt(first, 16);
      const end = Number.parseInt(last, 16);
      return Array.from({ length: end - start + 1 }, (_, i) => String.fromCodePoint(start + i));
    })
    .join("");
}

async function measure(font: Buffer) {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    return await page.evaluate(
      async ({ data, sample, weight }) => {
        const face = new FontFace("Subset", `url(data:font/woff2;base64,${data})`, {
          weight: "600 700",
        });
        const arial = new FontFace(
          "Reference",
          'local("Arial Bold"), local("Liberation Sans Bold")',
        );
        for (const each of [face, arial]) document.fonts.add(await each.load());
        const context = document.createElement("canvas").getContext("2d");
        if (!context) throw new Error("This browser draws no canvas.");
        return [`${weight} 1000px Subset`, "1000px Reference"].map((font) => {
          context.font = font;
          const { width, fontBoundingBoxAscent, fontBoundingBoxDescent } =
            context.measureText(sample);
          return { width, ascent: fontBoundingBoxAscent, descent: fontBoundingBoxDescent };
        });
      },
      { data: font.toString("base64"), sample: SAMPLE, weight: HEADING_WEIGHT },
    );
  } finally {
    await browser.close();
  }
}

const source = await readFile(createRequire(import.meta.url).resolve(SOURCE));
const font = await subsetFont(source, charactersOf(unicodeRange), {
  targetFormat: "woff2",
  variationAxes: { wght: WEIGHTS },
});
if (font.length > BUDGET_BYTES) {
  throw new Error(
    `The display face has ${font.length} bytes; at most ${BUDGET_BYTES} are allowed.`,
  );
}
await writeFile(new URL("familjen-grotesk.woff2", import.meta.url), font);

const [face, arial] = await measure(font);
if (!face || !arial) throw new Error("The browser measured no text.");
const scale = face.width / arial.width;
const percent = (ratio: number) => `${(ratio * 100).toFixed(2)}%`;

await writeFile(
  new URL("../css/fonts.css", import.meta.url),
  `/* Written by assets/fonts/subset.ts. */
@font-face {
  font-family: "Familjen Grotesk";
  src: url("../fonts/familjen-grotesk.woff2") format("woff2");
  font-weight: ${WEIGHTS.min} ${WEIGHTS.max};
  /* Preloaded, so it is there for the first paint; a page that began without it stays without. */
  font-display: optional;
  unicode-range: ${unicodeRange};
}

/* A sans that is already there, scaled until its lines break where the display face's do. */
@font-face {
  font-family: "Familjen Grotesk Fallback";
  src:
    local("Arial Bold"), local("Arial-BoldMT"), local("Liberation Sans Bold"), local("Roboto Bold"),
    local("Roboto-Bold");
  font-weight: ${WEIGHTS.min} ${WEIGHTS.max};
  size-adjust: ${percent(scale)};
  ascent-override: ${percent(face.ascent / 1000 / scale)};
  descent-override: ${percent(face.descent / 1000 / scale)};
  line-gap-override: 0%;
}
`,
);
console.log(`familjen-grotesk.woff2: ${font.length} bytes`);
