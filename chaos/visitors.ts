import { Agent } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { type Address, ask } from "../bench/http.ts";
import type { Scale } from "./fault.ts";

/** The pages that are asked for in turn. */
export const PAGES = ["/", "/pricing", "/contact"];

/** Whoever has waited for so many milliseconds has no answer. */
export const LAST = 30_000;

/** What visitors saw. */
export type Seen = { sent: number; failed: number; times: number[]; why: string[] };

/**
 * Visitors who ask for pages until they are stopped: half of them keep their connections. A page that
 * isn't whole within their patience has failed. With `again` these ask once more where one is closed
 * under them, as browsers do (RFC 9112, section 9.3.1).
 */
export function visit(
  address: Address,
  { visitors, patience: within }: Scale,
  { again = false } = {},
) {
  const seen: Seen = { sent: 0, failed: 0, times: [], why: [] };
  let stopped = false;
  const visitor = async (number: number) => {
    const agent = number % 2 === 0 ? new Agent({ keepAlive: true, maxSockets: 1 }) : false;
    for (let turn = number; !stopped; turn++) {
      const path = PAGES[turn % PAGES.length] ?? "/";
      const begun = performance.now();
      const page = () =>
        ask(address, path, { agent, within, headers: { "accept-encoding": "br" } });
      const closed = (error: NodeJS.ErrnoException) => {
        if (error.code === "ABORT_ERR") throw error;
        return page();
      };
      const answered = again && agent ? page().catch(closed) : page();
      const status = await answered.then(
        (answer) => `status ${answer.status}`,
        (error: Error) => error.message,
      );
      seen.times.push(performance.now() - begun);
      seen.sent += 1;
      if (status !== "status 200") {
        seen.failed += 1;
        seen.why.push(status);
      }
      await pause(5);
    }
    if (agent) {
      agent.destroy();
    }
  };
  const all = Array.from({ length: visitors }, (_, number) => visitor(number));
  return async () => {
    stopped = true;
    await Promise.all(all);
    return seen;
  };
}

/** The time that all but one in a hundred took at most. */
export function p99(times: number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
}

/** Posts a message as a visitor from this address does; true where it was accepted. */
export async function send(address: Address, from: string, message: string): Promise<boolean> {
  const form = { name: "Ada", email: "ada@example.com", message, website: "" };
  const headers = { accept: "application/json", "x-forwarded-for": from };
  const body = new URLSearchParams(form).toString();
  return ask(address, "/contact", { headers, body, within: LAST }).then(
    ({ status }) => status === 200,
    () => false,
  );
}
