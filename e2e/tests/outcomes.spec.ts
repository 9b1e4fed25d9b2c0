import {
  expect,
  field,
  fillIn,
  hydrated,
  message,
  type Page,
  sendButton,
  test,
  whollyInView,
} from "../fixtures.ts";
import { shifts, watchShifts } from "../shifts.ts";

const viewports = [
  { width: 320, height: 568 },
  { width: 375, height: 667 },
  { width: 375, height: 812 },
  { width: 667, height: 375 },
  { width: 768, height: 1024 },
  { width: 769, height: 1024 },
  { width: 1024, height: 768 },
  { width: 1280, height: 720 },
  { width: 1440, height: 900 },
];

/** What the server answers, and the role of what the visitor then sees. */
const outcomes = [
  {
    name: "failure",
    role: "alert",
    status: 503,
    body: { error: "The message could not be stored." },
  },
  {
    name: "limit",
    role: "alert",
    status: 429,
    body: { error: "Too many messages in a short time." },
  },
  {
    name: "refusal",
    role: "region",
    status: 422,
    body: {
      errors: [
        { field: "name", message: "Enter your name" },
        { field: "message", message: "Enter your message" },
      ],
    },
  },
  { name: "success", role: "status", status: 200, body: { status: "sent" } },
] as const;

type Role = "alert" | "status" | "region";

/** What tells the visitor what became of the message: it is read aloud or has the focus. */
const answer = (page: Page, role: Role) =>
  role === "region"
    ? page.getByRole(role, { name: "There is a problem" })
    : page.getByRole(role).locator(".banner");

const ways = {
  "a click": (page: Page) => sendButton(page).click(),
  "Enter in the first field": async (page: Page) => {
    await field(page, "Name").focus();
    await page.keyboard.press("Enter");
  },
  "Enter in a field at the window's lower edge": async (page: Page) => {
    await field(page, "Email").evaluate((input) => input.scrollIntoView({ block: "end" }));
    await field(page, "Email").focus();
    await page.keyboard.press("Enter");
  },
};

/** What a visitor without scripts is answered by the server itself. */
const answered: {
  name: string;
  role: Role;
  values?: typeof message;
  before?: (page: Page) => Promise<void>;
}[] = [
  { name: "success", role: "status" },
  { name: "refusal", role: "region", values: { ...message, Name: " ", Message: " " } },
  {
    name: "limit",
    role: "alert",
    before: async (page) => {
      const form = { name: "Ada", email: "ada@example.com", company: "", message: "Again" };
      while ((await page.request.post("/contact", { form, maxRedirects: 0 })).status() === 303) {}
    },
  },
];

const scrolled = (page: Page) => page.evaluate(() => scrollY);

test("an answer gives way to the field that a visitor writes in meanwhile", async ({
  page,
  announce,
}) => {
  announce("503 /contact");
  await page.setViewportSize({ width: 375, height: 500 });
  await page.clock.install();
  await page.goto("/contact");
  await fillIn(page);
  await hydrated(page, "ContactForm");
  await page.route("/contact", (route) => route.fulfill({ status: 503, json: {} }));
  await sendButton(page).click();
  await expect(page.getByRole("status")).toBeFocused();
  await field(page, "Message").focus();
  await page.clock.runFor(1500);
  await expect(answer(page, "alert")).toBeVisible();
  await page.keyboard.type("Hello");
  await field(page, "Message").evaluate((text) => text.scrollIntoView({ block: "end" }));
  expect(await whollyInView(field(page, "Message"))).toBe(true);
});

test("where a message was sent the form stays one for another, whatever becomes of that", async ({
  page,
  announce,
}) => {
  announce("503 /contact");
  await page.goto("/contact/sent");
  await fillIn(page);
  await hydrated(page, "ContactForm");
  await page.route("/contact", (route) => route.fulfill({ status: 503, json: {} }));
  await sendButton(page).click();
  await expect(answer(page, "alert")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Write Another Message" })).toBeVisible();
});

test("a title that was translated loses its error with the message that is sent", async ({
  page,
  announce,
}) => {
  announce("503 /contact");
  await page.goto("/contact");
  const title = await page.title();
  for (const { status, body } of [outcomes[0], outcomes[3]]) {
    await fillIn(page);
    await page.route("/contact", (route) => route.fulfill({ status, json: body }));
    await sendButton(page).click();
    await expect(page.locator(".banner")).toBeVisible();
    if (status === 503) {
      await expect(page).toHaveTitle(`Error: ${title}`);
      await page.evaluate(() => {
        document.title = document.title.replace("Error", "Fehler");
      });
    }
    await page.unrouteAll();
  }
  await expect(page).toHaveTitle(title);
});

for (const viewport of viewports) {
  test.describe(`${viewport.width} × ${viewport.height} px`, () => {
    test.use({ viewport });

    test("what is wrong first comes into view with its label and the form's heading", async ({
      page,
    }) => {
      await page.goto("/contact");
      await field(page, "Message").fill(message.Message);
      await hydrated(page, "ContactForm");
      await sendButton(page).click();
      await expect(field(page, "Name")).toBeFocused();
      for (const told of [
        page.getByRole("heading", { name: "Send Us a Message" }),
        page.getByText("Name", { exact: true }),
        page.locator("#contact-name-error"),
        field(page, "Name"),
      ]) {
        await expect.poll(() => whollyInView(told)).toBe(true);
      }
    });

    test("however it is sent, the visitor sees what became of the message, and nothing else moves", async ({
      page,
      announce,
    }) => {
      for (const status of [503, 429, 422]) {
        announce(`${status} /contact`);
      }
      await page.clock.install();
      await watchShifts(page, { except: ".contact-form-answer, .button" });
      await page.goto("/contact");
      for (const [way, send] of Object.entries(ways)) {
        await test.step(`after ${way}`, async () => {
          await fillIn(page);
          await hydrated(page, "ContactForm");
          // However long the test looks, no time passes for the page.
          await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
          for (const { name, role, status, body } of outcomes) {
            await page.unrouteAll();
            await page.route("/contact", (route) => route.fulfill({ status, json: body }));
            await send(page);
            await expect(page.getByRole("button", { name: "Sending..." })).toBeDisabled();
            await expect(page.getByRole("status")).toBeFocused();
            expect(await whollyInView(page.getByText("Sending...").first()), name).toBe(true);
            const before = await scrolled(page);
            const room = await page.locator(".contact-card").boundingBox();
            await page.clock.runFor(1500);

            await expect(answer(page, role), name).toBeVisible();
            expect(await whollyInView(answer(page, role)), name).toBe(true);
            expect(await scrolled(page), name).toBe(before);
            expect(await page.locator(".contact-card").boundingBox(), name).toEqual(room);
            const focused = await page.evaluate(() => document.activeElement?.tagName);
            expect(focused, name).not.toBe("BODY");
          }
        });
      }
      await page.clock.resume();
      expect(await shifts(page)).toEqual([]);
    });

    test.describe("without scripts", () => {
      test.use({ javaScriptEnabled: false });

      test("the page that answers shows at once what became of the message", async ({
        page,
        announce,
      }) => {
        announce("422 /contact");
        announce("429 /contact");
        for (const { role, name, before = async () => {}, values = message } of answered) {
          await before(page);
          await page.goto("/contact");
          await fillIn(page, values);
          await sendButton(page).click();
          await expect(answer(page, role), name).toBeVisible();
          await expect.poll(() => whollyInView(answer(page, role)), name).toBe(true);
        }
      });
    });
  });
}
