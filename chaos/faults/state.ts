import { chmodSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { stop } from "../../bench/processes.ts";
import { during, type Fault, type Scale, until } from "../fault.ts";
import { change, like, type Prepared, type Site, startSite, title } from "../site.ts";
import { send } from "../visitors.ts";

/** A file system without room, on which nothing can be written. */
const FULL = ["env", "--ignore-signal=XFSZ", "prlimit", "--fsize=0"];
/** As an account that its folder's mode holds for; root may write everywhere. */
const UNPRIVILEGED =
  process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : [];

/** What becomes of the state folder, and of a start from what is left of it. */
export function stateFaults(prepared: Prepared, scale: Scale): Fault[] {
  const own = () => {
    const state = like(prepared.state);
    prepared.lendSidecar(state);
    return state;
  };
  const damages: Record<string, (state: string) => void> = {
    deleted: (state) => {
      rmSync(join(state, "kept"), { recursive: true });
      rmSync(join(state, "builds"), { recursive: true });
    },
    "kept files damaged": (state) => {
      for (const file of readdirSync(join(state, "kept"))) {
        truncateSync(join(state, "kept", file), 20);
      }
    },
  };
  const damaged = Object.entries(damages).map(([name, damage]) => ({
    name: `state folder: ${name}`,
    inflict: async () => {
      const site = await startSite(own());
      return during(site, scale, async () => {
        await still(site, () => damage(site.state));
        return { recovery: await changed(site) };
      });
    },
  }));
  const full: Fault = {
    name: "state folder: full",
    inflict: async () => {
      const site = await startSite(own(), {}, FULL);
      return during(site, scale, async () => ({
        recovery: await changed(site),
        ...refusing(await send(site.address, "203.0.113.1", "no room")),
      }));
    },
  };
  const readOnly: Fault = {
    name: "state folder: read-only",
    inflict: async () => {
      const state = own();
      const modes = (folders: number, files: number) => {
        for (const entry of readdirSync(state, { recursive: true, withFileTypes: true })) {
          const path = join(entry.parentPath, entry.name);
          if (entry.isDirectory() || entry.isFile()) {
            chmodSync(path, entry.isDirectory() ? folders : files);
          }
        }
        chmodSync(state, folders);
      };
      const site = await startSite(state, {}, UNPRIVILEGED);
      return during(site, scale, async () => {
        await still(site, () => modes(0o500, 0o400));
        chmodSync(site.copy, 0o600);
        await changed(site);
        const told = refusing(await send(site.address, "203.0.113.1", "nowhere to write"));
        await still(site, () => modes(0o700, 0o600));
        const recovery = await until("a message is accepted", () =>
          send(site.address, "203.0.113.2", "again"),
        );
        return { recovery, ...told };
      });
    },
  };
  const broken: Fault = {
    name: "start with a broken copy and no sidecar",
    inflict: async () => {
      const state = like(prepared.state);
      // Only what was served is kept as the last good edition.
      await stop(await startSite(state));
      writeFileSync(join(state, "site.toml"), "nonsense");
      const begun = performance.now();
      const site = await startSite(state);
      const recovery = performance.now() - begun;
      return during(site, scale, async () => {
        await pause(1000);
        return { recovery, note: "the last good edition" };
      });
    },
  };
  return [...damaged, full, readOnly, broken];
}

/** Does something to files while the site stands still, which else may remove one just listed. */
async function still({ child }: Site, act: () => void) {
  child.kill("SIGSTOP");
  // Each thread ends the system call that it is in.
  await pause(50);
  try {
    act();
  } finally {
    child.kill("SIGCONT");
  }
}

/** Changes the copy; returns how many milliseconds it took until visitors saw it. */
function changed(site: Site): Promise<number> {
  const expected = change(site);
  return until("the change", async () => (await title(site)).startsWith(expected));
}

/** A message that can't be written must not be acknowledged. */
function refusing(accepted: boolean) {
  return accepted
    ? { wrong: "a message was accepted that could not be written" }
    : { note: "pages change, a message is refused with the error banner" };
}
