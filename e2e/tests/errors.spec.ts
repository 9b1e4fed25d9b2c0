import {
  expect,
  extremes,
  NOWHERE,
  navigationBar,
  onScreens,
  test,
  withoutSidecar,
} from "../fixtures.ts";

onScreens(extremes, () => {
  for (const { route, address, status, text } of [
    { route: "an unknown", address: NOWHERE, status: 404, text: "404 Not Found" },
    {
      route: "a failed",
      address: `${withoutSidecar}/`,
      status: 503,
      text: "503 Service Unavailable",
    },
  ]) {
    test(`${route} route shows 'Unexpected Application Error!' and '${text}'`, async ({
      page,
      announce,
    }) => {
      announce(`${status} ${address}`);
      const response = await page.goto(address);
      expect(response?.status()).toBe(status);
      await expect(page).toHaveTitle(`${text} | Tickfleet`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(
        "Unexpected Application Error!",
      );
      await expect(page.getByText(text, { exact: true })).toBeVisible();
      await expect(navigationBar(page)).toBeVisible();
      await expect(page.getByRole("contentinfo")).toBeVisible();
      const home = page.getByRole("main").getByRole("link", { name: "Back to home" });
      await expect(home).toHaveAttribute("href", "/");
    });
  }
});
