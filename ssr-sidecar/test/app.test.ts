import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { readExamples } from "@site/components/examples";
import { createSidecar } from "../src/app.ts";
import { ask, freshSocket } from "./sidecar.ts";

const socketPath = freshSocket();
const render = (body: unknown) => ask({ socketPath, path: "/render" }, body);
const health = { socketPath, path: "/health" };
const [pricing] = readExamples("PricingCards");
const [faq] = readExamples("FaqAccordion");
const [form] = readExamples("ContactForm");
const server = createSidecar("bundle");

before(() => once(server.listen(socketPath), "listening"));
after(() => server.close());

test("a section that throws fails alone", async () => {
  const { status, body } = await render({
    sections: [
      { key: "a", name: "FaqAccordion", props: faq?.props },
      { key: "b", name: "FaqAccordion", props: {} },
      { key: "c", name: "FaqAccordion" },
      { key: "d", name: "Carousel", props: {} },
      { key: "e", name: "constructor", props: {} },
      { key: "f", name: "PricingCards", props: pricing?.props },
    ],
  });
  assert.equal(status, 200);
  assert.equal(body.bundle, "bundle");
  assert.deepEqual(
    body.sections.map(({ key, html }) => [key, html !== undefined]),
    [
      ["a", true],
      ["b", false],
      ["c", false],
      ["d", false],
      ["e", false],
      ["f", true],
    ],
  );
  assert.equal(body.sections[3]?.error, 'No component is named "Carousel"');
  assert.doesNotMatch(JSON.stringify(body), /\.tsx|node_modules/);
});

test("a developer is told where a section throws", async (context) => {
  process.env.SITE_DEV = "1";
  context.after(() => delete process.env.SITE_DEV);
  const { body } = await render({ sections: [{ key: "a", name: "FaqAccordion", props: {} }] });
  assert.match(
    body.sections[0]?.error ?? "",
    /^components\/src\/faq-accordion\/faq-accordion\.tsx:\d+: Cannot read/,
  );
});

test("an island comes with its props, every other section bare", async () => {
  const { body } = await render({
    sections: [
      { key: "a", name: "ContactForm", props: form?.props },
      { key: "b", name: "FaqAccordion", props: faq?.props },
      { key: "c", name: "PricingCards", props: pricing?.props },
    ],
  });
  const [island, ...bare] = body.sections;
  assert.match(island?.html ?? "", /^<div data-island="ContactForm"><form class="contact-form"/);
  const json = island?.html.match(/<\/div><script type="application\/json">(.*)<\/script>$/)?.[1];
  assert.deepEqual(JSON.parse(json ?? ""), form?.props);
  for (const { html } of bare) {
    assert.match(html, /^<div class="(faq|pricing-cards)">/);
    assert.doesNotMatch(html, /<script|<!--/);
  }
});

test("text that closes a script stays text, in the markup and in the props", async () => {
  const evil = "</script><script>alert(1)</script><!--";
  const { body } = await render({
    sections: [
      {
        key: "a",
        name: "ContactForm",
        props: { ...form?.props, draft: { name: evil, email: "", company: "", message: evil } },
      },
    ],
  });
  const html = body.sections[0]?.html ?? "";
  assert.equal(html.match(/<script/g)?.length, 1);
  assert.equal(html.match(/<\/script/g)?.length, 1);
});

test("a __proto__ in the props reaches nothing", async () => {
  const props = JSON.stringify(faq?.props).replace("{", '{"__proto__":{"polluted":"yes"},');
  const envelope = `{"__proto__":{"polluted":"yes"},"sections":[{"key":"a","name":"FaqAccordion","props":${props}}]}`;
  const { status, body } = await render(envelope);
  assert.equal(status, 200);
  assert.doesNotMatch(body.sections[0]?.html ?? "", /polluted/);
  assert.equal(({} as { polluted?: string }).polluted, undefined);
});

test("an envelope that cannot be read is 400, with the reason", async () => {
  for (const body of ["hello", "", "[]", "null", "{}", '{"sections":3}', '{"sections":[null]}']) {
    const answer = await render(body);
    assert.equal(answer.status, 400, body);
    assert.ok(answer.body.error, body);
  }
  const { body } = await render({ sections: [{ key: "a", name: "NavBar" }, { key: 1 }] });
  assert.equal(body.error, 'sections[1] must have "key" and "name" as strings');
});

test("a body of more than a megabyte is refused", async () => {
  const { status, body } = await render(`"${"x".repeat(1_100_000)}"`);
  assert.equal(status, 413);
  assert.match(body.error ?? "", /too large/);
});

test("other routes are 404, other methods 405 with what is allowed", async () => {
  assert.equal((await ask({ socketPath, path: "/shutdown" }, {})).status, 404);
  const wrong = await ask({ socketPath, path: "/render" });
  assert.equal(wrong.status, 405);
  assert.equal(wrong.headers.allow, "POST");
  assert.equal((await ask(health, {})).status, 405);
  assert.equal((await ask({ ...health, method: "HEAD" })).status, 200);
});

test("health names the bundle, and no answer names the server's software", async () => {
  const { status, body, headers } = await ask(health);
  assert.equal(status, 200);
  assert.deepEqual(body, { status: "ok", bundle: "bundle" });
  assert.equal(headers["x-powered-by"], undefined);
});

test("bytes that are no request end their own connection only", async () => {
  for (const garbage of [
    "\0\x01\x02",
    "GET",
    "POST /render HTTP/1.1\r\ncontent-length: x\r\n\r\n",
  ]) {
    const socket = connect(socketPath);
    socket.on("error", () => {});
    socket.end(garbage);
    await once(socket.resume(), "close");
  }
  assert.equal((await ask(health)).status, 200);
});

test("a request that never comes to its end is cut off", async () => {
  const slow = connect(socketPath);
  slow.write("POST /render HTTP/1.1\r\nhost: x\r\n");
  const answer = once(slow, "data");
  await once(slow, "close");
  assert.match(String(await answer), /^HTTP\/1\.1 408 /);
});
