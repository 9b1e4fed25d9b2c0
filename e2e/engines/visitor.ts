import { test as base, expect } from "@playwright/test";
import { startChromium } from "./chromium.ts";
import type { Engine, Screen, Tab } from "./engine.ts";
import { startFirefox } from "./firefox.ts";
import { overhear } from "./overheard.ts";
import { startWebKit } from "./webkit.ts";

export { expect };

const engines = { Chromium: startChromium, Firefox: startFirefox, WebKit: startWebKit };

export type Options = { engine: keyof typeof engines };

/** Somebody who reads a page of the site and uses it. */
export class Visitor {
  readonly tab: Tab;
  readonly site: string;

  constructor(tab: Tab, site: string) {
    this.tab = tab;
    this.site = site;
  }

  /** Follows an address of the site. */
  go(path: string): Promise<void> {
    return this.tab.go(this.site + path);
  }

  /** What a function finds out in the page; it knows nothing of what is around it here. */
  async ask<Given, Found>(look: (given: Given) => Found, given: Given): Promise<Found> {
    const source = `(given) => JSON.stringify((${look})(JSON.parse(given))) ?? "null"`;
    let found = "null";
    // One page may go while it looks, and another come.
    await expect(async () => {
      found = await this.tab.call(source, JSON.stringify(given));
    }).toPass({ timeout: 5000 });
    return JSON.parse(found);
  }

  /** Clicks on an element, once it stands still in view and under nothing. */
  async click(css: string): Promise<void> {
    let at = { x: Number.NaN, y: Number.NaN, met: false };
    await expect(async () => {
      const before = { ...at, met: true };
      at = await this.ask((css) => {
        const element = document.querySelector(css);
        const box = element?.getBoundingClientRect() ?? new DOMRect();
        element?.scrollIntoView({ block: "nearest", behavior: "instant" });
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        return { x, y, met: !!element?.contains(document.elementFromPoint(x, y)) };
      }, css);
      expect(at).toEqual(before);
    }, css).toPass({ intervals: [200] });
    await this.tab.click(at.x, at.y);
  }

  /** Resolves once the page has not scrolled for half a second. */
  async rest(): Promise<void> {
    let place = Number.NaN;
    await expect(async () => {
      const before = place;
      place = await this.ask(() => scrollY, null);
      expect(place).toBe(before);
    }).toPass({ intervals: [500] });
  }

  /** Types into a field instead of what it holds. */
  async fill(fields: Record<string, string>): Promise<void> {
    for (const [name, value] of Object.entries(fields)) {
      await this.click(`[name="${name}"]`);
      await this.ask(
        (name) => document.querySelector<HTMLInputElement>(name)?.select(),
        `[name="${name}"]`,
      );
      await this.tab.type(value);
    }
  }

  /** The texts that are shown in elements. */
  texts(css: string): Promise<string[]> {
    return this.ask(
      (css) =>
        [...document.querySelectorAll<HTMLElement>(css)]
          .filter((element) => element.checkVisibility())
          .map((element) => element.innerText.trim()),
      css,
    );
  }

  /** What a field holds. */
  value(css: string): Promise<string | undefined> {
    return this.ask((css) => document.querySelector<HTMLInputElement>(css)?.value, css);
  }

  /** The path of the page, with the query. */
  path(): Promise<string> {
    return this.ask(() => location.pathname + location.search, null);
  }
}

type Fixtures = {
  /** Announces a fault that the test provokes. */
  announce: (fault: string) => void;
  /** A visitor with a window of this size. */
  visit: (path: string, screen: Screen) => Promise<Visitor>;
};

/** A test in any engine, which fails on all that a page complains of. */
export const test = base.extend<
  Fixtures & { site: Awaited<ReturnType<typeof overhear>> },
  Options & { running: Engine }
>({
  engine: ["Chromium", { option: true, scope: "worker" }],
  running: [
    async ({ engine }, use) => {
      const running = await engines[engine]();
      await use(running);
      await running.end();
    },
    { scope: "worker" },
  ],
  site: async ({ baseURL }, use) => {
    const site = await overhear(String(baseURL));
    await use(site);
    site.close();
  },
  announce: async ({ site: { faults } }, use) => {
    const announced: string[] = [];
    await use((fault) => announced.push(fault));
    const unexpected = faults.filter((fault) => !announced.some((text) => fault.includes(text)));
    expect(unexpected, "faults that the test did not announce").toEqual([]);
    const missed = announced.filter((text) => !faults.some((fault) => fault.includes(text)));
    expect(missed, "announced faults that did not happen").toEqual([]);
  },
  visit: async ({ running, site, announce: _ }, use) => {
    const open: Visitor[] = [];
    await use(async (path, { width, height = 800, scripts = true }) => {
      const tab = await running.open({ width, height, scripts });
      const visitor = new Visitor(tab, site.address);
      open.push(visitor);
      await visitor.go(path);
      return visitor;
    });
    try {
      let told = 0;
      for (const visitor of open) {
        told += await visitor.ask(() => Number(sessionStorage.told ?? 0), null);
      }
      await expect.poll(site.heard, "faults that pages have told").toBe(told);
    } finally {
      for (const { tab } of open) {
        await tab.close();
      }
    }
  },
});
