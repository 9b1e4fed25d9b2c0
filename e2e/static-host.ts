import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { siteEnvironment } from "../bench/environment.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The copy of these tests. */
export const copy = join(root, "site/tests/site.toml");

/** Exports a site with this copy, rendered by these tests' sidecar, and returns the folder. */
export function exported(content: string, ...options: string[]): string {
  const state = process.env.E2E_STATE ?? "";
  const folder = mkdtempSync(join(state, "export-"));
  execFileSync("target/release/site", ["export", ...options, folder], {
    cwd: root,
    env: { ...siteEnvironment(join(state, "together")), SITE_CONTENT: content },
  });
  return folder;
}

/** Serves a folder as static hosts do, with its `_headers`, `_redirects` and `404.html`. */
export async function serve(folder: string) {
  const headers = headersIn(readFileSync(join(folder, "_headers"), "utf8"));
  const redirects = new Map(
    readFileSync(join(folder, "_redirects"), "utf8")
      .split("\n")
      .map((line) => line.split(" ") as [string, string]),
  );
  const server = createServer(({ url = "/" }, response) => {
    const { pathname } = new URL(url, "http://host");
    const location = redirects.get(pathname);
    if (location) {
      response.writeHead(301, { location }).end();
      return;
    }
    const file = ["", ".html", "index.html"]
      .map((end) => join(folder, pathname + end))
      .find((name) => existsSync(name) && statSync(name).isFile());
    response
      .writeHead(file ? 200 : 404, headers.get(pathname) ?? { "content-type": "text/html" })
      .end(readFileSync(file ?? join(folder, "404.html")));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** The headers of each path: a line with the path, and below it a line for each header. */
function headersIn(text: string) {
  const rules = text
    .split("\n\n")
    .map((rule) => rule.split("\n").map((line) => line.trim()))
    .map(([path = "", ...lines]) => {
      const pairs = lines.filter(Boolean).map((line) => line.split(/: (.*)/).slice(0, 2));
      return [path, Object.fromEntries(pairs)] as [string, Record<string, string>];
    });
  return new Map(rules);
}
