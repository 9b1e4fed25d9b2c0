import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { processors } from "./machine.ts";
import { pinned } from "./processes.ts";

const script = fileURLToPath(new URL("./wrk.lua", import.meta.url));

/** What a load asks for. */
export type Request = { port: number; path: string; encodings: string; connections: number };

/** What wrk measured; times in microseconds, bytes with all headers. */
export type Load = {
  requests: number;
  bytes: number;
  duration: number;
  p50: number;
  p99: number;
};

/** Loads a server for some seconds from the processors that are kept for that. */
export async function load(request: Request, seconds: number): Promise<Load> {
  const { port, path, encodings, connections } = request;
  const threads = Math.min(processors.load.length, connections);
  const [taskset = "", ...command] = [
    ...pinned(processors.load),
    ...["wrk", "--script", script, "--header", `Accept-Encoding: ${encodings}`],
    ...["--threads", String(threads), "--connections", String(connections)],
    ...["--duration", `${seconds}s`, `http://127.0.0.1:${port}${path}`],
  ];
  const { stdout } = await promisify(execFile)(taskset, command);
  const { failed, ...figures } = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
  if (failed > 0) {
    throw new Error(`${failed} requests failed under wrk:\n${stdout}`);
  }
  return figures;
}
