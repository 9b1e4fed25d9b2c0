import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "@playwright/test";
import { launchOptions } from "../assets/browser.ts";
import { siteEnvironment } from "../bench/environment.ts";
import { freePort } from "../bench/port.ts";
import { firefox, found, webKit } from "./engines/found.ts";
import type { Options } from "./engines/visitor.ts";

// Each worker reads this file again; it finds here what the runner chose.
const chosen = process.env;
if (!chosen.E2E_STATE) {
  const state = mkdtempSync(join(tmpdir(), "site-e2e-"));
  process.on("exit", () => rmSync(state, { recursive: true, force: true }));
  chosen.E2E_STATE = state;
  chosen.E2E_PORT = String(await freePort());
  chosen.E2E_PORT_WITHOUT_SIDECAR = String(await freePort());
  chosen.E2E_PORT_WEBKIT = String(await freePort());
  console.info(`Engines: ${found()}`);
}

const address = `http://127.0.0.1:${chosen.E2E_PORT}`;

export default defineConfig<Options>({
  fullyParallel: true,
  forbidOnly: true,
  // They wait for pages more than they compute.
  workers: 4,
  // A machine may be busy with other things.
  timeout: 60_000,
  reporter: "list",
  // A part that is new is a difference, too.
  expect: { toMatchAriaSnapshot: { children: "deep-equal" } },
  snapshotPathTemplate: "{testDir}/{testFileName}-snapshots/{arg}{ext}",
  use: { baseURL: address, launchOptions: launchOptions(), screenshot: "only-on-failure" },
  projects: [
    // One after the other, so they begin first and the others keep the rest of the machine busy.
    ...(firefox ? [inEngine("tests in Firefox", "Firefox")] : []),
    { name: "tests", testDir: "tests" },
    ...(webKit ? [inEngine("behaviours in WebKit", "WebKit")] : []),
    // What the tests say of Chromium, in the words of the others.
    inEngine("behaviours in Chromium", "Chromium"),
    { name: "markup", testDir: ".", testMatch: "nu.ts", timeout: 180_000 },
    { name: "screenshots", testDir: ".", testMatch: "screenshots.ts", timeout: 180_000 },
  ],
  webServer: [
    {
      ...server("together", chosen.E2E_PORT),
      command: "node --import tsx procfile.ts Procfile",
      url: `${address}/robots.txt`,
    },
    {
      ...server("alone", chosen.E2E_PORT_WITHOUT_SIDECAR),
      command: "exec target/release/site",
      port: Number(chosen.E2E_PORT_WITHOUT_SIDECAR),
    },
  ],
});

/** What visitors do, in the engine that their browser has. */
function inEngine(name: string, engine: Options["engine"]) {
  return { name, testDir: "engines", workers: 1, use: { engine } };
}

function server(name: string, port = "") {
  return {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env: {
      ...siteEnvironment(join(chosen.E2E_STATE ?? "", name)),
      PORT: port,
      SITE_CONTENT: "site/tests/site.toml",
      // The site believes who a test says that it is: each is a visitor with a quota of its own.
      TRUSTED_PROXIES: "127.0.0.1",
    },
    stdout: "pipe" as const,
    gracefulShutdown: { signal: "SIGTERM" as const, timeout: 5_000 },
  };
}
