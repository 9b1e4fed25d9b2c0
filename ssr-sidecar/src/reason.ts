/**
 * What was thrown, as text. A developer (`SITE_DEV=1`) is also told where in the sources; nobody
 * else is, as answers leave the sidecar.
 */
export function reason(thrown: unknown): string {
  const { message, stack = "" } = thrown instanceof Error ? thrown : new Error(String(thrown));
  const place =
    process.env.SITE_DEV === "1" ? stack.match(/components\/src\/[^):]+:\d+/)?.[0] : undefined;
  return place ? `${place}: ${message}` : message;
}
