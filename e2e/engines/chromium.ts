import { chromium } from "@playwright/test";
import { Key } from "selenium-webdriver";
import { launchOptions } from "../../assets/browser.ts";
import type { Engine } from "./engine.ts";

/** Playwright's names of the keys without a character. */
const NAMES: Record<string, string> = { [Key.ESCAPE]: "Escape" };

/** Chromium, by Playwright. */
export async function startChromium(): Promise<Engine> {
  const browser = await chromium.launch(launchOptions());
  return {
    open: async ({ width, height, scripts }) => {
      const viewport = { width, height };
      const page = await browser.newPage({ viewport, javaScriptEnabled: scripts });
      return {
        go: async (address) => void (await page.goto(address)),
        call: (source, argument) => page.evaluate(`(${source})(${JSON.stringify(argument)})`),
        click: (x, y) => page.mouse.click(x, y),
        type: (keys) => {
          const name = NAMES[keys];
          return name ? page.keyboard.press(name) : page.keyboard.type(keys);
        },
        close: () => page.close(),
      };
    },
    end: () => browser.close(),
  };
}
