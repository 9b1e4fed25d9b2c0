/** Draws images/flight.svg: a message on its way above the clouds, in the colours of the tokens. */
import { readFile, writeFile } from "node:fs/promises";
import { withPlainColours } from "./styles.ts";
import { dayAndNight } from "./tokens.ts";

/** As broad as any field, and as high as all but its sky; it hangs on the field's lower right corner. */
const [WIDTH, HEIGHT] = [720, 108];
/** The pixels of a step. */
const STEP = 3;

/** What is filled with which token. */
const FILLS = {
  message: "ink",
  paper: "console-ink",
  folds: "house-lit",
  seal: "sun",
  behind: "cloud-mid",
  before: "cloud-front",
  lit: "bank-lit",
};

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

/** The paths of a drawing. */
async function pathsOf(file: string): Promise<string> {
  const svg = await readFile(new URL(file, import.meta.url), "utf8");
  const paths = svg.match(/<path\b[^>]*>/g);
  if (!paths) {
    throw new Error(`${file} must have a \`path\`.`);
  }
  return paths.join("");
}

/** A bank so many steps from the left and above the foot, under the step on which its light falls. */
const layer = (name: string, across: number, up: number) =>
  `<g transform="translate(${across * STEP} ${HEIGHT - (16 + up) * STEP}) scale(${STEP})">` +
  `<use href="#bank" y="-1" class="lit"/><use href="#bank" class="${name}"/></g>`;

await writeFile(
  new URL("images/flight.svg", import.meta.url),
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" shape-rendering="crispEdges">` +
    `<style>${style}</style><defs>${await pathsOf("clouds/bank.svg")}</defs>` +
    `<g transform="translate(${WIDTH - 84 - 144} 24)"><g class="message"><g transform="scale(2)">${await pathsOf("images/message.svg")}</g></g></g>` +
    `${layer("behind", -100, -1)}${layer("before", -60, -5)}</svg>\n`,
);
