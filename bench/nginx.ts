import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { processors } from "./machine.ts";
import { freePort } from "./port.ts";
import { type Service, start, temporary } from "./processes.ts";

/** A page with the headers, names and values in turn, that the site sends along. */
export type Page = { path: string; rawHeaders: string[] };

/** nginx with the exported edition twice: as one would set it up, and with the site's headers. */
export type Nginx = Service & { plain: number; alike: number };

/** What nginx sends in its own way. */
const OWN = ["connection", "content-encoding", "content-length", "content-type", "date"];

/** Starts nginx on an exported edition, set up for speed as its manual has it. */
export async function startNginx(edition: string, pages: Page[]): Promise<Nginx> {
  const folder = join(temporary, "nginx");
  mkdirSync(folder);
  const [plain, alike] = [await freePort(), await freePort()];
  const brotli = brotliModule();
  const writable = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const root = process.getuid?.() === 0;
  writeFileSync(
    join(folder, "nginx.conf"),
    `
${brotli ? `load_module ${brotli};` : ""}
${root ? "user root;" : ""}
daemon off;
pid ${folder}/pid;
worker_processes ${processors.server.length};
events { worker_connections 1024; }
http {
  ${writable.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n  ")}
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=1000;
  open_file_cache_valid 60s;
  types {}
  default_type "text/html; charset=utf-8";
  gzip_static on;
  server {
    listen 127.0.0.1:${plain};
    ${brotli ? "brotli_static on;" : ""}
    gzip_vary on;
    ${pages.map((page) => location(edition, page)).join("\n    ")}
  }
  server {
    listen 127.0.0.1:${alike};
    etag off;
    ${pages.map((page) => location(edition, page, headersOf(page))).join("\n    ")}
  }
}
`,
  );
  const command = ["nginx", "-p", folder, "-c", join(folder, "nginx.conf"), "-e", "stderr"];
  const service = start(command, { port: plain }, {}, { processors: processors.server });
  return { ...service, plain, alike };
}

/** An exact location that names its file is what nginx finds fastest. */
function location(edition: string, { path }: Page, headers: [string, string][] = []): string {
  const added = headers.map(([name, value]) => `add_header ${name} ${quoted(value)};`);
  const file = `root ${edition}; try_files ${path === "/" ? "/index" : path}.html =404;`;
  return `location = ${path} { ${file} ${added.join(" ")} }`;
}

/** The headers that nginx must be told to send, and the one that it must be told to leave out. */
function headersOf({ rawHeaders }: Page): [string, string][] {
  const told = pairs(rawHeaders).filter(([name]) => !OWN.includes(name.toLowerCase()));
  return [["last-modified", ""], ...told];
}

const quoted = (text: string) => `"${text.replace(/["\\]/g, "\\$&")}"`;

/** Names and values in turn, as pairs. */
export const pairs = (flat: string[]): [string, string][] =>
  flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ""]] : []));

/** The module that sends precompressed Brotli, where it is installed. */
function brotliModule(): string | undefined {
  const configured = execFileSync("sh", ["-c", "nginx -V 2>&1"], { encoding: "utf8" });
  const folder = configured.match(/--modules-path=(\S+)/)?.[1] ?? "";
  const file = join(folder, "ngx_http_brotli_static_module.so");
  return existsSync(file) ? file : undefined;
}
