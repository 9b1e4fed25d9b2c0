import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { version as react } from "react";
import { version as reactDom } from "react-dom";

/**
 * The digest of what renders a section: the component sources and React itself.
 *
 * The assets build and the sidecar both state it, so that the host can refuse a pair that differs,
 * because hydration would break.
 */
export function bundleDigest(): string {
  const hash = createHash("sha256").update(`react ${react}\0react-dom ${reactDom}\0`);
  const sources = new URL("./src/", import.meta.url);
  for (const file of readdirSync(sources, { recursive: true, encoding: "utf8" }).sort()) {
    if (/(?<!\.test)\.tsx?$/.test(file)) {
      hash
        .update(`${file}\0`)
        .update(readFileSync(new URL(file, sources)))
        .update("\0");
    }
  }
  return hash.digest("hex").slice(0, 16);
}
