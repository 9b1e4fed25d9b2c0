import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ask } from "../bench/http.ts";
import { memory } from "../bench/proc.ts";
import {
  freePort,
  newState,
  root,
  serving,
  start,
  startSidecar,
  stop,
} from "../bench/processes.ts";
import { change, like, type Site, startSite, title } from "./site.ts";
import { p99, type Seen, send, until, visit } from "./visitors.ts";

/** One line of the table: pages asked for while the fault lasted, and what else was seen. */
export type Row = { fault: string; seen: Seen; recovery: string; note?: string };

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;

/** How often things are done: fewer in the shortened form, which is part of the tests. */
export type Scale = { hostile: number; rounds: number; flood: number; changes: number };

/** What a sidecar may answer that has gone wrong. */
const sidecars: Record<string, RequestListener> = {
  slow: (_, response) => setTimeout(() => response.end("{}"), 6_000),
  silent: () => {},
  garbage: (_, response) => response.end("\0\xff{not json"),
  half: (_, response) => {
    response.writeHead(200, { "content-length": 10_000 });
    response.write('{"bundle":"');
    setTimeout(() => response.destroy(), 50);
  },
  "50 MB": (_, response) => response.end(Buffer.alloc(50_000_000, "x")),
  "wrong bundle": (_, response) => response.end('{"bundle":"0123456789abcdef","sections":[]}'),
};

/** The right bundle with wrong sections. */
const answering =
  (bundle: string, section: (key: string) => object): RequestListener =>
  (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { sections } = JSON.parse(Buffer.concat(chunks).toString()) as {
        sections: { key: string }[];
      };
      response.end(JSON.stringify({ bundle, sections: sections.map(({ key }) => section(key)) }));
    });
  };

/** Each way in which the sidecar fails while an owner changes the copy. */
export async function* sidecarRows(state: string): AsyncGenerator<Row> {
  const manifest = JSON.parse(readFileSync(join(root, "assets/dist/manifest.json"), "utf8"));
  const faults: [string, RequestListener | undefined][] = [
    ["killed", undefined],
    ...Object.entries(sidecars),
    ["empty HTML", answering(manifest.bundle, (key) => ({ key, html: "" }))],
    ["foreign keys", answering(manifest.bundle, (key) => ({ key: `not ${key}`, html: "<p>" }))],
  ];
  for (const [fault, listener] of faults) {
    const own = like(state);
    const site = await startSite(own);
    const socket = join(own, "ssr.sock");
    const leave = visit(site.address);
    const fake = listener && createServer(listener).listen(socket);
    const expected = change(site);
    await pause(1500);
    const before = await title(site);
    fake?.closeAllConnections();
    fake?.close();
    const begun = performance.now();
    const sidecar = await serving(startSidecar(own), "/health");
    await until("the change", async () => (await title(site)).startsWith(expected));
    const recovery = seconds(performance.now() - begun);
    const seen = await leave();
    const note = before.startsWith("Tickfleet") ? "" : "the pages changed meanwhile";
    yield { fault: `sidecar ${fault}`, seen, recovery, note };
    await Promise.all([stop(site), stop(sidecar)]);
  }
}

/** Each way in which the copy is wrong. */
export async function* copyRows(state: string, scale: Scale): AsyncGenerator<Row> {
  const own = like(state);
  const site = await startSite(own);
  const sidecar = await serving(startSidecar(own), "/health");
  const good = readFileSync(site.copy);
  const wrong: Record<string, () => void> = {
    missing: () => rmSync(site.copy),
    empty: () => writeFileSync(site.copy, ""),
    "half of it": () => writeFileSync(site.copy, good.subarray(0, good.length / 2)),
    "no text": () => writeFileSync(site.copy, Buffer.alloc(5000, 0xff)),
    "2 MB": () => writeFileSync(site.copy, Buffer.alloc(2_000_000, "#")),
    "a directory": () => {
      rmSync(site.copy);
      mkdirSync(site.copy);
    },
    "a pipe": () => {
      rmSync(site.copy);
      execFileSync("mkfifo", [site.copy]);
    },
    [`changed ${scale.changes} times`]: () => {},
  };
  for (const [fault, make] of Object.entries(wrong)) {
    const leave = visit(site.address);
    make();
    for (let turn = 0; fault.startsWith("changed") && turn < scale.changes; turn++) {
      change(site);
      await pause(20);
    }
    await pause(1200);
    rmSync(site.copy, { recursive: true, force: true });
    const expected = change(site);
    const took = await until("the change", async () => (await title(site)).startsWith(expected));
    yield { fault: `copy ${fault}`, seen: await leave(), recovery: seconds(took) };
  }
  await Promise.all([stop(site), stop(sidecar)]);
}

