import {
  expect,
  expectFields,
  extremes,
  field,
  fillIn,
  hydrated,
  isPost,
  message,
  onScreens,
  posts,
  sendButton,
  success,
  test,
  widths,
} from "../fixtures.ts";

const failure = "There was an error sending your message. Please try again.";
const limited =
  "You have sent several messages in a short time. Please wait a few minutes and try again.";

const nothing = { Name: "", Email: "", Company: "", Message: "" };

onScreens(widths, ({ width }) => {
  test("the form 'Send Us a Message' stands beside the words, on narrow screens below them", async ({
    page,
  }) => {
    await page.goto("/contact");
    const heading = page.getByRole("heading", { name: "Send Us a Message" });
    const words = await page.getByRole("heading", { level: 1 }).boundingBox();
    const form = await heading.boundingBox();
    if (width >= 1024) {
      expect(form?.x).toBeGreaterThan((words?.x ?? 0) + (words?.width ?? 0));
    } else {
      expect(form?.y).toBeGreaterThan((words?.y ?? 0) + (words?.height ?? 0));
    }
    await expect(page.getByRole("textbox")).toHaveCount(4);
    await expectFields(page, nothing);
    await expect(sendButton(page)).toBeEnabled();
  });
});

onScreens(extremes, () => {
  test("the browser wants Name, Email and Message, and an e-mail address as Email", async ({
    page,
  }) => {
    await page.goto("/contact");
    const posted = posts(page);
    for (const [name, value] of [
      ["Name", ""],
      ["Email", ""],
      ["Email", "not an address"],
      ["Message", ""],
    ] as const) {
      await fillIn(page, { ...message, [name]: value });
      await sendButton(page).click();
      await expect(field(page, name)).toBeFocused();
      await expect(page.locator("form :invalid")).toHaveCount(1);
    }
    expect(posted).toEqual([]);
    await expect(page).toHaveURL("/contact");
  });

  test("the form is sent by the keyboard alone, without a company", async ({ page }) => {
    await page.goto("/contact");
    await field(page, "Name").focus();
    for (const value of Object.values({ ...message, Company: "" })) {
      await page.keyboard.type(value);
      await page.keyboard.press("Tab");
    }
    await expect(sendButton(page)).toBeFocused();
    await page.keyboard.press("Space");
    await expect(page.getByText(success)).toBeVisible();
  });
});

