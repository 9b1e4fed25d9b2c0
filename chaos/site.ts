import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sidecarSocket, siteEnvironment } from "../bench/environment.ts";
import { ask } from "../bench/http.ts";
import { freePort } from "../bench/port.ts";
import {
  fromProcfile,
  newState,
  root,
  type Service,
  serving,
  start,
  startSidecar,
} from "../bench/processes.ts";
import { LAST } from "./visitors.ts";

const BINARY = join(root, "target/release/site");
const COPY = join(root, "site/tests/site.toml");

/** A site with a state folder and a copy of its own, and a port that outlives it. */
export type Site = Service & { state: string; copy: string; port: number; environment: Variables };

/** Environment variables. */
type Variables = Record<string, string>;

/** What all faults begin with. */
export type Prepared = {
  /** A state folder with everything that a site keeps, so that a new one needs no sidecar. */
  state: string;
  /** Lets the site of a state folder have the sidecar of this run. */
  lendSidecar: (state: string) => void;
};

/** Starts a sidecar for this run, and makes what every site keeps. */
export async function prepare(): Promise<Prepared> {
  const state = newState();
  copyFileSync(COPY, join(state, "site.toml"));
  await serving(startSidecar(state), "/health");
  const { environment } = siteCommand(state);
  execFileSync(BINARY, ["prepare"], { env: environment, stdio: "ignore" });
  const lendSidecar = (borrower: string) => {
    rmSync(sidecarSocket(borrower), { force: true });
    symlinkSync(sidecarSocket(state), sidecarSocket(borrower));
  };
  return { state, lendSidecar };
}

/** A state folder like another one. */
export function like(state: string): string {
  const copied = newState();
  cpSync(state, copied, { recursive: true, filter: (file) => !file.endsWith(".sock") });
  return copied;
}

/** The digest of the components that the site was built with. */
export function bundle(): string {
  return JSON.parse(readFileSync(join(root, "assets/dist/manifest.json"), "utf8")).bundle;
}

/** How a site is started as the Procfile does. */
export function siteCommand(state: string, variables: Variables = {}) {
  const environment: Variables = {
    PATH: process.env.PATH ?? "",
    ...siteEnvironment(state),
    SITE_CONTENT: join(state, "site.toml"),
    TRUSTED_PROXIES: "127.0.0.1",
    // These sites are expected to complain.
    RUST_LOG: "off",
    ...variables,
  };
  return { command: fromProcfile("web"), environment };
}

/** Starts a site and waits for its pages; `within` is a command that runs another one. */
export async function startSite(
  state: string,
  variables: Variables = {},
  within: string[] = [],
): Promise<Site> {
  const port = Number(variables.PORT) || (await freePort());
  const { command, environment } = siteCommand(state, { ...variables, PORT: `${port}` });
  const site = start([...within, ...command], { port }, environment);
  await serving(site);
  return { ...site, state, copy: join(state, "site.toml"), port, environment };
}

/** What a command of a site says, such as `site messages export`. */
export function command({ environment }: Site, ...words: string[]): string {
  return execFileSync(BINARY, words, {
    env: environment,
    stdio: ["ignore", "pipe", "ignore"],
  }).toString();
}

/** What the title of the home page begins with. */
export async function title({ address }: Site): Promise<string> {
  const headers = { "accept-encoding": "identity" };
  const { body } = await ask(address, "/", { headers, within: LAST });
  return body.toString().match(/<title>([^<]*)/)?.[1] ?? "";
}

let changes = 0;

/** Changes the copy as an owner does, a section of every page with it; returns the new title's start. */
export function change({ copy }: Site): string {
  changes += 1;
  const name = `Change ${changes}`;
  writeFileSync(copy, readFileSync(COPY, "utf8").replace('name = "Tickfleet"', `name = "${name}"`));
  return name;
}