/** What becomes of the state folder, and of a start from what is left of it. */
export async function* stateRows(state: string): AsyncGenerator<Row> {
  const faults: Record<string, (own: string) => void> = {
    deleted: (own) => {
      rmSync(join(own, "kept"), { recursive: true });
      rmSync(join(own, "builds"), { recursive: true });
    },
    "kept files damaged": (own) => {
      for (const file of readdirSync(join(own, "kept"))) {
        truncateSync(join(own, "kept", file), 20);
      }
    },
  };
  for (const [fault, make] of Object.entries(faults)) {
    const own = like(state);
    const site = await startSite(own);
    const sidecar = await serving(startSidecar(own), "/health");
    const leave = visit(site.address);
    make(own);
    const expected = change(site);
    const took = await until("the change", async () => (await title(site)).startsWith(expected));
    yield { fault: `state folder: ${fault}`, seen: await leave(), recovery: seconds(took) };
    await Promise.all([stop(site), stop(sidecar)]);
  }
  // A file system without room, on which nothing can be written.
  const own = like(state);
  const site = await startSite(own, {}, "trap '' XFSZ; ulimit -f 0;");
  const sidecar = await serving(startSidecar(own), "/health");
  const leave = visit(site.address);
  const expected = change(site);
  const took = await until("the change", async () => (await title(site)).startsWith(expected));
  const refused = !(await send(site.address, "203.0.113.1", "no room"));
  const note = refused ? "a message is refused with the error banner" : "A MESSAGE WAS ACCEPTED";
  yield { fault: "state folder: full", seen: await leave(), recovery: seconds(took), note };
  await Promise.all([stop(site), stop(sidecar)]);
  // A start from a broken copy, without a sidecar.
  const broken = like(state);
  writeFileSync(join(broken, "site.toml"), "nonsense");
  const begun = performance.now();
  const restored = await startSite(broken);
  const started = performance.now() - begun;
  const left = visit(restored.address);
  await pause(1000);
  yield {
    fault: "start with a broken copy",
    seen: await left(),
    recovery: seconds(started),
    note: "the last good edition",
  };
  await stop(restored);
}

/** What becomes of the database file while messages come. */
export async function* databaseRows(state: string): AsyncGenerator<Row> {
  const faults: Record<string, (file: string, backup: string) => void> = {
    gone: (file) => rmSync(file),
    replaced: (file, backup) => renameSync(backup, file),
    corrupt: (file) => writeFileSync(file, Buffer.alloc(100_000, "no database ")),
  };
  for (const [fault, make] of Object.entries(faults)) {
    const own = like(state);
    const site = await startSite(own);
    const file = join(own, "contact.db");
    const backup = join(own, "backup.db");
    await send(site.address, "203.0.113.1", "before");
    const messages = (...command: string[]) =>
      execFileSync(join(root, "target/release/site"), ["messages", ...command], {
        env: { ...process.env, STATE_DIR: own, RUST_LOG: "off" },
      }).toString();
    messages("backup", backup);
    const leave = visit(site.address);
    make(file, backup);
    let accepted = 0;
    let refused = 0;
    const words = (number: number) => `after it was ${fault} ${number}`;
    for (let number = 0; number < 10; number++) {
      const sent = await send(site.address, `203.0.113.${number + 2}`, words(number));
      accepted += Number(sent);
      refused += Number(!sent);
    }
    if (refused > 0) {
      copyFileSync(backup, `${file}.new`);
      renameSync(`${file}.new`, file);
    }
    const took = await until("a message is accepted", () =>
      send(site.address, "198.51.100.1", "again"),
    );
    const kept = messages("export").split(words(0).slice(0, -1)).length - 1;
    const note = `${accepted} messages acknowledged, ${kept} of them there, ${refused} refused`;
    const seen = await leave();
    yield { fault: `contact.db ${fault}`, seen, recovery: seconds(took), note };
    await stop(site);
  }
}