// That each outcome is in view at every width, outcomes.spec.ts shows.
onScreens(
  extremes.filter(({ scripts }) => scripts),
  () => {
    test("submitting takes at least 1500 ms of 'Sending...', then success clears four fields", async ({
      page,
    }) => {
      await page.clock.install();
      await page.goto("/contact");
      await fillIn(page);
      await hydrated(page, "ContactForm");
      // However long the test looks, no time passes for the page.
      await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
      const answered = page.waitForResponse((response) => isPost(response.request()));
      await sendButton(page).click();
      const sending = page.getByRole("button", { name: "Sending..." });
      await expect(sending).toBeDisabled();
      await expect(sending.locator(".spinner")).toBeVisible();
      // What is typed now would be lost; who can't see the button is told what goes on.
      await expect(field(page, "Message")).not.toBeEditable();
      await expect(page.getByRole("status")).toHaveText("Sending...");
      await expect(page.getByRole("status")).toBeFocused();
      await (await answered).finished();
      await page.clock.runFor(1499);
      await expect(sending).toBeDisabled();
      await page.clock.runFor(1);
      await expect(page.getByRole("status").getByText(success)).toBeVisible();
      await expectFields(page, nothing);
      // Empty, and told so, but nobody's mistake.
      const thanks = await page.locator(".banner-success").boundingBox();
      const another = page.getByRole("heading", { name: "Write Another Message" });
      expect((await another.boundingBox())?.y).toBeGreaterThan(thanks?.y ?? Infinity);
      await expect(field(page, "Message")).toHaveAttribute("placeholder", "Another question?");
      await expect(page.locator(".field :user-invalid")).toHaveCount(0);
      await expect(sendButton(page)).toBeEnabled();
      await expect(page).toHaveURL("/contact");
      await expect(field(page, "Message")).toBeEditable();
    });

    test("near the limit of a text the visitor is told how much is left of it, and it ends there", async ({
      page,
    }) => {
      await page.goto("/contact");
      await field(page, "Message").fill("a".repeat(4500));
      await hydrated(page, "ContactForm");
      await expect(field(page, "Message")).toHaveAccessibleDescription("");
      await field(page, "Message").press("b");
      await expect(field(page, "Message")).toHaveAccessibleDescription("Characters left: 499");
      await field(page, "Message").fill("a".repeat(4999));
      await field(page, "Message").pressSequentially("bc");
      await expect(field(page, "Message")).toHaveValue(`${"a".repeat(4999)}b`);
      // Once typing pauses it is said aloud, as the field's description isn't.
      await expect(page.locator(".field [aria-live]")).toHaveText("Characters left: 0");
      await fillIn(page, { ...message, Message: "a".repeat(4999) });
      await sendButton(page).click();
      await expect(page.locator(".banner-success")).toBeVisible();
      await expect(field(page, "Message")).toHaveValue("");
      await expect(field(page, "Message")).toHaveAccessibleDescription("");
      for (const [name, limit] of [
        ["Name", "100"],
        ["Email", "254"],
        ["Company", "100"],
      ] as const) {
        await expect(field(page, name)).toHaveAttribute("maxlength", limit);
      }
    });

    for (const { fault, answer, banner } of [
      { fault: "the connection breaks", answer: undefined, banner: failure },
      { fault: "the server fails", answer: { status: 500, body: "" }, banner: failure },
      { fault: "the answer can't be read", answer: { status: 200, body: "<p>" }, banner: failure },
      { fault: "too many messages were sent", answer: { status: 429, body: "" }, banner: limited },
    ]) {
      test(`when ${fault}, the error banner shows, the fields keep their text and another try succeeds`, async ({
        page,
        announce,
      }) => {
        if (answer?.status !== 200) {
          announce(`${answer?.status ?? "net::ERR_FAILED"} /contact`);
        }
        await page.goto("/contact");
        await page.route("/contact", (route) =>
          answer ? route.fulfill(answer) : route.abort("failed"),
        );
        await fillIn(page);
        await sendButton(page).click();
        await expect(page.getByRole("button", { name: "Sending..." })).toBeDisabled();
        await expect(page.getByRole("alert").getByText(banner)).toBeVisible();
        await expect(page).toHaveTitle(/^Error: /);
        await expectFields(page, message);
        await page.unrouteAll();
        await sendButton(page).click();
        await expect(page.getByText(banner)).toBeHidden();
        await expect(page.getByText(success)).toBeVisible();
        await expect(page).not.toHaveTitle(/^Error: /);
      });
    }

    test("a message that is not answered within 15 s has failed, and can be sent again as typed", async ({
      page,
    }) => {
      await page.goto("/contact");
      await page.route("/contact", () => {});
      await fillIn(page);
      await hydrated(page, "ContactForm");
      const waited = page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            addEventListener("submit", ({ timeStamp }) =>
              new MutationObserver(() => {
                if (document.querySelector(".banner-failure")) {
                  resolve(performance.now() - timeStamp);
                }
              }).observe(document.body, { childList: true, subtree: true }),
            );
          }),
      );
      await sendButton(page).click();
      await expect(page.getByRole("button", { name: "Sending..." })).toBeDisabled();
      // A signal's timeout follows no clock that a test could set forward.
      expect(await waited).toBeGreaterThan(14_900);
      expect(await waited).toBeLessThan(20_000);
      await expect(page.getByRole("alert").getByText(failure)).toBeVisible();
      await expectFields(page, message);
      await page.unrouteAll();
      await sendButton(page).click();
      await expect(page.getByText(success)).toBeVisible();
    });

    test("each post says how long the page has been open, and bears one id for all tries of a message", async ({
      page,
      announce,
    }) => {
      announce("500 /contact");
      const asked = Date.now();
      await page.goto("/contact");
      const opened = Date.now();
      const send = async () => {
        const least = Date.now() - opened;
        const [request] = await Promise.all([
          page.waitForRequest(isPost),
          sendButton(page).click(),
        ]);
        const posted = new URLSearchParams(request.postData() ?? "");
        const elapsed = Number(posted.get("elapsed_ms"));
        expect(elapsed).toBeGreaterThanOrEqual(least);
        expect(elapsed).toBeLessThanOrEqual(Date.now() - asked);
        const id = posted.get("submission_id");
        expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
        return id;
      };
      await fillIn(page);
      await page.route("/contact", (route) => route.fulfill({ status: 500 }), { times: 1 });
      const id = await send();
      await expect(page.getByText(failure)).toBeVisible();
      expect(await send()).toBe(id);
      await expect(page.getByText(success)).toBeVisible();
      await fillIn(page, { ...message, Message: "One more." });
      expect(await send()).not.toBe(id);
    });
  },
);

onScreens(
  extremes.filter(({ scripts }) => !scripts),
  () => {
    test("without scripts a sent message leads to a page with the success banner", async ({
      page,
    }) => {
      await page.goto("/contact");
      await fillIn(page);
      const posted = page.waitForResponse((response) => isPost(response.request()));
      await sendButton(page).click();
      expect((await posted).status()).toBe(303);
      await expect(page).toHaveURL("/contact/sent");
      await expect(page.getByRole("status").getByText(success)).toBeVisible();
      await expectFields(page, nothing);
    });

    test("without scripts a visitor who sent too many messages is asked to wait and keeps the text", async ({
      page,
      announce,
    }) => {
      announce("429 /contact");
      await page.goto("/contact");
      await fillIn(page);
      for (let sent = 0; sent < 5; sent++) {
        const form = { name: "Ada", email: "ada@example.com", company: "", message: `No. ${sent}` };
        const answer = await page.request.post("/contact", { form, maxRedirects: 0 });
        expect(answer.status()).toBe(303);
      }
      await sendButton(page).click();
      await expect(page.getByRole("alert").getByText(limited)).toBeVisible();
      await expectFields(page, message);
    });
  },
);
