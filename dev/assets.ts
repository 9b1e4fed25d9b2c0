import { once } from "node:events";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { watch } from "chokidar";
import { build, DIST } from "../assets/build.ts";
import { bundleIslands } from "../assets/scripts.ts";
import { report, SETTLED_MS } from "./problems.ts";

/** Builds the assets whenever their sources change; open pages are reloaded, or show what is wrong. */
const changes = watch(
  ["assets/css", "assets/fonts", "assets/images", "assets/root", "components/src"],
  {
    ignoreInitial: true,
    ignored: /(\.test\.tsx?|\.json)$/,
  },
);

let islands: ReturnType<typeof bundleIslands> | undefined;
changes.on("all", (_, path) => {
  // A style, which is changed most often, leaves the scripts as they are.
  islands = path.endsWith(".css") ? islands : undefined;
});

console.info("Building the assets");
for (;;) {
  const change = once(changes, "all");
  const begun = performance.now();
  try {
    islands ??= bundleIslands(false);
    await build(undefined, undefined, { small: false, loader: "reload.ts" }, islands);
    // Older than any source: the next `make` builds what visitors get.
    utimesSync(join(DIST, "manifest.json"), 0, 0);
    report("assets", "");
    console.info(`Built in ${Math.round(performance.now() - begun)} ms`);
  } catch (error) {
    const { message } = error as Error;
    report("assets", message);
    console.error(message);
  }
  await change;
  await pause(SETTLED_MS);
}
