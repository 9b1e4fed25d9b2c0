import {
  expect,
  expectFields,
  field,
  fillIn,
  hold,
  hydrated,
  isPost,
  message,
  NARROW,
  PATIENCE_MS,
  type Page,
  paths,
  posts,
  quiet,
  SCRIPTS,
  sendButton,
  success,
  test,
} from "../fixtures.ts";

/** Collects the paths from which scripts were asked for, with their queries. */
function scriptRequests(page: Page) {
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.endsWith(".js")) {
      asked.push(pathname + search);
    }
  });
  return asked;
}

/** Puts something of an extension's own into each field of the form. */
const extend = (page: Page) =>
  page.locator(".field").evaluateAll((fields) => {
    for (const field of fields) {
      const own = Object.assign(document.createElement("input"), { name: "extension" });
      field.prepend(document.createElement("grammarly-extension"), own);
    }
  });

test.describe("what a visitor did before hydration is kept:", () => {
  test("typed text, the focus and the place of the cursor", async ({ page }) => {
    const release = await hold(page, SCRIPTS);
    await page.goto("/contact");
    await fillIn(page);
    await field(page, "Message").press("Home");
    release();
    await hydrated(page, "ContactForm");
    await expectFields(page, message);
    await expect(field(page, "Message")).toBeFocused();
    await page.keyboard.type("Hello. ");
    await expect(field(page, "Message")).toHaveValue(`Hello. ${message.Message}`);
  });

  for (const does of ["types", "sends"] as const) {
    test(`a visitor ${does} while an extension has something of its own in each field`, async ({
      page,
      announce,
    }) => {
      // React tells that it wrote the island anew.
      announce("React error #418");
      const release = await hold(page, SCRIPTS);
      await page.goto("/contact");
      await fillIn(page);
      await extend(page);
      if (does === "sends") {
        const sent = page.waitForRequest(isPost);
        await sendButton(page).click();
        release();
        expect(
          Object.fromEntries(new URLSearchParams((await sent).postData() ?? "")),
        ).toMatchObject({
          name: message.Name,
          message: message.Message,
        });
        await expect(page.getByText(success)).toBeVisible();
      } else {
        release();
        await hydrated(page, "ContactForm");
        await expectFields(page, message);
        await expect(field(page, "Message")).toBeFocused();
      }
    });
  }

  test("a long message is counted, also while an extension has something in each field", async ({
    page,
    announce,
  }) => {
    announce("React error #418");
    const release = await hold(page, SCRIPTS);
    await page.goto("/contact");
    await field(page, "Message").fill("m".repeat(4900));
    await extend(page);
    release();
    await hydrated(page, "ContactForm");
    await expect(field(page, "Message")).toHaveAccessibleDescription("Characters left: 100");
  });

  test("an address that is being corrected: no field is told of that nobody has filled in yet", async ({
    page,
  }) => {
    const release = await hold(page, SCRIPTS);
    await page.goto("/contact");
    await field(page, "Name").fill("Ada");
    await field(page, "Email").fill("ada");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Shift+Tab");
    release();
    await hydrated(page, "ContactForm");
    await expect(field(page, "Email")).toHaveAccessibleDescription(/Write it as/);
    await expect(field(page, "Email")).toBeFocused();
    await expect(field(page, "Message")).not.toHaveAttribute("aria-invalid");
  });

  test("a key of the room that was pressed before any script was there", async ({ page }) => {
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        const run = document.querySelector<HTMLInputElement>(".room [name=run]");
        if (run) {
          observer.disconnect();
          run.checked = true;
        }
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto("/");
    await hydrated(page, "Room");
    await expect(page.locator(".room")).not.toContainText("tick 184,212");
  });

  test("a submit, however often it is clicked: it is sent once, without leaving the page", async ({
    page,
  }) => {
    const release = await hold(page, SCRIPTS);
    await page.goto("/contact");
    await fillIn(page);
    const posted = posts(page);
    await sendButton(page).click();
    await sendButton(page).click();
    const form = page.locator("form");
    await expect(form).toHaveAttribute("aria-busy", "true");
    release();
    await expect(page.getByText(success)).toBeVisible();
    await expect(form).not.toHaveAttribute("aria-busy");
    await expect(page).toHaveURL("/contact");
    expect(posted.length).toBe(1);
  });
});

