import { expect, openNavigation, paths, sendButton, test } from "../fixtures.ts";

/** What screen readers are told of each page: roles, names, states, in order. */
for (const path of paths) {
  test(`the accessibility tree of ${path} is as it was accepted`, async ({ page, visit }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await visit(path);
    const name = path === "/" ? "home" : path.slice(1);
    await expect(page.locator("body")).toMatchAriaSnapshot({ name: `${name}.aria.yml` });
  });
}

test("the accessibility trees of an open menu and of a refused message are as they were accepted", async ({
  page,
  announce,
}) => {
  announce("422 /contact");
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto("/contact");
  const navigation = await openNavigation(page, { width: 375 });
  await expect(navigation).toMatchAriaSnapshot({ name: "menu.aria.yml" });
  await page.keyboard.press("Escape");
  await page.locator("form").evaluate((form: HTMLFormElement) => {
    form.noValidate = true;
  });
  await sendButton(page).click();
  await expect(page.getByRole("region", { name: "There is a problem" })).toBeFocused();
  await expect(page.locator("form")).toMatchAriaSnapshot({ name: "refused.aria.yml" });
});
