import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium, type LaunchOptions } from "playwright-core";

/** Chromium without what draws windows: the same engine, and pages open in two thirds of the time. */
const HEADLESS_SHELL = "chromium-headless-shell";

/** As `e2e/browser.sh` names them. */
const browsers = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The first of these programs that is installed: a path, or a name to look for in PATH. */
export function installed(...names: (string | undefined)[]): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names
    .filter((name): name is string => Boolean(name))
    .flatMap((name) => (name.includes("/") ? name : folders.map((folder) => join(folder, name))))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** The installed Chromium, quiet and offline; `whole` with all that a visitor's browser has. */
export function launchOptions({ whole = false } = {}): LaunchOptions {
  const executablePath = installed(
    process.env.CHROME_PATH,
    ...(whole ? [] : [HEADLESS_SHELL]),
    ...browsers,
  );
  if (!executablePath) {
    throw new Error("No Chromium found: install chromium, or set CHROME_PATH to its executable.");
  }
  return {
    executablePath,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // Equal rasters on every machine: no hinting, no subpixel colour.
      "--font-render-hinting=none",
      "--disable-lcd-text",
      "--force-color-profile=srgb",
    ],
  };
}

/** Starts the browser in which drawings are measured and photographed. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch(launchOptions());
}
