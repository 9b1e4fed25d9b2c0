import { setTimeout as pause } from "node:timers/promises";
import { median } from "../../bench/figures.ts";
import { memory, processorTime } from "../../bench/proc.ts";
import { stop } from "../../bench/processes.ts";
import { type Fault, type Scale, visited } from "../fault.ts";
import { endHelper, said, startScript } from "../helper.ts";
import { like, type Prepared, startSite } from "../site.ts";
import { p99, type Seen, send, visit } from "../visitors.ts";

/** The most memory that a site may hold under attack and after it, in megabytes. */
const HELD = 120;
/** The same where every form is another client's: a hundred of them are read at once (decision 84). */
const HELD_OF_MANY = 150;
const AFTERWARDS = 40;
/** How much longer than usual all but one in a hundred pages may take under attack. */
const SLOWER = 2;
/** How long pages are asked for, in milliseconds. */
const VISIT = 2000;

/** Hostile connections: pages meanwhile, their times beside those of quiet, and memory. */
export function connectionFaults(prepared: Prepared, scale: Scale): Fault[] {
  const hostile = ["heads", "bodies", "bodies of many", "readers", "idle"].map((way) => ({
    name: `${scale.hostile} hostile connections: ${way}`,
    inflict: async () => {
      const site = await startSite(like(prepared.state));
      const quiet: number[] = [];
      const attacked: number[] = [];
      const seen: Seen = { sent: 0, failed: 0, times: [], why: [] };
      let held = 0;
      let busy = 0;
      for (let round = 0; round < scale.rounds; round++) {
        const calm = await visited(site, scale, VISIT);
        quiet.push(p99(calm.times));
        const attacker = await attack(way, site.port, scale.hostile);
        // Until what all of them have sent at once is through.
        await pause(scale.settle);
        const before = processorTime(site.pid);
        const under = await visited(site, scale, VISIT);
        busy = Math.max(busy, (processorTime(site.pid) - before) / (VISIT / 1000));
        attacked.push(p99(under.times));
        for (const { sent, failed, why } of [calm, under]) {
          seen.sent += sent;
          seen.failed += failed;
          seen.why.push(...why);
        }
        held = Math.max(held, memory(site.pid).resident);
        await endHelper(attacker);
        await pause(300);
      }
      const begun = performance.now();
      const accepted = await send(site.address, "203.0.113.9", `after ${way}`);
      const recovery = performance.now() - begun;
      await pause(1000);
      const left = memory(site.pid).resident;
      await stop(site);
      const [usual, slow] = [median(quiet), median(attacked)];
      const measured = scale.lanes === 1;
      const most = way === "bodies of many" ? HELD_OF_MANY : HELD;
      const wrong = [
        !accepted && "a message was refused",
        measured && held > most && `more than ${most} MB held`,
        measured && left > AFTERWARDS && `more than ${AFTERWARDS} MB afterwards`,
        measured && slow > SLOWER * usual && `pages take more than ${SLOWER} times as long`,
      ];
      return {
        seen,
        recovery,
        note:
          `p99 ${usual.toFixed(1)} ms quiet, ${slow.toFixed(1)} ms attacked; ` +
          `${held.toFixed(0)} MB held, ${left.toFixed(0)} MB afterwards; ` +
          `${(busy * 100).toFixed(0)} % of a processor`,
        wrong: wrong.filter(Boolean).join(", "),
      };
    },
  }));
  const fewFiles: Fault = {
    // Connections are closed to make room, and nobody is kept out.
    name: "200 open files, 400 idle connections",
    inflict: async () => {
      const site = await startSite(like(prepared.state), {}, ["prlimit", "--nofile=200"]);
      // Never all at once: each that is closed is opened again.
      const attacker = await attack("idle", site.port, 400, 150);
      const leave = visit(site.address, scale, { again: true });
      await pause(VISIT);
      const seen = await leave();
      await endHelper(attacker);
      await stop(site);
      return { seen, recovery: 0 };
    },
  };
  return [...hostile, fewFiles];
}

/** Opens hostile connections from a process of their own; resolves once so many are open. */
async function attack(way: string, port: number, count: number, open = count) {
  const attacker = startScript("chaos/attacker.ts", [way, `${port}`, `${count}`, `${open}`]);
  await said(attacker);
  return attacker;
}
