import { createServer, type Server } from "node:http";
import { renderSection } from "@site/components/render";
import express, { type ErrorRequestHandler, type RequestHandler } from "express";
import { reason } from "./reason.ts";

type Job = { key: string; name: string; props: unknown };

/** The most that a request may weigh; a page's sections weigh some 10 kB. */
const BODY_LIMIT = "1mb";

/** A client that sends its request in drops holds a connection no longer than this. */
const TIME_LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
};

/** The server of both routes, not listening yet. It names the bundle that it runs in each answer that is no error. */
export function createSidecar(bundle: string): Server {
  const health: RequestHandler = (_, response) => {
    response.json({ status: "ok", bundle });
  };

  const render: RequestHandler = (request, response) => {
    const jobs = readJobs(String(request.body));
    if (typeof jobs === "string") {
      response.status(400).json({ error: jobs });
    } else {
      response.json({ bundle, sections: jobs.map(run) });
    }
  };

  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.route("/health").get(health).all(notAllowed("GET, HEAD"));
  app
    .route("/render")
    .post(express.raw({ limit: BODY_LIMIT, type: () => true }), render)
    .all(notAllowed("POST"));
  app.use((_, response) => {
    response.status(404).json({ error: "The sidecar knows POST /render and GET /health" });
  });
  app.use(failed);

  return createServer(TIME_LIMITS, app);
}

/** One section that throws fails alone. */
function run({ key, name, props }: Job) {
  try {
    return { key, html: renderSection(name, props) };
  } catch (error) {
    return { key, error: reason(error) };
  }
}

/**
 * The jobs of an envelope, or what is wrong with it. JSON is UTF-8 (RFC 8259, section 8.1);
 * `express.json` keeps the tables of all other encodings in memory.
 */
function readJobs(body: string): Job[] | string {
  let sections: unknown;
  try {
    sections = JSON.parse(body, withoutProto)?.sections;
  } catch (error) {
    return `The body is no JSON: ${reason(error)}`;
  }
  if (!Array.isArray(sections)) {
    return 'The body must be JSON like {"sections": [{"key", "name", "props"}]}';
  }
  const wrong = sections.findIndex(
    (job) => typeof job?.key !== "string" || typeof job?.name !== "string",
  );
  return wrong < 0 ? sections : `sections[${wrong}] must have "key" and "name" as strings`;
}

/** Drops the one key that could reach the prototype of an object that the props are copied to. */
function withoutProto(key: string, value: unknown) {
  return key === "__proto__" ? undefined : value;
}

function notAllowed(methods: string): RequestHandler {
  return (_, response) => {
    response
      .status(405)
      .set("allow", methods)
      .json({ error: `Use ${methods}` });
  };
}

const failed: ErrorRequestHandler = (error, _request, response, next) => {
  if (response.headersSent) {
    next(error);
  } else if (error.status < 500) {
    response.status(error.status).json({ error: `The body cannot be read: ${error.message}` });
  } else {
    console.error(error);
    response.status(500).json({ error: "The sidecar failed; its log says why" });
  }
};
