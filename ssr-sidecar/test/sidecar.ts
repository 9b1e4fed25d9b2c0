import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type IncomingHttpHeaders, type RequestOptions, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";

/** What the sidecar answered. */
export type Answer = {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  // The answers are what the tests look into.
  body: { bundle?: string; error?: string; status?: string; sections: Section[] };
};
type Section = { key: string; html: string; error?: string };

const sockets = mkdtempSync(join(tmpdir(), "sidecar-"));
process.on("exit", () => rmSync(sockets, { recursive: true }));

/** A path for a socket that no other test uses. */
export function freshSocket(): string {
  return join(mkdtempSync(join(sockets, "socket-")), "ssr.sock");
}

/** Starts the sidecar as a process for one test, from `folder`; resolves once it listens or has ended. */
export async function start(test: TestContext, env: Record<string, string>, folder = ".") {
  const child = spawn("node", ["--import", "tsx", "ssr-sidecar/src/main.ts"], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  test.after(() => child.kill("SIGKILL"));
  const log = text(child.stderr);
  await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  return { child, log };
}

/** Sends the signal, if any, and waits for the end; returns the exit code. */
export async function ended(child: ChildProcess, signal?: NodeJS.Signals): Promise<number | null> {
  const exit = child.exitCode === null ? once(child, "exit") : undefined;
  if (signal) {
    child.kill(signal);
  }
  await exit;
  return child.exitCode;
}

/** Sends one request; a body that is no text is sent as JSON. */
export async function ask(to: RequestOptions, body?: unknown): Promise<Answer> {
  const sent = request({ method: body === undefined ? "GET" : "POST", agent: false, ...to });
  sent.end(typeof body === "string" || body === undefined ? body : JSON.stringify(body));
  const [response] = await once(sent, "response");
  const content = await text(response);
  return {
    status: response.statusCode,
    headers: response.headers,
    body: content === "" ? {} : JSON.parse(content),
  };
}
