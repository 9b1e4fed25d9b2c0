import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { during, type Fault, type Scale, until } from "../fault.ts";
import { change, like, type Prepared, type Site, startSite, title } from "../site.ts";

/** Each way in which the copy is wrong, until an owner mends it. */
export function copyFaults(prepared: Prepared, scale: Scale): Fault[] {
  const written = (text: (good: Buffer) => string | Buffer) => (site: Site) =>
    writeFileSync(site.copy, text(readFileSync(site.copy)));
  const replaced = (by: (path: string) => void) => (site: Site) => {
    rmSync(site.copy);
    by(site.copy);
  };
  const ways: Record<string, (site: Site) => unknown> = {
    missing: replaced(() => {}),
    empty: written(() => ""),
    "half of it": written((good) => good.subarray(0, good.length / 2)),
    "no text": written(() => Buffer.alloc(5000, 0xff)),
    "2 MB": written(() => Buffer.alloc(2_000_000, "#")),
    "a directory": replaced((path) => mkdirSync(path)),
    "a pipe": replaced((path) => execFileSync("mkfifo", [path])),
    [`changed ${scale.changes} times`]: async (site) => {
      for (let turn = 0; turn < scale.changes; turn++) {
        change(site);
        await pause(20);
      }
      await until("a change", async () => (await title(site)).startsWith("Change"));
    },
  };
  return Object.entries(ways).map(([name, spoil]) => ({
    name: `copy ${name}`,
    inflict: async () => {
      const state = like(prepared.state);
      prepared.lendSidecar(state);
      const site = await startSite(state);
      return during(site, scale, async () => {
        await spoil(site);
        await pause(1200);
        const before = await title(site);
        rmSync(site.copy, { recursive: true, force: true });
        const expected = change(site);
        const recovery = await until("the change", async () =>
          (await title(site)).startsWith(expected),
        );
        const served = name.startsWith("changed") ? "Change" : "Tickfleet";
        return {
          recovery,
          wrong: before.startsWith(served) ? "" : `what was served meanwhile began "${before}"`,
        };
      });
    },
  }));
}