/** Hostile connections: pages meanwhile, their p99 beside its quiet value, and memory. */
export async function* connectionRows(state: string, scale: Scale): AsyncGenerator<Row> {
  const site = await startSite(like(state));
  for (const way of ["heads", "bodies", "readers", "idle"]) {
    const quiet: number[] = [];
    const attacked: number[] = [];
    const seen: Seen = { sent: 0, failed: 0, times: [], why: [] };
    let held = 0;
    for (let round = 0; round < scale.rounds; round++) {
      quiet.push(p99((await visitFor(site, 2000)).times));
      const script = fileURLToPath(new URL("./attacker.ts", import.meta.url));
      const attacker = spawn(
        process.execPath,
        ["--import", "tsx", script, way, String(site.port), String(scale.hostile)],
        { stdio: ["ignore", "pipe", "inherit"], cwd: root },
      );
      await once(attacker.stdout, "data");
      const under = await visitFor(site, 2000);
      attacked.push(p99(under.times));
      seen.sent += under.sent;
      seen.failed += under.failed;
      seen.why.push(...under.why);
      held = Math.max(held, memory(site.pid).resident);
      attacker.kill();
      await once(attacker, "exit");
      await pause(300);
    }
    const begun = performance.now();
    const message = await send(site.address, "203.0.113.9", `after ${way}`);
    await pause(1000);
    const [before, under] = [median(quiet), median(attacked)];
    const note =
      `p99 ${before.toFixed(1)} ms quiet, ${under.toFixed(1)} ms attacked; ` +
      `${held.toFixed(0)} MB held, ${memory(site.pid).resident.toFixed(0)} MB afterwards` +
      (message ? "" : "; A MESSAGE WAS REFUSED");
    const recovery = seconds(performance.now() - begun - 1000);
    yield { fault: `${scale.hostile} hostile connections: ${way}`, seen, recovery, note };
  }
  await stop(site);
  // As few files as this: connections are closed to make room, and nobody is kept out.
  const limited = await startSite(like(state), {}, "ulimit -n 200;");
  const script = fileURLToPath(new URL("./attacker.ts", import.meta.url));
  const command = [
    process.execPath,
    "--import",
    "tsx",
    script,
    "idle",
    String(limited.port),
    "400",
  ];
  const attacker = start(command, limited.address);
  await pause(1500);
  const seen = await visitFor(limited, 2000);
  await stop(attacker);
  yield { fault: "200 open files, 400 idle connections", seen, recovery: "0.0 s" };
  await stop(limited);
}

/** A flood of messages from 20 networks, and visitors who write meanwhile. */
export async function* floodRows(state: string, scale: Scale): AsyncGenerator<Row> {
  const site = await startSite(like(state));
  const leave = visit(site.address, 4);
  let posts = 0;
  let flooding = true;
  const flood = (async () => {
    while (flooding) {
      const from = `198.51.${posts % 20}.${Math.floor(posts / 20) % 250}`;
      void send(site.address, from, `flood ${posts}`);
      posts += 1;
      await pause(50);
    }
  })();
  let kept = 0;
  for (let number = 0; number < scale.flood; number++) {
    kept += Number(await send(site.address, `203.${number % 250}.113.7`, `honest ${number}`));
  }
  flooding = false;
  await flood;
  const note = `${kept} of ${scale.flood} visitors' messages accepted, beside ${posts} posts`;
  const seen = await leave();
  await stop(site);
  yield { fault: "a flood of messages from 20 networks", seen, recovery: "0.0 s", note };
}

/** Restarts behind nginx, set up as in deploy/nginx.conf: one site, and two that share the load. */
export async function* upgradeRows(state: string, scale: Scale): AsyncGenerator<Row> {
  for (const machines of [1, 2]) {
    const states = Array.from({ length: machines }, () => like(state));
    const ports = await Promise.all(states.map(freePort));
    const begin = (at: number) => startSite(states[at] ?? "", { PORT: String(ports[at]) });
    const sites = await Promise.all(states.map((_, at) => begin(at)));
    const nginx = await serving(await startProxy(ports));
    // What nginx has kept is what it serves while the only site is away.
    for (const path of ["/", "/pricing", "/contact"]) {
      await ask(nginx.address, path, { headers: { "accept-encoding": "br" } });
    }
    const leave = visit(nginx.address);
    let longest = 0;
    for (let round = 0; round < scale.rounds; round++) {
      for (let at = 0; at < machines; at++) {
        await pause(300);
        const begun = performance.now();
        await stop(sites[at] as Site);
        sites[at] = await begin(at);
        longest = Math.max(longest, performance.now() - begun);
      }
    }
    await pause(300);
    const seen = await leave();
    const fault = `${scale.rounds} restarts of each of ${machines} behind nginx`;
    yield { fault, seen, recovery: seconds(longest), note: "the longest restart" };
    await Promise.all([nginx, ...sites].map(stop));
  }
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
    .replace("/var/cache/nginx/site", join(folder, "cache"));
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

export const hasNginx = () =>
  (process.env.PATH ?? "")
    .split(":")
    .some(
      (folder) => existsSync(join(folder, "nginx")) && statSync(join(folder, "nginx")).isFile(),
    );

async function visitFor(site: Site, milliseconds: number): Promise<Seen> {
  const leave = visit(site.address);
  await pause(milliseconds);
  return leave();
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
