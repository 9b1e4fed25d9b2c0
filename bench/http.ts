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

type Asked = {
  headers?: Record<string, string>;
  body?: string;
  agent?: Agent | false;
  /** After so many milliseconds without the whole answer it fails. */
  within?: number;
};

/** Asks once; with a body by POST. Each request has its own connection where no agent keeps one. */
export function ask(
  address: Address,
  path: string,
  { headers = {}, body, agent = false, within }: Asked = {},
): Promise<Answer> {
  const method = body === undefined ? "GET" : "POST";
  return new Promise((resolve, reject) => {
    const signal = within === undefined ? undefined : AbortSignal.timeout(within);
    const sent = request({ host: "127.0.0.1", ...address, path, method, headers, agent, signal });
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
