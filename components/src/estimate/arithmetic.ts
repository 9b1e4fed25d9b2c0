/** How much bandwidth a game takes in a month, and which plan carries it. */

/** What a visitor says of their game. */
export type Game = {
  /** Players who are online, on average. */
  players: number;
  /** Kilobytes (of 1,000 bytes) in each second of one player, in both directions. */
  rate: number;
  /** Hours of each day. */
  hours: number;
};

/** What the estimate begins with. */
export const example: Game = { players: 20, rate: 7, hours: 8 };

/** The most of each that can be typed. */
export const most: Game = { players: 1_000_000, rate: 10_000, hours: 24 };

const SECONDS = 3600;
const DAYS = 30;
const KILOBYTES_IN_GIGABYTE = 1_000_000;

/** What a fraction of a billionth is off by, which binary fractions always are. */
const tidy = (value: number) => Math.round(value * 1e9) / 1e9;

/** Gigabytes (of 1,000,000 kB) in a month of 30 days. */
export const monthly = ({ players, rate, hours }: Game) =>
  tidy((players * rate * hours * SECONDS * DAYS) / KILOBYTES_IN_GIGABYTE);

/** The gigabytes of a plan's bandwidth, which is written as `60GB` or `3TB`. */
export const gigabytes = (bandwidth: string) =>
  Number.parseInt(bandwidth, 10) * (bandwidth.endsWith("TB") ? 1000 : 1);

/** The first plan that carries this many gigabytes. */
export const fitting = <Plan extends { bandwidth: string }>(plans: readonly Plan[], need: number) =>
  plans.find(({ bandwidth }) => need <= gigabytes(bandwidth));

/**
 * Gigabytes as they are shown: with one decimal below 100. Rounded up, so that what is shown is
 * never less than a plan carries which doesn't carry it.
 */
export function shown(need: number): string {
  const steps = need < 100 ? 10 : 1;
  return (Math.ceil(tidy(need * steps)) / steps).toLocaleString("en");
}

/** Whole hundredths of a bandwidth that so many gigabytes take. */
export const shareOf = (bandwidth: string, need: number) =>
  Math.round((100 * need) / gigabytes(bandwidth));

/** Hours of one player that a game takes in a month of 30 days. */
export const playerHours = ({ players, hours }: Game) => players * hours * DAYS;

/** Whole hours of one player at this rate, in kB/s, that a bandwidth carries. */
export const hoursCarried = (bandwidth: string, rate: number) =>
  Math.floor(tidy((gigabytes(bandwidth) * KILOBYTES_IN_GIGABYTE) / (rate * SECONDS)));

const ONE_BY_ONE = new Intl.NumberFormat("en");
const IN_MILLIONS = new Intl.NumberFormat("en", {
  notation: "compact",
  maximumSignificantDigits: 3,
  roundingMode: "trunc", // no more than a plan carries
});

/** Hours as the table has room for them: from a million on with three digits. */
export const hoursShown = (hours: number) =>
  (hours < 1_000_000 ? ONE_BY_ONE : IN_MILLIONS).format(hours);

/** What is written along the gauge. */
export const scale = ["1GB", "10GB", "100GB", "1TB", "10TB"];

/** Where so many gigabytes stand on a gauge from 1 GB to 10 TB, in hundredths of its length. */
export const onGauge = (need: number) =>
  Math.min(100, Math.max(0, tidy(Math.log10(Math.max(need, 1)) * 25)));
