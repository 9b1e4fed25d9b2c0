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

const message = await readFile(new URL("images/message.svg", import.meta.url), "utf8");

await writeFile(
  new URL("images/flight.svg", import.meta.url),
  message
    .replace(/ fill="[^"]*"/, "")
    .replace(/>(.*)<\/svg>/, `><style>${style}</style><g class="message">$1</g></svg>`),
);
