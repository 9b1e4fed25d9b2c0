import { connect, type Socket } from "node:net";

/**
 * Holds so many connections to a port in a hostile way, and opens each again that is closed:
 * `node --import tsx chaos/attacker.ts WAY PORT COUNT [OPEN]`. Says "ready" once all are open, or as
 * many as OPEN says.
 */
const [, , way = "", port = "", count = "", ready = count] = process.argv;

const head = (method: string, more = "") => `${method} HTTP/1.1\r\nhost: 127.0.0.1\r\n${more}`;
/** A form of which the end never comes. */
const begun = (more = "") =>
  head("POST /contact", `${more}content-length: 80000\r\n\r\n${"x".repeat(70_000)}`);
let senders = 0;
const ways: Record<string, (socket: Socket) => void> = {
  idle: () => {},
  // As long a head as is taken, and never its end.
  heads: (socket) => socket.write(head("GET /", `x: ${"x".repeat(15_000)}`)),
  bodies: (socket) => socket.write(begun()),
  // The same, each from another address, as a proxy would tell it.
  "bodies of many": (socket) => {
    senders += 1;
    const [high, low] = [Math.floor(senders / 250) % 250, senders % 250];
    socket.write(begun(`x-forwarded-for: 198.${high}.${low}.7\r\n`));
  },
  // Many answers, of which no more is read than Node's own buffer takes.
  readers: (socket) => socket.write(head("GET /", "\r\n").repeat(50)),
};
const attack = ways[way];
if (!attack) {
  throw new Error(`Name one of these ways: ${Object.keys(ways).join(", ")}`);
}

// A socket that reads nothing keeps no process alive.
setInterval(() => {}, 1000);

let open = 0;
function begin() {
  const socket = connect(Number(port), "127.0.0.1", () => {
    attack?.(socket);
    open += 1;
    if (open === Number(ready)) {
      console.info("ready");
    }
  });
  socket.on("error", () => {});
  socket.on("close", () => setTimeout(begin, 100));
  if (way !== "readers") {
    socket.resume();
  }
}
for (let number = 0; number < Number(count); number++) {
  begin();
}
