import { type Agent, type IncomingHttpHeaders, request } from "node:http";

/** A port of this machine, or a Unix socket. */
export type Address = { port: number } | { socketPath: string };

/** An answer, its body as it came: still encoded. */
export type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  /** Names and values in turn, in their order and spelling. */
  rawHeaders: string[];
  body: Buffer;
};

type Asked = { headers?: Record<string, string>; body?: string; agent?: Agent | false };

/** Asks once; with a body by POST. Each request has its own connection where no agent keeps one. */
export function ask(
  address: Address,
  path: string,
  { headers = {}, body, agent = false }: Asked = {},
): Promise<Answer> {
  const method = body === undefined ? "GET" : "POST";
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", ...address, path, method, headers, agent });
    sent.on("error", reject);
    sent.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("error", reject);
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const { statusCode: status = 0, headers, rawHeaders } = response;
        resolve({ status, headers, rawHeaders, body: Buffer.concat(chunks) });
      });
    });
    sent.end(body);
  });
}
