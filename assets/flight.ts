/** Draws images/flight.svg: a message on its way above the clouds, in the colours of the tokens. */
import { readFile, writeFile } from "node:fs/promises";
import { withPlainColours } from "./styles.ts";
import { dayAndNight } from "./tokens.ts";

/** As broad as any field, and as high as all but its sky; it hangs on the field's lower right corner. */
const [WIDTH, HEIGHT] = [720, 108];
/** The pixels of a step. */
const STEP = 3;

/** What is filled with which token. */
const FILLS = { message: "ink", behind: "cloud-mid", before: "cloud-front", lit: "bank-lit" };

/** The envelope of the form's note, twice as large, and the wind behind it. */
const MESSAGE =
  "M96 0h48v6h-6v6h-6v6h-6v6h-12v-6h-6v-6h-6v-6h-6zM96 12h6v6h6v6h6v6h12v-6h6v-6h6v-6h6v24h-48z" +
  "M12 16h12v4h-12zM36 16h12v4h-12zM60 16h20v4h-20zM44 26h12v4h-12zM68 26h12v4h-12z";

const fills = (time: 0 | 1) =>
  Object.entries(FILLS)
    .map(([name, token]) => `.${name}{fill:${dayAndNight(token)[time]}}`)
    .join("");
const [[drift], [ease]] = [dayAndNight("drift"), dayAndNight("ease-drift")];
const style = await withPlainColours(
  `${fills(0)}@media (prefers-color-scheme:dark){${fills(1)}}` +
    `@media (prefers-reduced-motion:no-preference){.message{animation:fly ${drift} ${ease} backwards}}` +
    "@keyframes fly{from{opacity:0;transform:translate(-90px,36px)}}",
);

const bank = await readFile(new URL("clouds/bank.svg", import.meta.url), "utf8");
const [, clouds] = /<path\b[^>]* d="([^"]+)"/.exec(bank) ?? [];
if (!clouds) {
  throw new Error("clouds/bank.svg must have a `path`.");
}

/** A bank so many steps from the left and above the foot, under the step on which its light falls. */
const layer = (name: string, across: number, up: number) =>
  `<g transform="translate(${across * STEP} ${HEIGHT - (16 + up) * STEP}) scale(${STEP})">` +
  `<use href="#bank" y="-1" class="lit"/><use href="#bank" class="${name}"/></g>`;

await writeFile(
  new URL("images/flight.svg", import.meta.url),
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" shape-rendering="crispEdges">` +
    `<style>${style}</style><defs><path id="bank" d="${clouds}"/></defs>` +
    `<g transform="translate(${WIDTH - 84 - 144} 24)"><path class="message" d="${MESSAGE}"/></g>` +
    `${layer("behind", -100, -1)}${layer("before", -60, -5)}</svg>\n`,
);
