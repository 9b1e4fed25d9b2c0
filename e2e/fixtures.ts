import { randomBytes } from "node:crypto";
import { test as base, expect, type Locator, type Page, type Request } from "@playwright/test";
import { pages } from "../components/src/contract.ts";

export { expect, type Locator, type Page };

/** A browser window as a visitor may have it. */
export type Screen = { width: number; scripts: boolean };

/** Up to this width the navigation is a menu and the clouds move. */
export const NARROW = 768;

/** Both ends and both sides of the breakpoint, each with scripts on and off. */
export const screens: Screen[] = [375, NARROW, 769, 1280].flatMap((width) => [
  { width, scripts: true },
  { width, scripts: false },
]);

/** More than a submit waits for its script before the browser sends the form itself. */
export const PATIENCE_MS = 6000;

/** For what depends on no width: a phone without scripts, a computer with them. */
export const extremes: Screen[] = [
  { width: 375, scripts: false },
  { width: 1280, scripts: true },
];

/** For what scripts don't change: every width once. */
export const widths = screens.filter(({ scripts }) => scripts);

/** The scripts of all islands. */
export const SCRIPTS = "/assets/*.js*";

/** A path that the site doesn't know. */
export const NOWHERE = "/nowhere";

/** The listed pages (docs/behaviour.md, "Routes"), and the view for every other path. */
export const paths = [...pages.filter(({ listed }) => listed).map(({ path }) => path), NOWHERE];

/**
 * What Chromium reports as uncaught when a page is painted before the old page's picture has
 * reached it: it leaves the cross-fade out, and shows the page. The cross-fade is the style
 * sheet's alone, so the page holds no promise to handle (w3c/csswg-drafts#13726).
 */
const TRANSITION_GIVEN_UP =
  "Transition was aborted because of invalid state. Page already revealed";

/** A site that has never reached its sidecar, and so has no page to serve. */
export const withoutSidecar = `http://127.0.0.1:${process.env.E2E_PORT_WITHOUT_SIDECAR}`;

type Fixtures = {
  /**
   * Announces a fault that the test provokes: every fault that says this is expected, and one at
   * least must happen. A bad answer is announced by its status and address, as in "404 /nowhere",
   * a missing one by Chromium's reason and the address. Where a page complains is not matched.
   */
  announce: (text: string) => void;
  /** Opens a page; that there is nothing at `NOWHERE` is no fault. */
  visit: (path: string) => Promise<void>;
};

/**
 * A test that fails whenever a page reports an error or a warning, breaks its content security
 * policy, gets no answer or a bad one, asks another host, or keeps a cookie.
 */
export const test = base.extend<Fixtures>({
  context: async ({ context }, use) => {
    const network = () => randomBytes(2).toString("hex");
    await context.setExtraHTTPHeaders({
      "x-forwarded-for": `2001:db8:${network()}:${network()}::1`,
    });
    await use(context);
  },
  announce: [
    async ({ context, baseURL }, use) => {
      const faults: { said: string; at?: string }[] = [];
      const report = (said: string, at?: string) => faults.push({ said, at });
      const announced: string[] = [];
      const address = (url: string) => url.replace(`${baseURL}/`, "/");
      context.on("console", (message) => {
        const [type, text, { url }] = [message.type(), message.text(), message.location()];
        if (["error", "warning"].includes(type)) {
          // Of what it can't load, Chromium tells the address as the place only.
          const reason = /^Failed to load resource: .*?(\d{3}|net::\w+)/.exec(text)?.[1];
          const said = reason ? `Failed to load resource: ${reason} ${address(url)}` : text;
          report(`console ${type}: ${said}`, url);
        }
      });
      context.on("weberror", (error) => {
        if (!error.error().message.includes(TRANSITION_GIVEN_UP)) {
          report(`uncaught: ${error.error()}`);
        }
      });
      context.on("request", (request) => {
        const { protocol, hostname } = new URL(request.url());
        if (protocol.startsWith("http") && hostname !== "127.0.0.1") {
          report(`asked another host: ${request.url()}`);
        }
      });
      context.on("requestfailed", (request) => {
        const reason = request.failure()?.errorText;
        // A visitor who moves on breaks off what the page was still loading.
        if (reason !== "net::ERR_ABORTED") {
          report(`no answer: ${reason} ${address(request.url())}`);
        }
      });
      context.on("response", (response) => {
        if (response.status() >= 400) {
          report(`bad answer: ${response.status()} ${address(response.url())}`);
        }
      });
      await context.addInitScript(() =>
        document.addEventListener("securitypolicyviolation", (violation) =>
          console.error(`${violation.violatedDirective} refuses ${violation.blockedURI}`),
        ),
      );

      await use((text) => announced.push(text));

      // One more round trip: what a page has come across by now has then been reported.
      await Promise.all(context.pages().map((page) => page.title()));
      for (const cookie of await context.cookies()) {
        report(`kept a cookie: ${cookie.name}`);
      }
      const unexpected = faults.filter(
        ({ said }) => !announced.some((text) => said.includes(text)),
      );
      expect(unexpected, "faults that the test did not announce").toEqual([]);
      const missed = announced.filter((text) => !faults.some(({ said }) => said.includes(text)));
      expect(missed, "announced faults that did not happen").toEqual([]);
    },
    { auto: true },
  ],
  visit: ({ page, announce }, use) =>
    use(async (path) => {
      if (path.endsWith(NOWHERE)) {
        announce(`404 ${path}`);
      }
      await page.goto(path);
    }),
});

