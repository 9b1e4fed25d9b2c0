import { expect, fillIn, message, type Page, test } from "../fixtures.ts";

/**
 * Does to a page what the translators of browsers do: Chrome's puts each text into elements of its own,
 * others change the text. Both come back for what is new. Here a translation is the text in brackets.
 */
const translate = (page: Page, how: "wraps" | "replaces") =>
  page.evaluate((how) => {
    const kept = "script, style, noscript, textarea, font, [translate=no]";
    const done = new WeakMap<Node, string>();
    const turn = (text: Node) => {
      const said = text.textContent ?? "";
      if (!said.trim() || done.get(text) === said || text.parentElement?.closest(kept)) {
        return;
      }
      if (how === "replaces") {
        text.textContent = `[${said}]`;
        done.set(text, text.textContent);
      } else {
        const font = document.createElement("font");
        font.append(`[${said}]`);
        (text as ChildNode).replaceWith(font);
      }
    };
    const all = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Node[] = root instanceof Text ? [root] : [];
      while (walker.nextNode()) {
        texts.push(walker.currentNode);
      }
      texts.forEach(turn);
    };
    all(document.body);
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        [target, ...addedNodes].filter(({ isConnected }) => isConnected).forEach(all);
      }
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  }, how);

for (const how of ["wraps", "replaces"] as const) {
  for (const when of ["before React", "after React"] as const) {
    test(`a translator that ${how} texts ${when} is there loses nothing and stops nothing`, async ({
      page,
      announce,
    }) => {
      announce("422 /contact");
      const early = when === "before React";
      await page.goto("/contact");
      if (early) {
        await translate(page, how);
      }
      await fillIn(page, { ...message, Name: " " });
      await expect(page.locator("[data-island=ContactForm][data-hydrated]")).toBeAttached();
      if (!early) {
        await translate(page, how);
      }
      const send = page.locator("form [type=submit]");
      await expect(send).toHaveText("[Send Message]");
      await send.click();
      await expect(send).toHaveText("[Sending...]");
      await expect(page.locator(".error-summary h3")).toHaveText("[There is a problem]");
      await expect(page.locator(".field-error")).toContainText("[Enter your name]");
      await expect(page.locator("[name=message]")).toHaveValue(message.Message);
      await page.locator("[name=name]").fill(message.Name);
      await send.click();
      await expect(page.locator(".banner-success")).toHaveText(/^\[Thank you/);
      await expect(page.locator(".contact-form h2")).toHaveText("[Write Another Message]");

      await page.goto("/pricing");
      if (early) {
        await translate(page, how);
      }
      const players = page.locator("[name=players]");
      await players.fill("5");
      await expect(page.locator(".estimate strong").first()).toHaveText("30.3 GB a month");
      await expect(page.locator(".plan[data-fits] .plan-price")).toContainText("$15");
      if (!early) {
        await translate(page, how);
      }
      await players.fill("900");
      await expect(page.locator(".estimate-result a")).toHaveText("Talk to us");
      await expect(page.locator("[for=estimate-hours]")).toHaveText("[Hours a day]");

      await page.goto("/");
      if (early) {
        await translate(page, how);
      }
      await page.locator(".room [name=lock]").click();
      await expect(page.locator("[data-island=Room][data-hydrated]")).toBeAttached();
      if (!early) {
        await translate(page, how);
      }
      await page.locator(".room [name=run]").click();
      await page.locator(".room-players [type=checkbox]").first().click();
      await expect(page.locator(".room-load > span")).toHaveText("5 of 8");
      await expect(page.locator(".room-figure figcaption")).toHaveText(/^\[A simulated room/);
    });
  }
}

for (const how of ["wraps", "replaces"] as const) {
  test(`a translator that ${how} texts of a form that came back stops no correction`, async ({
    page,
    announce,
  }) => {
    announce("422 /contact");
    await page.goto("/contact");
    await fillIn(page, { ...message, Name: " " });
    // The server answers, as it does where no script has come yet.
    await page.locator("form").evaluate((form: HTMLFormElement) => form.submit());
    await expect(page.locator(".error-summary h3")).toHaveText("There is a problem");
    await translate(page, how);
    await page.locator("[name=company]").fill("Corrected meanwhile");
    await page.locator("[name=name]").fill(message.Name);
    await expect(page.locator("[data-island=ContactForm][data-hydrated]")).toBeAttached();
    await expect(page.locator("[name=company]")).toHaveValue("Corrected meanwhile");
    await page.locator("form [type=submit]").click();
    await expect(page.locator(".banner-success")).toHaveText(/^\[Thank you/);
  });
}
