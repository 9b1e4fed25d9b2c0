import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { siteEnvironment } from "./environment.ts";
import { figure, median, type Table, verdict } from "./figures.ts";
import { ask } from "./http.ts";
import { processors } from "./machine.ts";
import { type Nginx, pairs, startNginx } from "./nginx.ts";
import { options } from "./options.ts";
import { processorTime } from "./proc.ts";
import {
  keptState,
  portOf,
  root,
  type Service,
  serving,
  startServer,
  startSite,
  stop,
  temporary,
} from "./processes.ts";
import { type Load, load } from "./wrk.ts";

/** What Chromium sends to a secure address. */
const BROWSER = "gzip, deflate, br, zstd";

/** Not the contact page: exported for nginx it says how to write, and is another one. */
const pages = options.pages.filter((page) => page !== "/contact");

/** A way to load the servers. `alike`: nginx sends the site's headers and encoding. */
type Way = { name: string; connections: number; encodings: string; alike: boolean };

const ways: Way[] = [
  ...[1, 32, 256].map((connections) => ({
    name: figure(connections),
    connections,
    encodings: BROWSER,
    alike: false,
  })),
  { name: "32, equal bytes", connections: 32, encodings: "gzip", alike: true },
];

type Name = "site" | "nginx" | "hyper";
type Server = { name: Name; pid: number; port: (alike: boolean) => number };

/** What one round measured, and the processor time of the server in microseconds per request. */
type Sample = Load & { processor: number };
type Cell = { page: string; way: Way; samples: Record<Name, Sample[]> };

/** Requests per second, latencies and processor time beside nginx and bare hyper. */
export async function measureServer(): Promise<Table[]> {
  const { servers, end } = await startServers();
  const cells: Cell[] = pages.flatMap((page) =>
    ways.map((way) => ({ page, way, samples: { site: [], nginx: [], hyper: [] } })),
  );
  for (const { port } of servers) {
    const warmUp = { port: port(false), path: "/", connections: 32, encodings: BROWSER };
    await load(warmUp, options.seconds);
  }
  for (let round = 0; round < options.rounds; round++) {
    for (const { page, way, samples } of cells) {
      // Each server comes first in turn.
      const turn = round % servers.length;
      for (const server of [...servers.slice(turn), ...servers.slice(0, turn)]) {
        samples[server.name].push(await sample(server, page, way));
      }
    }
  }
  await end();
  return [figuresOf(cells), ratiosOf(cells)];
}

async function startServers() {
  const state = await keptState();
  const manner = { processors: processors.server };
  const site = await serving(await startSite(state, manner));
  const bareHyper = [join(root, "target/release/examples/bare_hyper")];
  const hyper = await serving(await startServer(bareHyper, state, manner));
  const edition = join(temporary, "edition");
  const environment = { ...process.env, ...siteEnvironment(state) };
  const binary = join(root, "target/release/site");
  await promisify(execFile)(binary, ["export", edition], { env: environment });
  const samples = await Promise.all(
    pages.map(async (path) => ({ path, ...(await get(site, path, "gzip")) })),
  );
  const nginx = await startNginx(edition, samples);
  await serving(nginx);
  for (const path of pages) {
    await assertAlike(path, site, hyper, nginx);
  }
  const servers: Server[] = [
    { name: "site", pid: site.pid, port: () => portOf(site.address) },
    { name: "nginx", pid: nginx.pid, port: (alike) => (alike ? nginx.alike : nginx.plain) },
    { name: "hyper", pid: hyper.pid, port: () => portOf(hyper.address) },
  ];
  const end = () => Promise.all([site, hyper, nginx].map(stop));
  return { servers, end };
}

const get = (service: Service, path: string, encodings: string) =>
  ask(service.address, path, { headers: { "accept-encoding": encodings } });

/** A comparison is worth nothing where the servers answer differently. */
async function assertAlike(path: string, site: Service, hyper: Service, nginx: Nginx) {
  for (const encodings of [BROWSER, "gzip"]) {
    const [ours, bare] = [await get(site, path, encodings), await get(hyper, path, encodings)];
    assert.deepEqual(essence(bare), essence(ours), `bare hyper answers ${path} differently`);
  }
  const ours = await get(site, path, "gzip");
  const theirs = await get({ ...nginx, address: { port: nginx.alike } }, path, "gzip");
  for (const [name, value] of essence(ours).headers) {
    assert.equal(theirs.headers[name], value, `${name} of ${path} from nginx`);
  }
  assert.deepEqual(theirs.body, ours.body, `nginx answers ${path} differently`);
}