/** Defines the same tests for several screens. */
export function onScreens(screens: Screen[], define: (screen: Screen) => void) {
  for (const screen of screens) {
    const { width, scripts } = screen;
    test.describe(`${width} px, scripts ${scripts ? "on" : "off"}`, () => {
      test.use({ viewport: { width, height: 800 }, javaScriptEnabled: scripts });
      define(screen);
    });
  }
}

/** Keeps answers back until the returned function is called. */
export async function hold(page: Page, address: string) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/**
 * Resolves half a second after the page's next frame, once it is idle: by then it has begun
 * whatever an action sets off. The page itself counts, however busy the machine is.
 */
export const quiet = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) =>
        requestAnimationFrame(() => setTimeout(() => requestIdleCallback(() => resolve()), 500)),
      ),
  );

/** The navigation bar. */
export const navigationBar = (page: Page) => page.getByRole("navigation", { name: "Main" });

/** The navigation bar; on a narrow screen with its menu open. */
export async function openNavigation(page: Page, { width }: Pick<Screen, "width">) {
  const navigation = navigationBar(page);
  if (width <= NARROW) {
    await navigation.getByRole("button", { name: "Open menu" }).click();
  }
  return navigation;
}

/** Opens all questions at once, which visitors can't. */
export const openAll = (page: Page) =>
  page.evaluate(() => {
    for (const question of document.querySelectorAll("details")) {
      question.name = "";
      question.open = true;
    }
  });

/** A message as a visitor types it, by the names of the fields. */
export const message = {
  Name: "Ada Lovelace",
  Email: "ada@example.com",
  Company: "Engine Games",
  Message: "Which plan fits forty rooms?",
};

/** A field of the contact form, by its name. */
export const field = (page: Page, name: string) => page.getByRole("textbox", { name });

/** The contact form's button. */
export const sendButton = (page: Page) => page.getByRole("button", { name: "Send Message" });

/** What the form says once a message was sent. */
export const success = "Thank you for your message! We'll get back to you shortly.";

/** Types a message into the contact form. */
export async function fillIn(page: Page, values: Partial<typeof message> = message) {
  for (const [name, value] of Object.entries(values)) {
    await field(page, name).fill(value);
  }
}

/** Whether a request posts a message. */
export const isPost = (request: Request) => request.method() === "POST";

/** Collects the messages that are posted, as they are sent. */
export function posts(page: Page) {
  const posted: string[] = [];
  page.on("request", (request) => {
    if (isPost(request)) {
      posted.push(request.postData() ?? "");
    }
  });
  return posted;
}

/** Expects the fields of the contact form to hold exactly these values. */
export async function expectFields(page: Page, values: typeof message) {
  for (const [name, value] of Object.entries(values)) {
    await expect(field(page, name)).toHaveValue(value);
  }
}

/** Resolves once an island has its script. */
export const hydrated = (page: Page, name: string, options?: { timeout: number }) =>
  expect(page.locator(`[data-island="${name}"]`)).toHaveAttribute("data-hydrated", "", options);

/** Whether all of an element is in the window and nothing covers it, the header neither. */
export const whollyInView = (element: Locator) =>
  element.evaluate((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const edge = 6;
    const points = [left + edge, (left + right) / 2, right - edge].flatMap((x) =>
      [top + edge, (top + bottom) / 2, bottom - edge].map((y) => [x, y] as const),
    );
    return (
      left >= 0 &&
      top >= 0 &&
      right <= innerWidth &&
      bottom <= innerHeight &&
      points.every(([x, y]) => element.contains(document.elementFromPoint(x, y)))
    );
  });
