/** What somebody did wrong is told where they see it: by the browser, the form and the server alike. */
import assert from "node:assert/strict";
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
  type Page,
  sendButton,
  test,
} from "../fixtures.ts";

/** Passes the browser's checks and fails the server's. */
const blank = { ...message, Name: "   " };

/** Expects a field's label to be in the window and below the header. */
async function expectLabelInView(page: Page, name: string) {
  const label = page.locator("label").filter({ hasText: name });
  await expect(label).toBeInViewport({ ratio: 1 });
  const header = await page.locator(".site-header").boundingBox();
  const bottom = (header?.y ?? 0) + (header?.height ?? 0);
  await expect.poll(async () => (await label.boundingBox())?.y).toBeGreaterThanOrEqual(bottom);
}

onScreens(
  extremes.filter(({ scripts }) => scripts),
  () => {
    test("what the browser's check finds is told at each field until it is corrected, and moves nothing", async ({
      page,
    }) => {
      await page.goto("/contact");
      const end = sendButton(page);
      const before = await end.evaluate((element) => (element as HTMLElement).offsetTop);
      // The browser's check doesn't wait for the script.
      await sendButton(page).click();
      await hydrated(page, "ContactForm");
      await expect(field(page, "Email")).toHaveAccessibleDescription(
        "Error: Enter your e-mail address",
      );
      await field(page, "Email").fill("not an address");
      await expect(field(page, "Email")).toHaveAccessibleDescription("");
      await field(page, "Company").focus();
      for (const [name, mistake] of [
        ["Name", "Error: Enter your name"],
        ["Email", "Error: Write it as me@example.com"],
        ["Message", "Error: Enter your message"],
      ] as const) {
        await expect(field(page, name)).toHaveAccessibleDescription(mistake);
        await expect(field(page, name)).toHaveAttribute("aria-invalid", "true");
      }
      await expect(field(page, "Company")).not.toHaveAttribute("aria-invalid");
      expect(await end.evaluate((element) => (element as HTMLElement).offsetTop)).toBe(before);
      await field(page, "Name").pressSequentially("A");
      await expect(field(page, "Name")).toHaveAccessibleDescription("");
      await expect(field(page, "Name")).not.toHaveAttribute("aria-invalid");
    });

    test("nothing lies on what is told at a field", async ({ page }) => {
      await page.goto("/contact");
      // The browser's bubble is no part of the document, only of its picture.
      const picture = async () => {
        const told = await page.locator("#contact-name-error").boundingBox();
        assert(told);
        const ring = 6;
        const clip = { ...told, height: told.height - ring };
        return page.screenshot({ clip });
      };
      for (const when of ["before the script is there", "with it"]) {
        await sendButton(page).click();
        await hydrated(page, "ContactForm");
        await expect(field(page, "Name")).toBeFocused();
        const shown = await picture();
        await field(page, "Company").focus();
        expect(shown.equals(await picture()), when).toBe(true);
      }
    });

    test("what the browser refuses looks like what the server refuses", async ({
      page,
      announce,
    }) => {
      const look = () =>
        field(page, "Name").evaluate((input) => {
          const { borderColor, boxShadow } = getComputedStyle(input);
          return { borderColor, boxShadow };
        });
      await page.goto("/contact");
      const atFirst = await look();
      await sendButton(page).click();
      await field(page, "Message").focus();
      const byBrowser = await look();
      expect(byBrowser).not.toEqual(atFirst);

      announce("422 /contact");
      await fillIn(page, blank);
      await sendButton(page).click();
      await expect(page.getByRole("region", { name: "There is a problem" })).toBeFocused();
      expect(await look()).toEqual(byBrowser);
    });

    test("what the server refuses is listed above the fields and told at each", async ({
      page,
      announce,
    }) => {
      announce("422 /contact");
      await page.goto("/contact");
      await fillIn(page, { ...blank, Email: "ada@studio", Message: " " });
      await sendButton(page).click();
      const summary = page.getByRole("region", { name: "There is a problem" });
      await expect(summary).toBeFocused();
      await expect(page).toHaveTitle(/^Error: /);
      await expect(field(page, "Name")).toHaveAccessibleDescription("Error: Enter your name");
      await expectFields(page, { ...blank, Email: "ada@studio", Message: " " });
      await summary.getByRole("link", { name: "Enter your name" }).click();
      await expect(field(page, "Name")).toBeFocused();
      await expectLabelInView(page, "Name");
      // What is corrected is no mistake any more, and nothing moves below whoever corrects it.
      const top = () => sendButton(page).evaluate((button) => (button as HTMLElement).offsetTop);
      const before = await top();
      for (const name of ["Name", "Email", "Message"] as const) {
        await field(page, name).fill(message[name]);
        await expect(field(page, name)).toHaveAccessibleDescription("");
        expect(await top(), name).toBe(before);
      }
      await sendButton(page).click();
      await expect(summary).toBeHidden();
    });

    test("what the browser refuses stands below the header, with its label", async ({ page }) => {
      await page.setViewportSize({ width: 375, height: 667 });
      await page.goto("/contact");
      for (const name of ["Name", "Email", "Message"] as const) {
        await sendButton(page).scrollIntoViewIfNeeded();
        await sendButton(page).click();
        await expect(field(page, name)).toBeFocused();
        await expectLabelInView(page, name);
        await field(page, name).fill(message[name]);
      }
    });
  },
);

onScreens(
  extremes.filter(({ scripts }) => !scripts),
  () => {
    test("without scripts a refused message comes back as typed, with what is wrong", async ({
      page,
      announce,
    }) => {
      announce("422 /contact");
      await page.goto("/contact");
      await fillIn(page, blank);
      const posted = page.waitForResponse((response) => isPost(response.request()));
      await sendButton(page).click();
      expect((await posted).status()).toBe(422);
      await expect(page).toHaveTitle(/^Error: /);
      const summary = page.getByRole("region", { name: "There is a problem" });
      await expect(summary).toBeFocused();
      await expect(field(page, "Name")).toHaveAccessibleDescription("Error: Enter your name");
      await expectFields(page, blank);
      await summary.getByRole("link", { name: "Enter your name" }).click();
      await expect(field(page, "Name")).toBeFocused();
      await expectLabelInView(page, "Name");
    });
  },
);
