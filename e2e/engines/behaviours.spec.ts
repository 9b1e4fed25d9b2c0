import { Key } from "selenium-webdriver";
import { expect, test } from "./visitor.ts";

const success = "Thank you for your message! We'll get back to you shortly.";
const limited =
  "You have sent several messages in a short time. Please wait a few minutes and try again.";

const message = { name: "Ada Lovelace", email: "ada@example.com", message: "Which plan?" };
const nothing = { name: "", email: "", message: "" };

const toggle = ".nav-bar-toggle";
const send = "form [type=submit]";

for (const scripts of [true, false]) {
  const name = scripts ? "with scripts" : "without scripts";

  test(`navigation, ${name}: at 375 px a button opens and closes the menu, wider there is none`, async ({
    visit,
  }) => {
    const narrow = await visit("/", { width: 375, scripts });
    const links = () => narrow.texts(".nav-bar-menu a");
    const names = () => narrow.texts(`${toggle} span`);
    expect(await links()).toEqual([]);
    expect(await names()).toContain("Open menu");
    for (const close of [() => narrow.click(toggle), () => narrow.tab.type(Key.ESCAPE)]) {
      await narrow.click(toggle);
      await expect.poll(links).toHaveLength(4);
      expect(await names()).toContain("Close menu");
      await close();
      await expect.poll(links).toEqual([]);
    }
    await narrow.click(toggle);
    await narrow.click(".nav-bar-menu [href='/pricing']");
    await expect.poll(() => narrow.path()).toBe("/pricing");
    await expect.poll(() => narrow.texts("article h2")).toHaveLength(3);
    expect(await links()).toEqual([]);
  });

  test(`questions, ${name}: one is open at a time, and a click on the open one closes it`, async ({
    visit,
  }) => {
    const visitor = await visit("/", { width: 1280, scripts });
    expect(await visitor.texts(toggle)).toEqual([]);
    expect(await visitor.texts(".nav-bar-menu a")).toHaveLength(4);
    const open = () => visitor.texts("#faq details[open] summary");
    expect(await open()).toEqual([]);
    const questions = await visitor.texts("#faq summary");
    for (const [index, question] of questions.entries()) {
      // WebKit takes a script's scroll back once an answer has changed the height of the page.
      await visitor.ask(() => document.querySelector("#faq")?.scrollIntoView(), null);
      await visitor.rest();
      await visitor.click(`#faq details:nth-child(${index + 1}) summary`);
      await expect.poll(open).toEqual([question]);
      await visitor.rest();
    }
    await visitor.click("#faq details[open] summary");
    await expect.poll(open).toEqual([]);
  });

  test(`contact, ${name}: the browser's refusal, the server's, and success`, async ({
    visit,
    announce,
  }) => {
    announce("422 /contact");
    const visitor = await visit("/contact", { width: scripts ? 1280 : 375, scripts });
    const focused = () => visitor.ask(() => document.activeElement?.getAttribute("name"), null);
    await visitor.fill({ ...message, email: "no address" });
    await visitor.click(send);
    await expect.poll(focused).toBe("email");

    await visitor.fill({ ...message, name: " " });
    await visitor.click(send);
    await expect.poll(() => visitor.texts(".field-error")).toHaveLength(1);
    expect(await visitor.ask(() => document.title, null)).toMatch(/^Error: /);
    expect(await visitor.value("[name=message]")).toBe(message.message);
    await visitor.click(".error-summary a");
    await expect.poll(focused).toBe("name");

    await visitor.fill(message);
    if (scripts) {
      // The page itself takes the time: what looks at it from here does so late. From before the form
      // hears of it.
      await visitor.ask(() => {
        const time = () => {
          const began = performance.now();
          new MutationObserver((_, observer) => {
            if (document.querySelector("[role=status] .banner")) {
              observer.disconnect();
              document.body.dataset.took = String(performance.now() - began);
            }
          }).observe(document.body, { childList: true, subtree: true });
        };
        addEventListener("submit", time, { capture: true });
      }, null);
    }
    await visitor.click(send);
    if (scripts) {
      await expect.poll(() => visitor.texts(send)).toEqual(["Sending..."]);
    }
    await expect.poll(() => visitor.texts("[role=status] .banner")).toEqual([success]);
    if (scripts) {
      // Engines round the time to milliseconds.
      const took = await visitor.ask(() => document.body.dataset.took, null);
      expect(Number(took)).toBeGreaterThan(1495);
    }
    expect(await visitor.path()).toBe(scripts ? "/contact" : "/contact/sent");
    for (const [name, value] of Object.entries(nothing)) {
      expect(await visitor.value(`[name=${name}]`)).toBe(value);
    }
  });
}

