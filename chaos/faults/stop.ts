import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ask } from "../../bench/http.ts";
import { freePort } from "../../bench/port.ts";
import { children } from "../../bench/proc.ts";
import { newState, root, serving, start, stop } from "../../bench/processes.ts";
import { type Fault, type Scale, until } from "../fault.ts";
import { startScript } from "../helper.ts";
import { like, type Prepared, type Site, siteCommand, startSite } from "../site.ts";
import { PAGES, visit } from "../visitors.ts";

/** A site that was told to stop has ended by then, in milliseconds. */
const STOPPED = 10_000;

/** Stops and restarts while visitors ask for pages. */
export function stopFaults(prepared: Prepared, scale: Scale): Fault[] {
  const handedOver: Fault = {
    name: `${scale.rounds} restarts on a socket that was handed over`,
    inflict: async () => {
      const state = like(prepared.state);
      const port = await freePort();
      const { command, environment } = siteCommand(state, { PORT: `${port}` });
      const holder = startScript("chaos/socket.ts", [`${port}`, ...command], environment);
      const address = { port };
      const alive = () => (holder.pid ? children(holder.pid)[0] : undefined);
      try {
        await until("pages", () =>
          ask(address, "/").then(
            ({ status }) => status === 200,
            () => false,
          ),
        );
        const leave = visit(address, scale);
        const took: number[] = [];
        for (let round = 0; round < scale.rounds; round++) {
          await pause(300);
          const old = alive();
          if (!old) {
            throw new Error("the site has ended by itself");
          }
          process.kill(old, "SIGTERM");
          took.push(await until("the next process", async () => (alive() ?? old) !== old));
        }
        await pause(300);
        const seen = await leave();
        return { seen, recovery: Math.max(...took), ...longest(took) };
      } finally {
        const last = alive();
        holder.kill();
        if (last) {
          process.kill(last);
        }
      }
    },
  };
  const behindNginx = [1, 2].map((machines) => ({
    name: `${scale.rounds} restarts of each of ${machines} behind nginx`,
    inflict: async () => {
      const states = Array.from({ length: machines }, () => like(prepared.state));
      const ports = await Promise.all(states.map(freePort));
      const begin = (at: number) => startSite(states[at] ?? "", { PORT: `${ports[at]}` });
      const sites = await Promise.all(states.map((_, at) => begin(at)));
      const nginx = await serving(await startProxy(ports));
      // What nginx has kept is what it serves while the only site is away.
      for (const path of PAGES) {
        await ask(nginx.address, path, { headers: { "accept-encoding": "br" } });
      }
      const leave = visit(nginx.address, scale);
      const stops: number[] = [];
      let recovery = 0;
      for (let round = 0; round < scale.rounds; round++) {
        for (let at = 0; at < machines; at++) {
          await pause(300);
          const begun = performance.now();
          await stop(sites[at] as Site);
          stops.push(performance.now() - begun);
          sites[at] = await begin(at);
          recovery = Math.max(recovery, performance.now() - begun);
        }
      }
      await pause(300);
      const seen = await leave();
      await Promise.all([stop(nginx), ...sites.map(stop)]);
      return { seen, recovery, ...longest(stops) };
    },
  }));
  return hasNginx ? [handedOver, ...behindNginx] : [handedOver];
}

/** Whether restarts behind nginx can be tried. */
export const hasNginx = (process.env.PATH ?? "")
  .split(delimiter)
  .some((folder) => existsSync(join(folder, "nginx")));

function longest(stops: number[]) {
  const most = Math.max(...stops);
  return {
    note: `stopped within ${(most / 1000).toFixed(1)} s`,
    wrong: most > STOPPED ? "a stop took too long" : "",
  };
}

/** nginx with what deploy/nginx.conf says, but for TLS. */
async function startProxy(ports: number[]) {
  const folder = newState();
  const port = await freePort();
  const example = readFileSync(join(root, "deploy/nginx.conf"), "utf8")
    .replace(
      /server 127\.0\.0\.1:3000(.*)/,
      ports.map((to) => `server 127.0.0.1:${to}$1`).join("\n"),
    )
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
    .replace(/^ *(http2|ssl_certificate(_key)?) .*$/gm, "")
    .replace("/var/cache/nginx-site", join(folder, "cache"));
  const writable = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const paths = writable.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n");
  const file = join(folder, "nginx.conf");
  const user = process.getuid?.() === 0 ? "user root;" : "";
  writeFileSync(
    file,
    `${user} daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
     events { worker_connections 4096; }
     http { access_log off; ${paths}\n${example} }`,
  );
  return start(["nginx", "-p", folder, "-c", file, "-e", join(folder, "error.log")], { port });
}
