/** Draws images/street.svg: the street by night on which every page ends, in the colours of the tokens. */
import { writeFile } from "node:fs/promises";
import { withPlainColours } from "./styles.ts";
import { dayAndNight } from "./tokens.ts";

/** The pixels of a step. The street is as long as a wide window, where it begins again. */
const STEP = 8;
const [WIDTH, HEIGHT] = [192, 13];

/** From where, how broad and how high, in steps; none ends above another's middle. */
type House = readonly [from: number, width: number, height: number];

const FAR: House[] = [
  [-3, 6, 6],
  [7, 6, 10],
  [26, 9, 7],
  [38, 7, 12],
  [46, 10, 7],
  [60, 6, 8],
  [81, 8, 7],
  [93, 5, 9],
  [106, 8, 7],
  [120, 6, 13],
  [129, 10, 6],
  [148, 6, 10],
  [154, 9, 7],
  [167, 6, 12],
  [184, 8, 6],
];
/** Of an odd width, so that their windows stand in the middle. */
const NEAR: House[] = [
  [1, 9, 6],
  [11, 5, 9],
  [17, 11, 4],
  [34, 7, 7],
  [42, 5, 5],
  [55, 9, 6],
  [65, 7, 11],
  [73, 9, 7],
  [88, 7, 6],
  [96, 11, 4],
  [113, 9, 8],
  [123, 7, 5],
  [138, 5, 9],
  [144, 11, 6],
  [162, 7, 7],
  [170, 5, 4],
  [176, 9, 8],
];
/** The windows with a light on, from the left and from above. */
const LIT = [
  [5, 9],
  [7, 11],
  [13, 6],
  [36, 8],
  [67, 6],
  [77, 8],
  [79, 10],
  [100, 11],
  [117, 7],
  [140, 8],
  [148, 9],
  [152, 11],
  [166, 8],
  [178, 7],
];

const square = ([across, down]: number[]) => `M${across} ${down}h1v1h-1z`;
const walls = ([from, width, height]: House) =>
  `M${from} ${HEIGHT}v${1 - height}h1v-1h${width - 2}v1h1v${height - 1}z`;
/** Every second pixel of every second storey. */
const windows = ([from, width, height]: House) =>
  Array.from({ length: Math.max(0, height - 3) }, (_, storey) =>
    Array.from({ length: width - 3 }, (_, bay) => [2 + bay, 2 + storey]),
  )
    .flat()
    .filter(([across = 0, down = 0]) => across % 2 === 0 && down % 2 === 0)
    .map(([across = 0, down = 0]) => square([from + across, HEIGHT - height + down]));

const fill = (token: string) => `fill="${dayAndNight(token)[0]}"`;
const path = (token: string, data: string, rest = "") =>
  `<path ${fill(token)} d="${data}"${rest}/>`;

await writeFile(
  new URL("images/street.svg", import.meta.url),
  await withPlainColours(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH * STEP}" height="${HEIGHT * STEP}" viewBox="0 0 ${WIDTH} ${HEIGHT}" shape-rendering="crispEdges">` +
      path("console-line", FAR.map(walls).join(""), ' opacity=".65"') +
      `<use href="#near" stroke="${dayAndNight("console-edge")[0]}" transform="translate(.5 -.5)"/>` +
      path("console-line", NEAR.map(walls).join(""), ' id="near"') +
      path("console", NEAR.map((house) => windows(house).join("")).join("")) +
      path("console-out", LIT.map(square).join("")) +
      "</svg>\n",
  ),
);
