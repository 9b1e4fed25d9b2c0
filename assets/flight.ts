/** Draws images/flight.svg: a message on its way, in the colours of the tokens. */
import { readFile, writeFile } from "node:fs/promises";
import { withPlainColours } from "./styles.ts";
import { dayAndNight } from "./tokens.ts";

/** What is filled with which token. */
const FILLS = {
  message: "ink",
  paper: "console-ink",
  folds: "house-lit",
  seal: "sun",
};

const fills = (time: 0 | 1) =>
  Object.entries(FILLS)
    .map(([name, token]) => `.${name}{fill:${dayAndNight(token)[time]}}`)
    .join("");
const [[drift], [ease]] = [dayAndNight("drift"), dayAndNight("ease-drift")];
const style = await withPlainColours(
  `${fills(0)}@media (prefers-color-scheme:dark){${fills(1)}}` +
    `@media (prefers-reduced-motion:no-preference){.message{animation:fly ${drift} ${ease} backwards}}` +
    "@keyframes fly{from{opacity:0;transform:translate(-45px,9px)}}",
);

/** What it leaves behind where there is room: the shorter, the longer ago. One begins where words do on most phones. */
const trail = Array.from({ length: 18 }, (_, i) => {
  const long = 2 * (3 - Math.floor(i / 6));
  return `M${-2 - 10 * i} 8h${long}v2h-${long}z`;
}).join("");

const message = await readFile(new URL("images/message.svg", import.meta.url), "utf8");

await writeFile(
  new URL("images/flight.svg", import.meta.url),
  message
    .replace(/ fill="[^"]*"/, "")
    .replace('viewBox="6 0 66', 'viewBox="-180 0 252')
    .replace(
      />(.*)<\/svg>/,
      `><style>${style}</style><g class="message"><path d="${trail}"/>$1</g></svg>`,
    ),
);
