/**
 * Cuts Familjen Grotesk (OFL, licence beside this file) to the glyphs and weights that the site
 * uses, raises its dots, and writes css/fonts.css with a fallback face of the same metrics, so that
 * text does not move when one replaces the other.
 */
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import subsetFont from "subset-font";
import { openBrowser } from "../browser.ts";
import { raiseDots } from "./dots.ts";

const SOURCE =
  "@fontsource-variable/familjen-grotesk/files/familjen-grotesk-latin-wght-normal.woff2";
const WEIGHTS = { min: 400, max: 700 };
const BUDGET_BYTES = 30_000;

/** The sans that stands in for each part of the weights, by the names that systems give it. */
const STAND_INS = [
  {
    weight: 500,
    weights: "400 599",
    names: ["Arial", "ArialMT", "Liberation Sans", "Roboto", "Roboto-Regular"],
  },
  {
    weight: 700,
    weights: "600 700",
    names: ["Arial Bold", "Arial-BoldMT", "Liberation Sans Bold", "Roboto Bold", "Roboto-Bold"],
  },
];

/** Widths are compared over words of the site's own kind, at its letter frequencies. */
const SAMPLE =
  "Game Server Hosting Made Easy Simple, Transparent Pricing Ready to Host Your Game? Contact Us Send a Message Frequently Asked Questions";

const CHARACTERS =
  "U+20-7E, U+A0, U+A9, U+B7, U+2013-2014, U+2018-2019, U+201C-201D, U+2026, U+2193, U+2212";

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

const local = (names: string[]) => names.map((name) => `local("${name}")`).join(", ");

/** The widths of the sample and the heights of a line, of the face and of each of its stand-ins. */
async function measure(font: Buffer) {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    return await page.evaluate(
      async ({ data, sample, standIns }) => {
        const face = new FontFace("Subset", `url(data:font/woff2;base64,${data})`, {
          weight: "400 700",
        });
        document.fonts.add(await face.load());
        const context = document.createElement("canvas").getContext("2d");
        if (!context) throw new Error("This browser draws no canvas.");
        return Promise.all(
          standIns.map(async ({ weight, weights, source }) => {
            const standIn = new FontFace(`Stand-in ${weight}`, source);
            document.fonts.add(await standIn.load());
            const fonts = [`${weight} 1000px Subset`, `1000px "Stand-in ${weight}"`];
            const [ours, theirs] = fonts.map((font) => {
              context.font = font;
              return context.measureText(sample);
            });
            if (!ours || !theirs) throw new Error("The browser measured no text.");
            return {
              weights,
              source,
              scale: ours.width / theirs.width,
              ascent: ours.fontBoundingBoxAscent,
              descent: ours.fontBoundingBoxDescent,
            };
          }),
        );
      },
      {
        data: font.toString("base64"),
        sample: SAMPLE,
        standIns: STAND_INS.map(({ names, ...rest }) => ({ ...rest, source: local(names) })),
      },
    );
  } finally {
    await browser.close();
  }
}

const source = await readFile(createRequire(import.meta.url).resolve(SOURCE));
const cut = (font: Buffer, targetFormat: "truetype" | "woff2") =>
  subsetFont(font, charactersOf(CHARACTERS), { targetFormat, variationAxes: { wght: WEIGHTS } });
const plain = await cut(source, "truetype");
raiseDots(plain);
const font = await cut(plain, "woff2");
if (font.length > BUDGET_BYTES) {
  throw new Error(
    `The display face has ${font.length} bytes; at most ${BUDGET_BYTES} are allowed.`,
  );
}
await writeFile(new URL("familjen-grotesk.woff2", import.meta.url), font);

const percent = (ratio: number) => `${(ratio * 100).toFixed(2)}%`;
const standIns = (await measure(font)).map(
  ({ weights, source, scale, ascent, descent }) => `@font-face {
  font-family: "Familjen Grotesk Fallback";
  src: ${source};
  font-weight: ${weights};
  size-adjust: ${percent(scale)};
  ascent-override: ${percent(ascent / 1000 / scale)};
  descent-override: ${percent(descent / 1000 / scale)};
  line-gap-override: 0%;
}
`,
);

await writeFile(
  new URL("../css/fonts.css", import.meta.url),
  `/* Written by assets/fonts/subset.ts. */
@font-face {
  font-family: "Familjen Grotesk";
  src: url("../fonts/familjen-grotesk.woff2") format("woff2");
  font-weight: ${WEIGHTS.min} ${WEIGHTS.max};
  /* Preloaded, so it is there for the first paint. A page that began without it keeps the stand-in
     until it is laid out anew. */
  font-display: optional;
}

/* A sans that is already there, scaled until its lines break where the display face's do. */
${standIns.join("\n")}`,
);
console.log(`familjen-grotesk.woff2: ${font.length} bytes`);
