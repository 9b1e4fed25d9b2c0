import { lstatSync, mkdirSync, unlinkSync } from "node:fs";
import { connect, type ListenOptions, type Server } from "node:net";
import { dirname } from "node:path";

/** Where the sidecar listens, and the same as text for people. */
type Endpoint = { name: string; listen: { path: string } | { host: string; port: number } };

/** Why the sidecar doesn't start, told to the person who starts it. */
export class StartError extends Error {}

/** The longest path that the address of a Unix socket holds. */
const LONGEST_PATH = 107;

/** Reads `SSR_ENDPOINT`: `unix:<path>` or the address of a loopback port, and nothing else. */
export function parseEndpoint(text: string): Endpoint {
  const path = text.startsWith("unix:") ? text.slice("unix:".length) : undefined;
  if (path !== undefined) {
    if (path === "" || Buffer.byteLength(path) > LONGEST_PATH) {
      throw new StartError(
        `The path of the sidecar's socket is "${path}", but must have 1 to ${LONGEST_PATH} bytes: SSR_ENDPOINT names it, or it is ssr.sock in STATE_DIR`,
      );
    }
    return { name: text, listen: { path } };
  }

  const url = URL.canParse(text) ? new URL(text) : undefined;
  const loopback = ["127.0.0.1", "localhost", "[::1]"].includes(url?.hostname ?? "");
  const bare = url?.pathname === "/" && !/[?#]/.test(text);
  if (url?.protocol !== "http:" || !loopback || url.port === "" || !bare) {
    throw new StartError(
      `SSR_ENDPOINT is "${text}", but must be "unix:<path>" or a loopback address with a port other than 80 like "http://127.0.0.1:3001"`,
    );
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return { name: text, listen: { host, port: Number(url.port) } };
}

/** Listens, after removing a socket that a sidecar left over when it was killed. */
export async function listen(server: Server, { name, listen: options }: Endpoint) {
  try {
    if ("path" in options) {
      mkdirSync(dirname(options.path), { recursive: true });
      if (await isLeftOver(options.path)) {
        unlinkSync(options.path);
      }
    }
    await started(server, options);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "EADDRINUSE") {
      throw new StartError(`Cannot listen on ${name}: ${message}`);
    }
    throw new StartError(
      "path" in options && !isSocket(options.path)
        ? `${options.path} is there and is no socket; move it away or set SSR_ENDPOINT to another address`
        : `Another process already listens on ${name}; stop it or set SSR_ENDPOINT to another address`,
    );
  }
}

function started(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

const isSocket = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isSocket() ?? false;

/** Whether the path is a socket that nobody answers on. */
function isLeftOver(path: string): Promise<boolean> {
  if (!isSocket(path)) {
    return Promise.resolve(false);
  }
  return new Promise((resolve) => {
    const probe = connect(path, () => {
      probe.destroy();
      resolve(false);
    });
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code === "ECONNREFUSED"));
  });
}
