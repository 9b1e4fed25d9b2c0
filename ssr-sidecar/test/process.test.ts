import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { promisify } from "node:util";
import { bundleDigest } from "@site/components/digest";
import { parseEndpoint, StartError } from "../src/endpoint.ts";
import { ask, ended, freshSocket, start } from "./sidecar.ts";

const health = (socketPath: string) => ask({ socketPath, path: "/health" });

test("an endpoint is a Unix socket or a loopback port", () => {
  assert.deepEqual(parseEndpoint("unix:var/ssr.sock").listen, { path: "var/ssr.sock" });
  assert.deepEqual(parseEndpoint("http://127.0.0.1:3001").listen, {
    host: "127.0.0.1",
    port: 3001,
  });
  assert.deepEqual(parseEndpoint("http://[::1]:3001").listen, { host: "::1", port: 3001 });
  for (const text of [
    "http://0.0.0.0:3001",
    "http://192.168.0.1:3001",
    "http://example.com:3001",
    "http://127.0.0.1.example.com:3001",
    "http://127.0.0.1",
    "http://127.0.0.1:3001/render",
    "https://127.0.0.1:3001",
    "unix:",
    `unix:/${"x".repeat(107)}`,
    "3001",
  ]) {
    assert.throws(() => parseEndpoint(text), StartError, text);
  }
  assert.throws(() => parseEndpoint("http://127.0.0.1:80"), /other than 80/);
});

test("SIGTERM lets an answer that is under way finish, then stops with 0 and takes the socket along", async (t) => {
  const socketPath = freshSocket();
  const { child } = await start(t, { SSR_ENDPOINT: `unix:${socketPath}` });
  const body = '{"sections":[]}';
  const headers = { "content-length": body.length };
  const underWay = request({ socketPath, path: "/render", method: "POST", headers });
  const answered = new Promise<string>((resolve) => {
    underWay.once("response", (response) => resolve(text(response)));
  });
  underWay.write(body.slice(0, 5));
  await health(socketPath);

  const exit = ended(child, "SIGTERM");
  while (existsSync(socketPath)) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  underWay.end(body.slice(5));
  assert.match(await answered, /"sections":\[\]/);
  assert.equal(await exit, 0);
});

test("a second sidecar on the same socket says so and leaves the first alone", async (t) => {
  const socketPath = freshSocket();
  const first = await start(t, { SSR_ENDPOINT: `unix:${socketPath}` });
  const second = await start(t, { SSR_ENDPOINT: `unix:${socketPath}` });
  assert.equal(await ended(second.child), 1);
  assert.equal(
    await second.log,
    `Another process already listens on unix:${socketPath}; stop it or set SSR_ENDPOINT to another address\n`,
  );
  assert.equal((await health(socketPath)).status, 200);
  assert.equal(await ended(first.child, "SIGTERM"), 0);
});

test("a socket left over by a killed sidecar is replaced", async (t) => {
  const socketPath = freshSocket();
  const env = { STATE_DIR: dirname(socketPath) };
  const killed = await start(t, env);
  await ended(killed.child, "SIGKILL");
  assert.ok(existsSync(socketPath));
  const next = await start(t, env);
  assert.equal((await health(socketPath)).status, 200);
  assert.equal(await ended(next.child, "SIGTERM"), 0);
});

test("a file that is no socket is never removed", async (t) => {
  const path = join(dirname(freshSocket()), "precious");
  writeFileSync(path, "kept");
  const { child, log } = await start(t, { SSR_ENDPOINT: `unix:${path}` });
  assert.equal(await ended(child), 1);
  assert.match(await log, /precious is there and is no socket; move it away .*\n$/);
  assert.ok(existsSync(path));
});

test("it answers on a loopback port when told, and says when the port is taken", async (t) => {
  const other = createServer().listen(0, "127.0.0.1");
  t.after(() => other.close());
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const taken = await start(t, { SSR_ENDPOINT: `http://127.0.0.1:${port}` });
  assert.equal(await ended(taken.child), 1);
  assert.match(
    await taken.log,
    /^Another process already listens on http:\/\/127\.0\.0\.1:\d+; .*\n$/,
  );

  await new Promise((resolve) => other.close(resolve));
  const { child } = await start(t, { SSR_ENDPOINT: `http://127.0.0.1:${port}` });
  const { body } = await ask({ host: "127.0.0.1", port, path: "/health" });
  assert.deepEqual(body, { status: "ok", bundle: await bundleDigest() });
  assert.equal(await ended(child, "SIGINT"), 0);
});

test("a wrong endpoint is one clear sentence", async (t) => {
  const { child, log } = await start(t, { SSR_ENDPOINT: "http://0.0.0.0:3001" });
  assert.equal(await ended(child), 1);
  assert.match(await log, /^SSR_ENDPOINT is "http:\/\/0\.0\.0\.0:3001", but must be .*\n$/);
});

test("a socket whose path is too long is told by where the path comes from", async (t) => {
  const { child, log } = await start(t, { STATE_DIR: `/${"x".repeat(107)}` });
  assert.equal(await ended(child), 1);
  assert.match(await log, /^The path of the sidecar's socket .* STATE_DIR.*\n$/);
});

test("a component that doesn't render its examples ends it, and each of them is named", async (t) => {
  const copy = copyOfSources();
  const examples = join(copy, "components/src/faq-accordion/faq-accordion.examples.json");
  writeFileSync(examples, '[{ "name": "no entries", "props": { "entries": null } }]');
  const component = join(copy, "components/src/nav-bar/nav-bar.tsx");
  writeFileSync(component, 'export function NavBar() { throw new Error("no ink"); }');

  const socketPath = freshSocket();
  const { child, log } = await start(t, { SSR_ENDPOINT: `unix:${socketPath}` }, copy);
  assert.equal(await ended(child), 1);
  const lines = (await log).trimEnd().split("\n");
  assert.match(lines.at(-1) ?? "", /^FaqAccordion doesn't render its example "no entries": /);
  assert.match(lines[0] ?? "", /^NavBar doesn't render its example "[^"]+": no ink$/);
  assert.ok(!existsSync(socketPath));
});

/** A folder with the sources of the sidecar and the components, to be changed at will. */
function copyOfSources(): string {
  const folder = dirname(freshSocket());
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@site"), { recursive: true });
  for (const name of ["express", "react", "react-dom", "esbuild", "tsx"]) {
    symlinkSync(resolve("node_modules", name), join(modules, name));
  }
  cpSync("tsconfig.json", join(folder, "tsconfig.json"));
  for (const name of ["components", "ssr-sidecar"]) {
    cpSync(name, join(folder, name), { recursive: true });
    symlinkSync(join(folder, name), join(modules, "@site", name));
  }
  return folder;
}

test("10,000 renders leave the heap as it was", async () => {
  const script = ["--expose-gc", "--import", "tsx", "ssr-sidecar/test/heap.ts"];
  const env = { ...process.env, NODE_ENV: "production" };
  const { stdout } = await promisify(execFile)("node", script, { env });
  const grownBytes = Number.parseInt(stdout, 10);
  assert.ok(grownBytes < 2_000_000, `the heap grew by ${grownBytes} bytes`);
});
