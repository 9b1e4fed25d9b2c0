import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as bidi from "selenium-webdriver/bidi/index.js";
import type { Engine } from "./engine.ts";
import { firefox } from "./found.ts";

/** The module is the class, whatever its types say. */
const { default: Connection } = bidi as unknown as { default: typeof bidi.Index };

/** What is read of the answers to commands (WebDriver BiDi). */
type Result = {
  userContext: string;
  context: string;
  result: { value: string };
  exceptionDetails?: { text: string };
};
type Answered = { result: Result } | { error: string; message: string };

/** Stock Firefox, by WebDriver BiDi, which it speaks by itself. One has scripts, and another has not. */
export async function startFirefox(): Promise<Engine> {
  const started = new Map<boolean, ReturnType<typeof start>>();
  const browser = (scripts: boolean) => {
    const running = started.get(scripts) ?? start(scripts);
    started.set(scripts, running);
    return running;
  };
  return {
    open: async ({ width, height, scripts }) => {
      const { tell } = await browser(scripts);
      const { userContext } = await tell("browser.createUserContext", {});
      const { context } = await tell("browsingContext.create", { type: "tab", userContext });
      await tell("browsingContext.setViewport", { context, viewport: { width, height } });
      const act = async (type: string, actions: object[]) => {
        await tell("input.performActions", { context, actions: [{ type, id: type, actions }] });
      };
      return {
        go: async (url) =>
          void (await tell("browsingContext.navigate", { context, url, wait: "complete" })),
        call: async (functionDeclaration, value) => {
          const { result, exceptionDetails } = await tell("script.callFunction", {
            functionDeclaration,
            arguments: [{ type: "string", value }],
            target: { context },
            awaitPromise: true,
            userActivation: false,
          });
          if (exceptionDetails) {
            throw new Error(exceptionDetails.text);
          }
          return result.value;
        },
        click: (x, y) =>
          act("pointer", [
            { type: "pointerMove", x: Math.round(x), y: Math.round(y) },
            { type: "pointerDown", button: 0 },
            { type: "pointerUp", button: 0 },
          ]),
        type: (keys) =>
          act(
            "key",
            [...keys].flatMap((value) => [
              { type: "keyDown", value },
              { type: "keyUp", value },
            ]),
          ),
        close: async () => void (await tell("browser.removeUserContext", { userContext })),
      };
    },
    end: async () => {
      for (const running of started.values()) {
        await (await running).end();
      }
    },
  };
}

async function start(scripts: boolean) {
  const profile = mkdtempSync(join(tmpdir(), "site-firefox-"));
  writeFileSync(join(profile, "user.js"), preferences({ "javascript.enabled": scripts }));
  const options = ["--headless", "--remote-debugging-port=0", "--profile", profile];
  const browser = spawn(String(firefox), options, { stdio: ["ignore", "ignore", "pipe"] });
  process.once("exit", () => browser.kill());
  let address: string | undefined;
  for await (const line of createInterface(browser.stderr)) {
    address = /^WebDriver BiDi listening on (.*)/.exec(line)?.[1];
    if (address) {
      break;
    }
  }
  const connection = new Connection(`${address}/session`);
  await connection.waitForConnection();
  const tell = async (method: string, params: object) => {
    const answer = (await connection.send({ method, params })) as Answered;
    if ("error" in answer) {
      throw new Error(`${method}: ${answer.error}: ${answer.message}`);
    }
    return answer.result;
  };
  await tell("session.new", { capabilities: {} });
  const end = async () => {
    const over = once(browser, "exit");
    await tell("browser.close", {});
    await over;
    rmSync(profile, { recursive: true, force: true });
  };
  return { tell, end };
}

/** What would ask other hosts, or ask the visitor something, is off. */
function preferences(more: Record<string, boolean>) {
  const all: Record<string, boolean | string | number> = {
    "app.normandy.enabled": false,
    "app.update.disabledForTesting": true,
    "browser.shell.checkDefaultBrowser": false,
    "datareporting.policy.dataSubmissionEnabled": false,
    "network.captive-portal-service.enabled": false,
    "network.connectivity-service.enabled": false,
    "remote.prefs.recommended": true,
    ...more,
  };
  return Object.entries(all)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join("");
}