test("contact, with scripts: what the browser refuses at once stands below the header, with its label", async ({
  visit,
}) => {
  const visitor = await visit("/contact", { width: 320, height: 568 });
  await visitor.click(send);
  const below = () =>
    visitor.ask(() => {
      const box = (css: string) => document.querySelector(css)?.getBoundingClientRect();
      return (box("[for=contact-name]")?.top ?? 0) - (box("header")?.bottom ?? 0);
    }, null);
  await expect.poll(() => visitor.texts(".field-error")).toHaveLength(3);
  await expect.poll(below).toBeGreaterThan(0);
});

test("whoever sent several messages is asked to wait and keeps the text", async ({
  visit,
  announce,
  site,
}) => {
  announce("429 /contact");
  const visitor = await visit("/contact", { width: 375 });
  const post = (text: string) => {
    const body = new URLSearchParams({ ...message, company: "", message: text });
    return fetch(`${site.address}/contact`, { method: "POST", body, redirect: "manual" });
  };
  for (let sent = 0; (await post(`No. ${sent}`)).status === 303; sent++) {}
  await visitor.fill(message);
  await visitor.click(send);
  await expect.poll(() => visitor.texts("[role=alert] .banner")).toEqual([limited]);
  expect(await visitor.value("[name=message]")).toBe(message.message);
});

test("clouds come into view, the question in the address is open, and a pressed one stays put", async ({
  visit,
}) => {
  const visitor = await visit("/#plans", { width: 375 });
  const settled = () => visitor.ask(() => "settled" in document.documentElement.dataset, null);
  await expect.poll(settled).toBe(true);
  expect(await visitor.texts("#plans p")).not.toEqual([]);
  const place = () =>
    visitor.ask(() => document.querySelector("#support summary")?.getBoundingClientRect().y, null);
  await visitor.ask(
    () => document.getElementById("support")?.scrollIntoView({ block: "center" }),
    null,
  );
  const before = await place();
  await visitor.click("#support summary");
  await expect.poll(() => visitor.texts("#plans p")).toEqual([]);
  await expect.poll(() => visitor.texts("#support p")).not.toEqual([]);
  await expect.poll(async () => Math.abs(((await place()) ?? 0) - (before ?? 0))).toBeLessThan(2);
});

test("the estimate and the room answer the first use", async ({ visit }) => {
  const visitor = await visit("/pricing", { width: 1280 });
  await visitor.fill({ players: "5" });
  await expect.poll(() => visitor.texts(".estimate output strong")).toEqual(["30.3 GB a month"]);
  expect(await visitor.texts(".plan[data-fits] h2")).toEqual(["Starter"]);
  await expect.poll(() => visitor.path()).toContain("players=5");

  await visitor.go("/");
  await visitor.click(".room [name=lock]");
  await visitor.click(".room-players [type=checkbox]");
  await expect.poll(() => visitor.texts(".room-load > span")).toEqual(["5 of 8"]);
  for (const row of [5, 3]) {
    await visitor.click(`.room-objects tbody tr:nth-child(${row}) input`);
    const pressed = `.room-objects tbody tr:nth-child(${row}):has(:checked) th`;
    await expect.poll(() => visitor.texts(pressed)).toHaveLength(1);
  }
});

for (const width of [1280, 375]) {
  test(`at ${width} px the views behind end where the front one covers them, and eight places fill their pane`, async ({
    visit,
  }) => {
    const visitor = await visit("/", { width });
    const box = (css: string) =>
      visitor.ask(
        (css) => document.querySelector(css)?.getBoundingClientRect() ?? new DOMRect(),
        css,
      );
    const front = await box(".view-rooms");
    for (const behind of [".view-log", ".view-objects"]) {
      expect.soft((await box(behind)).bottom).toBeLessThan(front.top + front.height / 4);
    }
    const pane = await box(".room-players");
    expect((await box(".room-players table")).bottom).toBeGreaterThan(pane.bottom - 12);
  });
}

test("what a page complains of does not escape these tests", async ({ visit, announce }) => {
  for (const fault of [
    "console warn: look here",
    "uncaught: ",
    "img-src refuses",
    "404 /no-such-picture",
  ]) {
    announce(fault);
  }
  const visitor = await visit("/privacy", { width: 1280 });
  await visitor.ask(() => {
    console.warn("look", "here");
    document.body.append(Object.assign(new Image(), { src: "https://elsewhere.example/" }));
    document.body.append(Object.assign(new Image(), { src: "/no-such-picture" }));
    reportError(new Error("unexpected"));
  }, null);
  const answered = () => visitor.ask(() => [...document.images].every((it) => it.complete), null);
  await expect.poll(answered).toBe(true);
});
