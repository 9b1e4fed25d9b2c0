import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, stop } from "esbuild";
import { version as react } from "react";
import { version as reactDom } from "react-dom";

/**
 * The digest of all code that shapes a fragment: `src/render.tsx` with everything that it imports,
 * and the versions of React. Types, comments, tests and the browser's own scripts are no part of it.
 *
 * The assets build and the sidecar both state it, so that the host can refuse a pair that differs,
 * because hydration would break.
 */
export async function bundleDigest(
  sources = fileURLToPath(new URL("./src", import.meta.url)),
): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(sources, "render.tsx")],
    bundle: true,
    external: ["react", "react-dom"],
    format: "esm",
    platform: "node",
    jsx: "automatic",
    minifyWhitespace: true,
    legalComments: "none",
    write: false,
  });
  // Its process would go on beside the sidecar for as long as that lives.
  await stop();
  const hash = createHash("sha256").update(`react ${react}\0react-dom ${reactDom}\0`);
  for (const { contents } of outputFiles) {
    hash.update(contents);
  }
  return hash.digest("hex").slice(0, 16);
}