/** An answer without what changes by the second. */
function essence({ status, rawHeaders, body }: Awaited<ReturnType<typeof get>>) {
  const lasting = pairs(rawHeaders).map(([name, value]) => [name.toLowerCase(), value] as const);
  const headers = lasting.filter(([name]) => !["connection", "date", "keep-alive"].includes(name));
  return { status, headers: headers.toSorted(), body };
}

async function sample({ pid, port }: Server, path: string, way: Way): Promise<Sample> {
  const before = processorTime(pid);
  const figures = await load({ ...way, port: port(way.alike), path }, options.seconds);
  const processor = ((processorTime(pid) - before) * 1e6) / figures.requests;
  return { ...figures, processor };
}

const middle = (samples: Sample[], value: (sample: Sample) => number) => median(samples.map(value));

function figuresOf(cells: Cell[]): Table {
  const names: Name[] = ["site", "nginx", "hyper"];
  return {
    title: "Requests",
    note: `Medians of ${options.rounds} interleaved rounds of ${options.seconds} s. Every server has ${processors.server.length} worker thread(s) on processor(s) ${processors.server.join()}; wrk runs on ${processors.load.join()}. \`Accept-Encoding: ${BROWSER}\`, and \`gzip\` where the bytes are equal; there nginx also sends the site's headers, elsewhere only its own. Bytes are those of an answer with its headers.`,
    head: [
      "Page",
      "Connections",
      "Server",
      "Requests/s",
      "p50 µs",
      "p99 µs",
      "CPU µs/request",
      "Bytes",
    ],
    rows: cells.flatMap(({ page, way, samples }) =>
      names.map((name) => {
        const of = (value: (sample: Sample) => number) => middle(samples[name], value);
        return [
          page,
          way.name,
          name,
          figure(of(({ requests, duration }) => requests / (duration / 1e6))),
          figure(of(({ p50 }) => p50)),
          figure(of(({ p99 }) => p99)),
          figure(
            of(({ processor }) => processor),
            2,
          ),
          figure(of(({ bytes, requests }) => bytes / requests)),
        ];
      }),
    ),
  };
}

function ratiosOf(cells: Cell[]): Table {
  return {
    title: "The site beside nginx and bare hyper",
    note: "Medians of the ratios within each round. Goals: at least 1.0 × nginx and 0.9 × bare hyper in requests per second of processor time; p99 no longer than nginx's.",
    head: [
      "Page",
      "Connections",
      "Per CPU s ÷ nginx",
      "Goal ≥ 1.00",
      "Per CPU s ÷ hyper",
      "Goal ≥ 0.90",
      "p99 ÷ nginx",
      "Goal ≤ 1.00",
      "Requests/s ÷ nginx",
      "Requests/s ÷ hyper",
    ],
    rows: cells.map(({ page, way, samples }) => {
      const ratio = (to: Name, value: (sample: Sample) => number) =>
        rounded(
          median(samples.site.map((ours, at) => value(ours) / value(samples[to][at] as Sample))),
        );
      const perProcessor = ({ processor }: Sample) => 1 / processor;
      const perSecond = ({ requests, duration }: Sample) => requests / duration;
      const toNginx = ratio("nginx", perProcessor);
      const toHyper = ratio("hyper", perProcessor);
      const slowest = ratio("nginx", ({ p99 }) => p99);
      return [
        page,
        way.name,
        figure(toNginx, 2),
        verdict(toNginx >= 1),
        figure(toHyper, 2),
        verdict(toHyper >= 0.9),
        figure(slowest, 2),
        verdict(slowest <= 1),
        figure(ratio("nginx", perSecond), 2),
        figure(ratio("hyper", perSecond), 2),
      ];
    }),
  };
}

/** As it is printed, so that what is printed is what is judged. */
const rounded = (ratio: number) => Math.round(ratio * 100) / 100;