test.describe("a script that can't be loaded", () => {
  for (const lost of ["contact-form", "react"]) {
    test(`is tried again under another address, also if only ${lost} was lost`, async ({
      page,
      announce,
    }) => {
      announce(`net::ERR_FAILED /assets/${lost}-`);
      const asked = scriptRequests(page);
      await page.route(`/assets/${lost}-*.js`, (route) => route.abort("failed"));
      await page.goto("/contact");
      await Promise.all([page.waitForEvent("requestfailed"), field(page, "Name").hover()]);
      await expect(async () => {
        await field(page, "Email").click();
        await hydrated(page, "ContactForm", { timeout: 500 });
      }).toPass();
      expect(asked.filter((path) => /\/react-\w+\.js\?\d$/.test(path))).toHaveLength(1);
      expect(asked.filter((path) => /\/contact-form-\w+\.js\?\d$/.test(path))).toHaveLength(1);
      await fillIn(page);
      await sendButton(page).click();
      await expect(page.getByText(success)).toBeVisible();
      await expect(page).toHaveURL("/contact");
    });
  }

  test("leaves the room's panes and choices to the browser", async ({ page, announce }) => {
    announce("net::ERR_FAILED /assets/");
    announce("Failed to fetch dynamically imported module");
    await page.route(SCRIPTS, (route) => route.abort("failed"));
    await page.setViewportSize({ width: 375, height: 812 });
    await page.goto("/");
    const log = page.locator(".room").getByRole("radio", { name: "Log" });
    // The form is reset before the page reports that the script is lost.
    await Promise.all([page.context().waitForEvent("weberror"), log.press("Space")]);
    await expect(log).toBeChecked();
    await expect(page.locator(".room-lines")).toBeVisible();
    // 'Run' needs it, and is offered again.
    const run = page.locator(".room [name=run]");
    await run.press("Space");
    await expect(run).not.toBeChecked();
  });

  test("leaves a form that the browser sends by itself", async ({ page, announce }) => {
    announce("net::ERR_FAILED /assets/");
    announce("Failed to fetch dynamically imported module");
    await page.route(SCRIPTS, (route) => route.abort("failed"));
    await page.goto("/contact");
    await fillIn(page);
    await sendButton(page).click();
    await expect(page).toHaveURL("/contact/sent");
    await expect(page.getByText(success)).toBeVisible();
  });
});

test.describe("a submit that waits for its script is free again", () => {
  /** Fills the form in and sends it, while its scripts never come. */
  async function sendInVain(page: Page) {
    await page.clock.install();
    await page.route(SCRIPTS, () => {});
    await page.goto("/contact");
    await fillIn(page);
    await sendButton(page).click();
  }

  test("after the visitor stopped the browser's own sending", async ({
    page,
    context,
    announce,
  }) => {
    announce("Failed to fetch dynamically imported module");
    const browser = await context.newCDPSession(page);
    const posted = posts(page);
    await page.route("/contact", (route) => {
      if (route.request().method() === "GET" || posted.length > 1) {
        return route.continue();
      }
    });
    await sendInVain(page);
    await page.clock.runFor(PATIENCE_MS);
    await expect.poll(() => posted.length).toBe(1);
    // As Escape does.
    await browser.send("Page.stopLoading");
    await expectFields(page, message);
    await sendButton(page).click();
    await expect(page).toHaveURL("/contact/sent");
    await expect(page.getByText(success)).toBeVisible();
  });

  test("after the visitor stopped the loading: the browser sends it", async ({
    page,
    context,
    announce,
  }) => {
    announce("Failed to fetch dynamically imported module");
    const browser = await context.newCDPSession(page);
    await sendInVain(page);
    await browser.send("Page.stopLoading");
    await expect(page).toHaveURL("/contact/sent");
  });
});

for (const path of paths) {
  test(`${path} downloads no React before it is needed`, async ({ page, visit }) => {
    const asked = scriptRequests(page);
    await visit(path);
    // Over words: whoever points at a form is about to use it.
    await page.mouse.move(320, 200);
    await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
    await quiet(page);
    expect(asked).toEqual([]);
    // What a newsletter's link brings along fills nothing in.
    await page.goto(`${path}?name=Ada&email=ada@example.com&run=1&kind=x`);
    await quiet(page);
    expect(asked).toEqual([]);
  });
}

test("questions and the menu work without React", async ({ page }) => {
  const asked = scriptRequests(page);
  await page.setViewportSize({ width: NARROW, height: 800 });
  await page.goto("/");
  await page.getByRole("button", { name: "Open menu" }).click();
  await page.getByRole("button", { name: "Close menu" }).click();
  const entries = page.locator("#faq details");
  await entries.first().locator("summary").click();
  await entries.nth(1).locator("summary").click();
  await quiet(page);
  expect(asked).toEqual([]);
});

test("pointing at an island fetches its script and React's, and runs neither", async ({ page }) => {
  const asked = scriptRequests(page);
  await page.goto("/contact");
  await field(page, "Name").hover();
  await expect
    .poll(() => asked.toSorted())
    .toEqual([
      expect.stringMatching(/^\/assets\/contact-form-\w+\.js$/),
      expect.stringMatching(/^\/assets\/react-\w+\.js$/),
    ]);
  await quiet(page);
  expect(asked).toHaveLength(2);
  await expect(page.locator("[data-hydrated]")).toHaveCount(0);
});
