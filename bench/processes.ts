import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sidecarSocket, siteEnvironment } from "./environment.ts";
import { type Address, ask } from "./http.ts";
import { freePort } from "./port.ts";

/** The root of the source tree. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** Everything that this run writes, but for its results; removed at its end. */
export const temporary = mkdtempSync(join(tmpdir(), "site-bench-"));

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) {
    child.kill();
    // One that was frozen ends, too.
    child.kill("SIGCONT");
  }
  rmSync(temporary, { recursive: true, force: true });
});
for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => process.exit(1));
}

/** A process that answers requests. */
export type Service = { pid: number; address: Address; child: ChildProcess };

/** How a process runs. */
export type Manner = {
  /** On these processors, with a worker thread for each; without them as it likes. */
  processors?: number[];
  /** Without its log, where it is expected to complain. */
  quiet?: boolean;
};

/** A folder of its own for the state of a site and its sidecar. */
export const newState = () => mkdtempSync(join(temporary, "state-"));

/** How the Procfile starts a process; its shell becomes the process. */
export function fromProcfile(name: string): [string, string, string] {
  const line = new RegExp(`^${name}: (.+)$`, "m").exec(
    readFileSync(join(root, "Procfile"), "utf8"),
  );
  if (!line?.[1]) {
    throw new Error(`Procfile has no line for ${name}`);
  }
  return ["sh", "-c", line[1]];
}

/** Starts the site; it may not be serving yet. */
export const startSite = (state: string, manner?: Manner) =>
  startServer(fromProcfile("web"), state, manner);

/** Starts a server that is configured as the site is, on a free port. */
export async function startServer(
  command: string[],
  state: string,
  manner?: Manner,
): Promise<Service> {
  const port = await freePort();
  return start(command, { port }, { ...siteEnvironment(state), PORT: String(port) }, manner);
}

/** Starts the sidecar; it may not be listening yet. */
export const startSidecar = (state: string) =>
  start(
    fromProcfile("ssr"),
    { socketPath: sidecarSocket(state) },
    { SSR_ENDPOINT: `unix:${sidecarSocket(state)}` },
  );

/** Starts a process that will answer at an address. */
export function start(
  command: string[],
  address: Address,
  environment: Record<string, string> = {},
  { processors, quiet }: Manner = {},
): Service {
  const env = { ...process.env, ...environment };
  if (processors) {
    env.TOKIO_WORKER_THREADS = String(processors.length);
  }
  if (quiet) {
    env.RUST_LOG = "off";
  }
  // taskset becomes the command, so the process number is the command's.
  const [file = "", ...rest] = [...pinned(processors), ...command];
  const child = spawn(file, rest, { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] });
  running.add(child);
  child.once("exit", () => running.delete(child));
  if (child.pid === undefined) {
    throw new Error(`${file} can't be started: is it installed and built?`);
  }
  return { pid: child.pid, address, child };
}

/** What comes before a command that runs on certain processors only. */
export const pinned = (processors?: number[]) =>
  processors ? ["taskset", "--cpu-list", processors.join()] : [];

/** Resolves once the service answers a path with 200. */
export async function serving(service: Service, path = "/") {
  const { address, child } = service;
  const deadline = performance.now() + 20_000;
  while (performance.now() < deadline) {
    const ended = child.exitCode ?? child.signalCode;
    if (ended !== null) {
      throw new Error(`${child.spawnargs.join(" ")} ended with ${ended}`);
    }
    // Before it listens the connection is refused; before it has pages the answer is 503.
    const status = await ask(address, path, { within: 5000 }).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) {
      return service;
    }
    await sleep(1);
  }
  throw new Error(`${child.spawnargs.join(" ")} doesn't answer ${path} with 200`);
}

/** Stops a process and waits for its end. */
export async function stop({ child }: Service) {
  if (running.has(child)) {
    child.kill();
    await once(child, "exit");
  }
}

/** The port of a service that has one. */
export function portOf(address: Address): number {
  if ("port" in address) {
    return address.port;
  }
  throw new Error(`${address.socketPath} is no port`);
}

/** A state folder in which a site has left all that it keeps, so that no sidecar is needed. */
export async function keptState(): Promise<string> {
  const state = newState();
  const sidecar = await serving(startSidecar(state), "/health");
  const site = await serving(await startSite(state));
  await Promise.all([stop(site), stop(sidecar)]);
  return state;
}
