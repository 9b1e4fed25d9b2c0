import {
  expect,
  fillIn,
  hydrated,
  message,
  onScreens,
  paths,
  screens,
  sendButton,
  test,
} from "../fixtures.ts";
import { copy, exported, serve } from "../static-host.ts";

/** Where the form of this export is posted to. */
const FORMS = "https://forms.example/of/us";

// One after the other: they share an export.
test.describe.configure({ mode: "default" });

let host: Awaited<ReturnType<typeof serve>>;
test.beforeAll(async () => {
  host = await serve(exported(copy, `--form=${FORMS}`));
});
test.afterAll(() => host.close());

const ends = screens.filter(({ width }) => width === 375 || width === 1280);

onScreens(ends, ({ scripts }) => {
  test("a static host serves every page of an export without a fault, and its islands wake", async ({
    page,
    visit,
  }) => {
    for (const path of paths) {
      await visit(host.address + path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      for (const island of scripts ? await page.locator("[data-island]").all() : []) {
        await island.locator("label:visible").first().click();
        await hydrated(page, (await island.getAttribute("data-island")) ?? "");
      }
    }
    await page.goto(`${host.address}/pricing/index.html`);
    await expect(page).toHaveURL(`${host.address}/pricing`);
  });

  test("an export posts its form to the address that was given", async ({ page, announce }) => {
    announce(`asked another host: ${FORMS}`);
    await page.route(FORMS, (route) =>
      route.fulfill({ contentType: "text/html", body: "<title>Thank you</title>" }),
    );
    await page.goto(`${host.address}/contact`);
    await fillIn(page);
    const posted = page.waitForRequest(FORMS);
    await sendButton(page).click();
    const fields = new URLSearchParams((await posted).postData() ?? "");
    expect([fields.get("name"), fields.get("message")]).toEqual([message.Name, message.Message]);
    await expect(page).toHaveTitle("Thank you");
  });
});
