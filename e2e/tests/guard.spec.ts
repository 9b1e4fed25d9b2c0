import { test } from "../fixtures.ts";

/** What must fail a test: how a page comes to do it, and how the guard reports it. */
const faults: { name: string; provoke: () => unknown; reports: string[] }[] = [
  {
    name: "a console error",
    provoke: () => console.error("broken"),
    reports: ["console error: broken"],
  },
  {
    name: "a console warning",
    provoke: () => console.warn("doubtful"),
    reports: ["console warning: doubtful"],
  },
  {
    name: "an uncaught error",
    provoke: () => reportError(new Error("broken")),
    reports: ["uncaught: Error: broken"],
  },
  {
    name: "a rejected promise that nobody handles",
    provoke: () => void Promise.reject(new Error("broken")),
    reports: ["uncaught: Error: broken"],
  },
  {
    name: "a bad answer",
    provoke: async () => (await fetch("/nowhere")).text(),
    reports: ["bad answer: 404", "console error: Failed to load resource"],
  },
  {
    name: "no answer",
    provoke: () => fetch("/unanswered").catch(() => {}),
    reports: ["no answer: net::ERR_FAILED /unanswered", "Failed to load resource: net::ERR_FAILED"],
  },
  {
    name: "a breach of the content security policy",
    provoke: () => document.body.setAttribute("style", "color:red"),
    reports: ["console error: style-src-attr refuses inline", "violates the following Content"],
  },
  {
    name: "a request to another host",
    provoke: () => {
      new Image().src = "https://elsewhere.example/";
    },
    reports: ["asked another host", "https://elsewhere.example/"],
  },
  {
    name: "a cookie",
    provoke: () => {
      // biome-ignore lint/suspicious/noDocumentCookie: the cookie is what the test is about
      document.cookie = "visitor=1";
    },
    reports: ["kept a cookie: visitor"],
  },
];

for (const { name, provoke, reports } of faults) {
  test(`${name} does not escape the tests`, async ({ page, announce }) => {
    await page.route("/unanswered", (route) => route.abort("failed"));
    await page.goto("/");
    reports.forEach(announce);
    await page.evaluate(provoke);
  });
}

test("where a fault is reported says nothing of what it is", async ({ page, announce }) => {
  test.fail(true, "the address of the page is announced, and not its fault");
  await page.goto("/contact");
  announce("/contact");
  await page.evaluate(() => console.error("broken"));
});
