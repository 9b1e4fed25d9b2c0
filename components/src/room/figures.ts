/**
 * How numbers are written.
 *
 * Every figure is rounded once, from a product of whole numbers. Rows are rounded together by the
 * largest remainder, so that what is shown adds up to the total that is shown; a row is then off by
 * less than one of its last digit.
 */
import type { Traffic } from "./traffic.ts";

/** Tenths of a byte in each tenth of a kilobyte (1 kB = 1000 B). */
const STEP = 1000;

/** Parts, rounded to whole steps that add up to the rounded sum of all. */
export function apportion(parts: readonly number[], step: number): number[] {
  const whole = parts.map((part) => Math.floor(part / step));
  const total = Math.round(parts.reduce((sum, part) => sum + part, 0) / step);
  const missing = whole.reduce((left, part) => left - part, total);
  const remainders = parts.map((part, i) => [part % step, i] as const);
  for (const [, i] of remainders.sort((a, b) => b[0] - a[0]).slice(0, missing)) {
    whole[i] = (whole[i] ?? 0) + 1;
  }
  return whole;
}

/** One decimal, from tenths. */
export const decimal = (tenths: number) => (tenths / 10).toFixed(1);

/** A flow in kB/s, from tenths of a byte in each second. */
export const rate = (flow: number) => decimal(Math.round(flow / STEP));

/** The rows of a table of traffic in kB/s, adding up to the rate of the whole. */
export const rowRates = (traffic: Traffic, direction: "out" | "in") =>
  apportion(
    traffic.rows.map((row) => row[direction]),
    STEP,
  ).map(decimal);

/** Whole megabytes (1 MB = 1,000,000 B) in an hour of a flow. */
export const hourly = (flow: number) => thousands(Math.round((flow * 3600) / 10 / 1_000_000));

/** A whole number with its thousands set apart. */
export const thousands = (value: number) => value.toLocaleString("en");

/** A number with one decimal and a true minus sign. */
export const signed = (value: number) => value.toFixed(1).replace("-", "−");
