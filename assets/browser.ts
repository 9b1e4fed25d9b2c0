import { existsSync } from "node:fs";
import { type Browser, chromium, type LaunchOptions } from "playwright-core";

/** Chromium without what draws windows: the same engine, and pages open in two thirds of the time. */
const HEADLESS_SHELL = "/usr/bin/chromium-headless-shell";

const browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The installed Chromium, quiet and offline; `whole` with all that a visitor's browser has. */
export function launchOptions({ whole = false } = {}): LaunchOptions {
  const candidates = [process.env.CHROME_PATH, ...(whole ? [] : [HEADLESS_SHELL]), ...browsers];
  const executablePath = candidates.find((path) => path && existsSync(path));
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
