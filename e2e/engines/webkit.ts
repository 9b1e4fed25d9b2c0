import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect } from "@playwright/test";
import { Builder } from "selenium-webdriver";
import type { Engine, Screen } from "./engine.ts";
import { webKit } from "./found.ts";

/** WebKitGTK's own browser, by its driver, on a display in memory. */
export async function startWebKit(): Promise<Engine> {
  if (!webKit) {
    throw new Error("WebKit's driver is not installed");
  }
  const port = process.env.E2E_PORT_WEBKIT;
  const address = `http://127.0.0.1:${port}`;
  const screen = ["--auto-servernum", "--server-args=-screen 0 1600x1400x24"];
  const driver = spawn(webKit.display, [...screen, webKit.driver, `--port=${port}`], {
    stdio: "ignore",
    detached: true,
    // In gtk-3.0/ is the style of the browser's own bar.
    env: { ...process.env, XDG_CONFIG_HOME: fileURLToPath(new URL(".", import.meta.url)) },
  });
  // With its group: display and browser end with the driver.
  const kill = () => void process.kill(-Number(driver.pid));
  process.once("exit", kill);
  const ended = once(driver, "exit").then(() => process.off("exit", kill));
  await expect(() => fetch(`${address}/status`)).toPass({ timeout: 15_000 });
  return {
    open: (screen) => open(address, screen),
    end: async () => {
      kill();
      await ended;
    },
  };
}

/** There is one at a time. */
async function open(address: string, { width, height, scripts }: Required<Screen>) {
  // The scripts of pages; those of the driver run all the same.
  const args = ["--automation", `--enable-javascript-markup=${scripts}`];
  const browser = await new Builder()
    .usingServer(address)
    .withCapabilities({ browserName: "MiniBrowser", "webkitgtk:browserOptions": { args } })
    .build();
  const window = browser.manage().window();
  await window.setRect({ x: 0, y: 0, width, height });
  const inner = await browser.executeScript<number>("return innerHeight");
  await window.setRect({ width, height: 2 * height - inner });
  return {
    go: (url: string) => browser.get(url),
    call: (source: string, argument: string) =>
      browser.executeScript<string>(`return (${source})(arguments[0])`, argument),
    click: (x: number, y: number) =>
      browser
        .actions()
        .move({ x: Math.round(x), y: Math.round(y), duration: 0 })
        .click()
        .perform(),
    type: (keys: string) => browser.actions().sendKeys(keys).perform(),
    close: () => browser.quit(),
  };
}
