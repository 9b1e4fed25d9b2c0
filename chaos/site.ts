import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask } from "../bench/http.ts";
import {
  freePort,
  fromProcfile,
  newState,
  root,
  type Service,
  serving,
  siteEnvironment,
  start,
  startSidecar,
} from "../bench/processes.ts";

const BINARY = join(root, "target/release/site");
const COPY = join(root, "site/tests/site.toml");

/** A site with a state folder and a copy of its own, and a port that outlives it. */
export type Site = Service & { state: string; copy: string; port: number };

/** Variables that say more than a site of the benchmarks needs. */
type Variables = Record<string, string>;

/** A state folder with everything that a site keeps, so that a new one needs no sidecar. */
export async function prepared(): Promise<string> {
  const state = newState();
  copyFileSync(COPY, join(state, "site.toml"));
  const sidecar = await serving(startSidecar(state), "/health");
  execFileSync(BINARY, ["prepare"], { env: environment(state), stdio: "ignore" });
  sidecar.child.kill();
  return state;
}

/** A state folder like another one. */
export function like(state: string): string {
  const copied = newState();
  cpSync(state, copied, { recursive: true, filter: (file) => !file.endsWith(".sock") });
  return copied;
}

function environment(state: string, variables: Variables = {}) {
  return {
    ...process.env,
    ...siteEnvironment(state),
    SITE_CONTENT: join(state, "site.toml"),
    TRUSTED_PROXIES: "127.0.0.1",
    ...variables,
  };
}

/** Starts a site as the Procfile does, and waits for its pages. `prefix` runs in its shell before. */
export async function startSite(
  state: string,
  variables: Variables = {},
  prefix = "",
): Promise<Site> {
  const port = Number(variables.PORT) || (await freePort());
  const env = environment(state, { ...variables, PORT: String(port) });
  const [shell, option, command] = fromProcfile("web");
  const site = start([shell, option, `${prefix} ${command}`], { port }, env, { quiet: true });
  await serving(site);
  return { ...site, state, copy: join(state, "site.toml"), port };
}

/** What the title of the home page begins with. */
export async function title({ address }: Site): Promise<string> {
  const { body } = await ask(address, "/", { headers: { "accept-encoding": "identity" } });
  return body.toString().match(/<title>([^<]*)/)?.[1] ?? "";
}

let changes = 0;

/** Changes the copy as an owner does, a section of every page with it; returns the new title's start. */
export function change({ copy }: Site): string {
  changes += 1;
  const name = `Change ${changes}`;
  const text = readFileSync(COPY, "utf8")
    .replace('title = "Tickfleet: game server', `title = "${name}: game server`)
    .replace('name = "Tickfleet"', `name = "${name}"`);
  writeFileSync(copy, text);
  return name;
}
