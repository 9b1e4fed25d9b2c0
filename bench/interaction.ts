import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../assets/browser.ts";
import { figure, median, type Table, verdict } from "./figures.ts";
import { options } from "./options.ts";
import { keptState, portOf, serving, startSite, stop } from "./processes.ts";

/** How much slower than this machine the visitor's is. */
const SLOWDOWN = 4;
const GOAL_MS = 100;
/** Browsers report no interaction that is faster. */
const LEAST_MS = 16;
/** How long a person holds the button down: long enough for the script to arrive meanwhile. */
const PRESS_MS = 80;
/** What an interaction brings about is over by then, and its duration reported. */
const SETTLE_MS = 1000;

/** For how long the running room is watched, and what of one core it may take meanwhile. */
const RUNNING_MS = 10_000;
const CORE_GOAL_PERCENT = 3;
const LONG_TASK_GOAL_MS = 50;

/** Something that a visitor does twice; the first time wakes its island, where it is one. */
type Subject = {
  name: string;
  path: string;
  island?: string;
  targets: [string, string];
  /** What must be so before each time. */
  prepare?: (page: Page) => Promise<void>;
};

const subjects: Subject[] = [
  {
    name: "Questions",
    path: "/",
    targets: ["#faq details:nth-of-type(1) summary", "#faq details:nth-of-type(2) summary"],
  },
  { name: "Menu", path: "/", targets: [".nav-bar-toggle", ".nav-bar-toggle"] },
  {
    name: "Submit",
    path: "/contact",
    island: "ContactForm",
    targets: [".contact-form [type=submit]", ".contact-form [type=submit]"],
    prepare: fillIn,
  },
  {
    name: "Room",
    path: "/",
    island: "Room",
    targets: [".room label:has([name=moth])", ".room label:has([name=moth])"],
  },
];

/** From an interaction to the next paint, as a slow phone's visitor waits for it. */
export async function measureInteraction(): Promise<Table[]> {
  const site = await serving(await startSite(await keptState()));
  const port = portOf(site.address);
  const browser = await openBrowser();
  const rows: string[][] = [];
  for (const subject of subjects) {
    const runs: [number, number][] = [];
    for (let run = 0; run < options.browserRuns; run++) {
      runs.push(await interact(browser, `http://127.0.0.1:${port}`, subject));
    }
    for (const [index, which] of [
      subject.island ? "first, wakes the island" : "first",
      "second",
    ].entries()) {
      const duration = median(runs.map((durations) => durations[index] ?? Number.NaN));
      const shown = duration < LEAST_MS ? `< ${LEAST_MS}` : figure(duration);
      rows.push([subject.name, which, shown, `≤ ${GOAL_MS}: ${verdict(duration <= GOAL_MS)}`]);
    }
  }
  const running: Running[] = [];
  for (let run = 0; run < options.browserRuns; run++) {
    running.push(await watchRoom(browser, `http://127.0.0.1:${port}`));
  }
  await browser.close();
  await stop(site);
  const core = median(running.map(({ corePercent }) => corePercent));
  const task = median(running.map(({ longestTaskMs }) => longestTaskMs));
  return [
    {
      title: "The room while it runs",
      note: `Chromium at full speed, 1280 px wide, ${RUNNING_MS / 1000} s; medians of ${options.browserRuns}.`,
      head: ["What", "Measured", "Goal"],
      rows: [
        [
          "Main thread, % of one core",
          figure(core, 1),
          `≤ ${CORE_GOAL_PERCENT}: ${verdict(core <= CORE_GOAL_PERCENT)}`,
        ],
        [
          "Longest task, ms",
          task ? figure(task) : `< ${LONG_TASK_GOAL_MS}`,
          `≤ ${LONG_TASK_GOAL_MS}: ${verdict(task <= LONG_TASK_GOAL_MS)}`,
        ],
      ],
    },
    {
      title: "Interaction to next paint",
      note: `Chromium at ${SLOWDOWN} × CPU slowdown, 375 px wide; medians of ${options.browserRuns}, each in a new window with nothing cached.`,
      head: ["What", "Interaction", "ms", "Goal"],
      rows,
    },
  ];
}

async function interact(
  browser: Browser,
  origin: string,
  { path, island, targets, prepare }: Subject,
): Promise<[number, number]> {
  const context = await browser.newContext({ viewport: { width: 375, height: 812 } });
  const page = await context.newPage();
  // Nothing is stored, and a limit on messages is never met.
  await page.route("**/contact", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ json: { status: "sent" } })
      : route.continue(),
  );
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  await page.goto(origin + path, { waitUntil: "load" });
  const durations = await page.evaluateHandle((durationThreshold) => {
    const seen: number[] = [];
    const observer = new PerformanceObserver((list) => {
      const entries = list.getEntries() as PerformanceEventTiming[];
      // Moving the mouse is an event, but no interaction.
      seen.push(...entries.filter((entry) => entry.interactionId).map((entry) => entry.duration));
    });
    // TypeScript's DOM doesn't know the threshold yet.
    const watched: PerformanceObserverInit & { durationThreshold: number } = {
      type: "event",
      durationThreshold,
    };
    observer.observe(watched);
    return seen;
  }, LEAST_MS);
  const longest: number[] = [];
  for (const target of targets) {
    await prepare?.(page);
    await page.locator(target).scrollIntoViewIfNeeded();
    await page.waitForTimeout(SETTLE_MS);
    await page.locator(target).click({ delay: PRESS_MS });
    if (island) {
      await page.locator(`[data-island="${island}"][data-hydrated]`).waitFor({ state: "attached" });
    }
    await page.waitForTimeout(SETTLE_MS);
    longest.push(await durations.evaluate((seen) => Math.max(0, ...seen.splice(0))));
  }
  await context.close();
  const [first = Number.NaN, second = Number.NaN] = longest;
  return [first, second];
}

type Running = { corePercent: number; longestTaskMs: number };

/** What the running room takes of a browser. */
async function watchRoom(browser: Browser, origin: string): Promise<Running> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await page.goto(origin);
  await page.locator(".room").scrollIntoViewIfNeeded();
  await page.locator(".room label:has([name=run])").click();
  await page.waitForTimeout(2 * SETTLE_MS);
  const tasks = await page.evaluateHandle(() => {
    const seen: number[] = [];
    new PerformanceObserver((list) => {
      seen.push(...list.getEntries().map(({ duration }) => duration));
    }).observe({ type: "longtask" });
    return seen;
  });
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const busySeconds = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
  };
  const before = await busySeconds();
  await page.waitForTimeout(RUNNING_MS);
  const corePercent = ((await busySeconds()) - before) * (100_000 / RUNNING_MS);
  const longestTaskMs = await tasks.evaluate((seen) => Math.max(0, ...seen));
  await context.close();
  return { corePercent, longestTaskMs };
}

/** Fills the form in without an event, as a browser does that restores a page: no island wakes. */
async function fillIn(page: Page) {
  await page.locator(".contact-form [type=submit]:enabled").waitFor();
  await page.locator(".contact-form").evaluate((form: HTMLFormElement) => {
    const message = { name: "Ada", email: "ada@example.com", company: "", message: "Forty rooms?" };
    for (const [name, value] of Object.entries(message)) {
      (form.elements.namedItem(name) as HTMLInputElement).value = value;
    }
  });
}
