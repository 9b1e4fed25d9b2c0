import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/**
 * In every page before its own script: what it would write to a console is told to the test, which may
 * hear of it later. How often the tab has told something outlasts its pages.
 */
const LISTENER = `
  const tell = (fault) => {
    sessionStorage.told = Number(sessionStorage.told ?? 0) + 1;
    navigator.sendBeacon("/faults", fault);
  };
  for (const level of ["error", "warn"]) {
    const write = console[level];
    console[level] = (...words) => (tell(\`console \${level}: \${words.join(" ")}\`), write(...words));
  }
  addEventListener("error", ({ message, target }) => tell(\`uncaught: \${message ?? target.src}\`), true);
  addEventListener("unhandledrejection", ({ reason }) => tell(\`uncaught: \${reason}\`));
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    tell(\`\${violatedDirective} refuses \${blockedURI}\`));
`;

/**
 * The site as one visitor reaches it, through a proxy which overhears what its pages complain of:
 * WebDriver tells nothing of a console, and BiDi, which does, WebKitGTK doesn't have.
 */
export async function overhear(origin: string) {
  const faults: string[] = [];
  let heard = 0;
  const network = () => randomBytes(2).toString("hex");
  const visitor = `2001:db8:${network()}:${network()}::1`;

  const server = createServer(async (asked, answer) => {
    if (asked.url === "/listener.js") {
      answer.writeHead(200, { "content-type": "text/javascript" }).end(LISTENER);
      return;
    }
    if (asked.url === "/faults") {
      faults.push(await text(asked));
      heard += 1;
      answer.writeHead(204).end();
      return;
    }
    const headers = {
      ...asked.headers,
      "accept-encoding": "identity",
      "x-forwarded-for": visitor,
    };
    const forwarded = request(new URL(asked.url ?? "", origin), { method: asked.method, headers });
    asked.pipe(forwarded);
    const [answered] = (await once(forwarded, "response")) as [IncomingMessage];
    const { statusCode = 0 } = answered;
    if (statusCode >= 400) {
      faults.push(`bad answer: ${statusCode} ${asked.url}`);
    }
    if (answered.headers["content-type"]?.startsWith("text/html")) {
      const { "content-length": _, ...rest } = answered.headers;
      const page = await text(answered);
      answer.writeHead(statusCode, rest);
      answer.end(page.replace("<head>", '<head><script src="/listener.js"></script>'));
    } else {
      answer.writeHead(statusCode, answered.headers);
      answered.pipe(answer);
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { address: `http://127.0.0.1:${port}`, faults, heard: () => heard, close };
}
