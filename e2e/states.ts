import {
  expect,
  field,
  fillIn,
  NARROW,
  NOWHERE,
  type Page,
  sendButton,
  withoutSidecar,
} from "./fixtures.ts";

/** A page in one of the states that visitors see. */
export type State = {
  name: string;
  /** A path, or the whole address on another server. */
  address: string;
  /** What a visitor does to get there. */
  reach?: (page: Page) => Promise<void>;
  /** The fault that belongs to the state, as it is announced. */
  fault?: string;
  /** Only screens this narrow know the state. */
  upTo?: number;
  /** What it shows in another way than the states before it; nothing where all of the page is its own. */
  part?: string;
};

const send = (page: Page) => sendButton(page).click();

const openQuestion = (index: number): State => ({
  name: `home-question-${index + 1}`,
  address: "/",
  part: "#faq",
  reach: async (page) => {
    const entry = page.locator("#faq details").nth(index);
    await entry.locator("summary").click();
    await expect(entry.locator("p").last()).toBeVisible();
  },
});

/** Every page in each of its states. */
export const states: State[] = [
  { name: "home", address: "/" },
  {
    name: "home-menu",
    address: "/",
    upTo: NARROW,
    part: ".nav-bar",
    reach: (page) => page.getByRole("button", { name: "Open menu" }).click(),
  },
  openQuestion(0),
  { name: "pricing", address: "/pricing" },
  { name: "contact", address: "/contact" },
  {
    name: "contact-focus",
    address: "/contact",
    part: ".contact-card",
    reach: (page) => field(page, "Email").focus(),
  },
  {
    name: "contact-sending",
    address: "/contact",
    part: ".contact-card",
    reach: async (page) => {
      await page.route("/contact", () => {});
      // The form gives up after 15 s; what looks at this state takes longer.
      await page.evaluate(() => {
        AbortSignal.timeout = () => new AbortController().signal;
      });
      await fillIn(page);
      await send(page);
      await expect(page.getByRole("button", { name: "Sending..." })).toBeDisabled();
    },
  },
  {
    name: "contact-success",
    address: "/contact",
    part: ".contact-card",
    reach: async (page) => {
      await fillIn(page);
      await send(page);
      await expect(page.locator(".banner-success")).toBeVisible();
    },
  },
  {
    name: "contact-failure",
    address: "/contact",
    part: ".contact-card",
    fault: "net::ERR_FAILED /contact",
    reach: async (page) => {
      await page.route("/contact", (route) => route.abort("failed"));
      await fillIn(page);
      await send(page);
      await expect(page.locator(".banner-failure")).toBeVisible();
    },
  },
  {
    name: "contact-refused",
    address: "/contact",
    part: ".contact-card",
    fault: "422 /contact",
    reach: async (page) => {
      await fillIn(page, { Name: " ", Email: "ada@example.com", Company: "", Message: " " });
      await send(page);
      await expect(page.locator(".error-summary")).toBeFocused();
    },
  },
  { name: "not-found", address: NOWHERE, fault: `404 ${NOWHERE}` },
  { name: "unavailable", address: `${withoutSidecar}/`, fault: `503 ${withoutSidecar}/` },
];

/** The home page with one of the other questions open: the same state with other words. */
export const otherQuestions = [1, 2, 3, 4].map(openQuestion);

/** Brings a page into a state, and waits until nothing moves any more. */
export async function reach(page: Page, { address, reach }: State) {
  await page.goto(address);
  await reach?.(page);
  await settled(page);
}

/** Resolves when fonts are in place and every animation that ends has ended. */
export async function settled(page: Page) {
  await page.evaluate(() => document.fonts.ready);
  // Without scripts nothing is marked; there the clouds' animation is one of those that end.
  const marks = await page.evaluate(
    () => document.querySelector(".clouds") && matchMedia("(scripting)").matches,
  );
  if (marks) {
    await expect(page.locator("html")).toHaveAttribute("data-settled");
  }
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation.timeline === document.timeline)
        .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
        .map((animation) => animation.finished.catch(() => {})),
    ),
  );
}
