import { listen, parseEndpoint, StartError } from "./endpoint.ts";

// React reads this once, when it is loaded: hence the imports below come after it.
process.env.NODE_ENV ??= "production";
const { bundleDigest } = await import("@site/components/digest");
const { createSidecar } = await import("./app.ts");
const { renderExamples } = await import("./examples.ts");

/** How long a stop waits for answers that are under way. */
const STOP_MS = 5_000;

try {
  const endpoint = parseEndpoint(
    process.env.SSR_ENDPOINT || `unix:${process.env.STATE_DIR || "var"}/ssr.sock`,
  );
  renderExamples();
  const server = createSidecar(await bundleDigest());
  await listen(server, endpoint);
  console.info(`Rendering sections on ${endpoint.name}`);

  const stop = () => {
    server.close();
    // A connection whose answer is under way closes after it, instead of waiting for another request.
    server.keepAliveTimeout = 1;
    setTimeout(() => server.closeAllConnections(), STOP_MS).unref();
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
} catch (error) {
  if (!(error instanceof StartError)) {
    throw error;
  }
  console.error(error.message);
  process.exitCode = 1;
}
