import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { sidecarSocket } from "../../bench/environment.ts";
import { serving, startSidecar } from "../../bench/processes.ts";
import { during, type Fault, type Scale, until } from "../fault.ts";
import { bundle, change, like, type Prepared, startSite, title } from "../site.ts";

/** Breaks the sidecar of a site with this state folder; what it returns mends it. */
type Break = (state: string) => Promise<() => unknown>;

/** What a sidecar may answer that has gone wrong. */
const answers: Record<string, RequestListener> = {
  slow: (_, response) => {
    const drops = setInterval(() => response.write(" "), 300);
    response.on("close", () => clearInterval(drops));
  },
  silent: () => {},
  garbage: (_, response) => response.end("\0\xff{not json"),
  half: (_, response) => {
    response.writeHead(200, { "content-length": 10_000 });
    response.write('{"bundle":"');
    setTimeout(() => response.destroy(), 50);
  },
  "50 MB": (_, response) => response.end(Buffer.alloc(50_000_000, "x")),
  "wrong bundle": (_, response) => response.end('{"bundle":"0123456789abcdef","sections":[]}'),
  "empty HTML": answering((key) => ({ key, html: "" })),
  "foreign keys": answering((key) => ({ key: `not ${key}`, html: "<p>" })),
};

/** The right bundle with wrong sections. */
function answering(section: (key: string) => object): RequestListener {
  return (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { sections } = JSON.parse(Buffer.concat(chunks).toString()) as {
        sections: { key: string }[];
      };
      const answered = sections.map(({ key }) => section(key));
      response.end(JSON.stringify({ bundle: bundle(), sections: answered }));
    });
  };
}

/** Each way in which the sidecar fails while an owner changes the copy. */
export function sidecarFaults(prepared: Prepared, scale: Scale): Fault[] {
  const start = (state: string) => serving(startSidecar(state), "/health");
  const killed: Break = async (state) => {
    const { child } = await start(state);
    child.kill("SIGKILL");
    await once(child, "exit");
    return () => start(state);
  };
  const frozen: Break = async (state) => {
    const { child } = await start(state);
    child.kill("SIGSTOP");
    return () => child.kill("SIGCONT");
  };
  const faking =
    (listener: RequestListener): Break =>
    async (state) => {
      let asked = false;
      const fake = createServer(listener).listen(sidecarSocket(state));
      fake.once("request", () => {
        asked = true;
      });
      await once(fake, "listening");
      return () => {
        if (!asked) throw new Error("the site asked for nothing, so that nothing went wrong");
        // What hangs stays: it is the site that has to give it up.
        fake.close();
        prepared.lendSidecar(state);
      };
    };
  const faked = Object.entries(answers).map(([name, it]) => [name, faking(it)] as const);
  const ways = [["killed", killed], ["frozen (SIGSTOP)", frozen], ...faked] as const;
  return ways.map(([name, breaks]) => ({
    name: `sidecar ${name}`,
    inflict: async () => {
      const site = await startSite(like(prepared.state));
      return during(site, scale, async () => {
        const mend = await breaks(site.state);
        const expected = change(site);
        await pause(1500);
        const before = await title(site);
        const begun = performance.now();
        await mend();
        await until("the change", async () => (await title(site)).startsWith(expected));
        const recovery = performance.now() - begun;
        return {
          recovery,
          wrong: before.startsWith("Tickfleet") ? "" : "the pages changed meanwhile",
        };
      });
    },
  }));
}
