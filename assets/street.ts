/** Draws images/street.svg: the street on which the footer's last line stands, in the colours of the tokens. */
import { writeFile } from "node:fs/promises";
import { withPlainColours } from "./styles.ts";
import { dayAndNight } from "./tokens.ts";

/** The pixels of a step; the street is as long as the widest page, and as high as its highest house. */
const STEP = 4;
const [WIDTH, HEIGHT] = [300, 11];
/** The line below it, which is a pixel. */
const LINE = 1 / STEP;

/** From where, how broad and how high, in steps. Where a phone's or a tablet's page ends there is a gap, or a hedge. */
const HOUSES: [from: number, width: number, height: number][] = [
  [2, 12, 7],
  [14, 6, 10],
  [21, 10, 5],
  [36, 9, 6],
  [45, 5, 9],
  [57, 9, 5],
  [72, 5, 7],
  [80, 16, 2],
  [98, 9, 7],
  [111, 6, 8],
  [117, 10, 10],
  [128, 6, 5],
  [139, 9, 6],
  [152, 11, 8],
  [164, 6, 6],
  [178, 8, 5],
  [196, 9, 9],
  [206, 12, 5],
  [219, 6, 7],
  [241, 10, 7],
  [262, 9, 9],
  [278, 6, 6],
  [285, 12, 8],
];
/** The windows with a light on, from the left and from above. */
const LIT = [
  [16, 3],
  [59, 8],
  [121, 5],
  [156, 7],
  [200, 6],
  [266, 6],
  [289, 7],
];

type House = (typeof HOUSES)[number];

const square = ([across, down]: number[]) => `M${across} ${down}h1v1h-1z`;
const walls = ([from, width, height]: House) =>
  `M${from} ${HEIGHT}v${1 - height}h1v-1h${width - 2}v1h1v${height - 1}z`;
const roof = ([from, width, height]: House) =>
  `M${from + 1} ${HEIGHT - height}h${width - 2}v1h${2 - width}z`;
/** Every second pixel of every second storey has a window, or would: half of them are bricked up. */
const windows = ([from, width, height]: House) =>
  Array.from({ length: height - 3 }, (_, storey) =>
    Array.from({ length: width - 4 }, (_, bay) => [2 + bay, 2 + storey]),
  )
    .flat()
    .filter(
      ([across = 0, down = 0]) => (across % 2) + (down % 2) === 0 && (across + down) % 4 === 0,
    )
    .map(([across = 0, down = 0]) => square([from + across, HEIGHT - height + down]));

const [[house], [light]] = [dayAndNight("console-edge"), dayAndNight("console-out")];
const style = await withPlainColours(`path{fill:${house}}.lit{fill:${light}}`);
const layer = (opacity: number, path: string) =>
  `<path opacity="${opacity}" fill-rule="evenodd" d="${path}"/>`;

await writeFile(
  new URL("images/street.svg", import.meta.url),
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH * STEP}" height="${(HEIGHT + LINE) * STEP}" viewBox="0 0 ${WIDTH} ${HEIGHT + LINE}" shape-rendering="crispEdges">` +
    `<style>${style}</style>` +
    layer(0.38, HOUSES.map((house) => walls(house) + windows(house).join("")).join("")) +
    layer(0.3, HOUSES.map(roof).join("")) +
    layer(0.6, `M0 ${HEIGHT}h${WIDTH}v${LINE}H0z`) +
    `<path class="lit" d="${LIT.map(square).join("")}"/></svg>\n`,
);
