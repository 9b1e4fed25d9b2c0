import { expect, paths, test } from "../fixtures.ts";

const pages = [
  { path: "/", title: "Tickfleet: game server hosting made easy" },
  { path: "/pricing", title: "Pricing: three plans, billed per month | Tickfleet" },
  { path: "/contact", title: "Contact us | Tickfleet" },
];

test.use({ javaScriptEnabled: false });

for (const { path, title } of pages) {
  test(`${path} sets its title, description, keywords, canonical address and social preview`, async ({
    page,
    request,
  }) => {
    await page.goto(path);
    await expect(page).toHaveTitle(title);
    const address = new URL(path, "https://tickfleet.example").href;
    await expect(page.locator("link[rel=canonical]")).toHaveAttribute("href", address);

    const meta = Object.fromEntries(
      await page
        .locator("meta[name], meta[property]")
        .evaluateAll((tags) =>
          tags.map((tag) => [
            tag.getAttribute("name") ?? tag.getAttribute("property"),
            tag.getAttribute("content") ?? "",
          ]),
        ),
    );
    const { description, keywords, "og:image": card } = meta;
    expect(description.length).toBeGreaterThan(50);
    expect(description.length).toBeLessThan(165);
    expect(keywords.split(", ").length).toBeGreaterThanOrEqual(3);
    expect(meta).toMatchObject({
      "og:type": "website",
      "og:site_name": "Tickfleet",
      "og:title": title,
      "og:description": description,
      "og:url": address,
      "twitter:card": "summary_large_image",
      "twitter:title": title,
      "twitter:description": description,
      "twitter:image": card,
    });
    const image = await request.get(new URL(card).pathname);
    expect(image.status()).toBe(200);
    expect(image.headers()["content-type"]).toBe("image/png");
  });
}

test("no two pages share a title or a description", async ({ page, visit }) => {
  const seen = new Set<string | null>();
  for (const path of paths) {
    await visit(path);
    seen.add(await page.title());
    seen.add(await page.locator("meta[name=description]").getAttribute("content"));
  }
  expect(seen.size).toBe(2 * paths.length);
});

for (const path of ["/contact/sent", "/nowhere"]) {
  test(`${path} should not be found by search engines`, async ({ page, visit }) => {
    await visit(path);
    await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", "noindex");
    await expect(page.locator("link[rel=canonical]")).toHaveCount(0);
  });
}
