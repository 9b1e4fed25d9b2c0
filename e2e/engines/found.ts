import { execFileSync } from "node:child_process";
import { installed, launchOptions } from "../../assets/browser.ts";

/** Stock Firefox, which speaks WebDriver BiDi by itself. */
export const firefox = installed(
  process.env.FIREFOX_PATH,
  "firefox-esr",
  "firefox",
  "/Applications/Firefox.app/Contents/MacOS/firefox",
);

/** WebKitGTK's driver. */
const webKitDriver = installed("WebKitWebDriver");
/** Its browser draws on a display, if only on one in memory. */
const display = installed("xvfb-run");

/** How to start WebKit's driver; nothing where it is not installed. */
export const webKit = webKitDriver && display && { driver: webKitDriver, display };

/** The engines that were found, and what the others need. */
export function found(): string {
  const version = (path?: string) =>
    path && /[\d.]*\d/.exec(execFileSync(path, ["--version"], { encoding: "utf8" }))?.[0];
  return [
    `Chromium ${version(launchOptions().executablePath)}`,
    firefox ? `Firefox ${version(firefox)}` : "no Firefox (install it, or set FIREFOX_PATH)",
    webKit ? "WebKitGTK" : "no WebKit (on Debian: webkit2gtk-driver and xvfb)",
  ].join(", ");
}
