/** How long messages are on their way to each player and back. */
import { momentOf, type Presence, players, TICK_RATE } from "./model.ts";

/** A player's round-trip time at a moment, in milliseconds; now and then a spike, as on real lines. */
export function rttOf(player: number, moment: number): number {
  const scatter = 0.06 * Math.sin(moment * (1.3 + 0.21 * player));
  const spike = 0.3 * Math.sin(moment * (0.31 + 0.07 * player)) ** 8;
  return Math.round((players[player]?.rtt ?? 0) * (1 + scatter + spike));
}

/** Median and 95th percentile (nearest rank) of those present; undefined for an empty room. */
export function rttSpread(present: Presence, moment: number) {
  const rtts = players.flatMap((_, i) => (present[i] ? rttOf(i, moment) : []));
  rtts.sort((a, b) => a - b);
  const ranked = (share: number) => rtts[Math.ceil(share * rtts.length) - 1] ?? 0;
  const upper = rtts[rtts.length >> 1];
  return upper === undefined
    ? undefined
    : { p50: Math.round((ranked(0.5) + upper) / 2), p95: ranked(0.95) };
}

/** The newest snapshot that had reached a player when an input of theirs arrives at this tick. */
export const acknowledged = (player: number, tick: number) =>
  tick - Math.ceil((rttOf(player, momentOf(tick)) / 1000) * TICK_RATE);
