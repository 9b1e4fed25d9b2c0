import { spawnSync } from "node:child_process";
import { createServer } from "node:net";

/**
 * Holds a listening socket as systemd does, and starts a command on it again and again:
 * `node --import tsx chaos/socket.ts PORT COMMAND…`. It accepts no connection itself, as it does
 * nothing else while the command runs.
 */
const [, , port = "", ...command] = process.argv;

const server = createServer();
server.listen({ port: Number(port), host: "127.0.0.1", backlog: 4096 }, () => {
  // Node tells the number of the socket only here.
  const { fd } = (server as unknown as { _handle: { fd: number } })._handle;
  const script = 'exec 3<&0 </dev/null; export LISTEN_FDS=1 LISTEN_PID=$$; exec "$@"';
  for (;;) {
    spawnSync("sh", ["-c", script, "sh", ...command], { stdio: [fd, "ignore", "inherit"] });
  }
});
