import { expect, navigationBar, onScreens, screens, test, withoutSidecar } from "../fixtures.ts";

onScreens(screens, () => {
  for (const { route, address, status, text } of [
    { route: "an unknown", address: "/nowhere", status: 404, text: "404 Not Found" },
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
      announce(address);
      const response = await page.goto(address);
      expect(response?.status()).toBe(status);
      await expect(page).toHaveTitle(`${text} | Tickfleet`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(
        "Unexpected Application Error!",
      );
      await expect(page.getByText(text, { exact: true })).toBeVisible();
      await expect(navigationBar(page)).toBeVisible();
      await expect(page.getByRole("contentinfo")).toBeVisible();
      const home = page.getByRole("main").getByRole("link", { name: "Back to the home page" });
      await expect(home).toHaveAttribute("href", "/");
    });
  }
});

test("a site without pages yet says when to come back", async ({ request }) => {
  const response = await request.get(`${withoutSidecar}/pricing`);
  expect(response.status()).toBe(503);
  expect(response.headers()).toMatchObject({ "retry-after": "5", "cache-control": "no-store" });
});

for (const { path, method, allow } of [
  { path: "/", method: "DELETE", allow: "GET, HEAD" },
  { path: "/pricing", method: "POST", allow: "GET, HEAD" },
  { path: "/contact", method: "PUT", allow: "GET, HEAD, POST" },
]) {
  test(`${method} ${path} is answered with 405, the methods and the error view`, async ({
    request,
  }) => {
    const response = await request.fetch(path, { method });
    expect(response.status()).toBe(405);
    expect(response.headers().allow).toBe(allow);
    const view = await response.text();
    expect(view).toContain("Unexpected Application Error!");
    expect(view).toContain("405 Method Not Allowed");
  });
}

for (const path of ["/", "/pricing", "/contact", "/contact/sent", "/nowhere", "/robots.txt"]) {
  test(`HEAD ${path} answers like GET, without a body`, async ({ request }) => {
    const get = await request.get(path);
    const head = await request.head(path);
    expect(head.status()).toBe(get.status());
    expect((await head.body()).length).toBe(0);
    const { date: _, ...headers } = get.headers();
    expect(head.headers()).toMatchObject(headers);
  });
}

for (const path of ["/", "/pricing", "/contact", "/contact/sent", "/nowhere"]) {
  test(`${path} sets no cookie and needs no relaxed content security policy`, async ({
    request,
  }) => {
    const headers = (await request.get(path)).headers();
    expect(headers["set-cookie"]).toBeUndefined();
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none';/);
    expect(headers["content-security-policy"]).not.toMatch(/unsafe|\*|https?:/);
  });
}
