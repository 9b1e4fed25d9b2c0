import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleDigest } from "@site/components/digest";
import { readExamples } from "@site/components/examples";
import { registry, type SectionName } from "@site/components/registry";
import { build, type Plugin } from "esbuild";

/**
 * The sidecar as one file, which needs nothing but Node: `node --import tsx ssr-sidecar/bundle.ts FILE`.
 */
const [, , file = "sidecar.mjs"] = process.argv;
const names = Object.keys(registry) as SectionName[];
const examples = Object.fromEntries(names.map((name) => [name, readExamples(name)]));

/** What the sources read at run time, as it is now: the sources stay behind. */
const said: Record<string, string> = {
  "@site/components/digest": `export const bundleDigest = async () => ${JSON.stringify(await bundleDigest())};`,
  "@site/components/examples": `const examples = ${JSON.stringify(examples)};
    export const readExamples = (name) => examples[name];`,
};
const saidNow: Plugin = {
  name: "said now",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@site\/components\/(digest|examples)$/ }, ({ path }) => ({
      path,
      namespace: "said",
    }));
    onLoad({ filter: /./, namespace: "said" }, ({ path }) => ({ contents: said[path] ?? "" }));
  },
};

/**
 * Node's own modules by `require`: an import reads all that a module exports, and the WebSocket that
 * `node:http` exports loads HTTP/2, streams and more, 9 MB that nothing here uses.
 */
const required: Plugin = {
  name: "required",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === "import-statement" ? { path, namespace: "required" } : undefined,
    );
    onLoad({ filter: /./, namespace: "required" }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
  },
};

mkdirSync(dirname(file), { recursive: true });
await build({
  entryPoints: [fileURLToPath(new URL("./src/main.ts", import.meta.url))],
  outfile: file,
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  jsx: "automatic",
  minify: true,
  legalComments: "external",
  plugins: [saidNow, required],
  // React chooses its build by it.
  define: { "process.env.NODE_ENV": '"production"' },
  // The sidecar sets it for whoever starts it from its sources.
  logOverride: { "assign-to-define": "silent" },
  // Express and what it needs are CommonJS.
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
});
