import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  watch,
  writeFileSync,
} from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { bundleDigest } from "@site/components/digest";
import * as esbuild from "esbuild";
import { rolldown } from "rolldown";

const CLIENT = fileURLToPath(new URL("../components/src/client/", import.meta.url));
const COMPONENTS = fileURLToPath(new URL("../components/src/", import.meta.url));
const ASSETS = fileURLToPath(new URL("./", import.meta.url));

/** The folders whose files are served under `/assets/`, and the kinds of files in them that are. */
const SERVED = ["fonts", "images"];
const SERVED_KINDS = /\.(woff2|avif|webp|png|jpg|svg)$/;
const COMPRESSIBLE = /\.(js|css|svg)$/;

/** The loader of a development server: the same, and it reloads the page on a change. */
const RELOADING = "reload.ts";

/** Everything that a build makes, by path in the output folder. The manifest comes last. */
type Output = Map<string, string | Buffer>;

/**
 * Builds all assets from one folder of sources into another; nothing is written if anything is wrong.
 * `loader` is the script in `components/src/client/` that every page starts with.
 */
export async function build(
  sources = ASSETS,
  out = join(ASSETS, "dist"),
  loader = "loader.ts",
): Promise<Output> {
  const assets: Record<string, string> = {};
  const output: Output = new Map();

  const serve = (name: string, content: string | Buffer) => {
    const { length } = basename(name);
    const kind = extname(name);
    const hash = createHash("sha256").update(content).digest("hex").slice(0, 8);
    const file = `${name.slice(-length, -kind.length)}-${hash}${kind}`;
    assets[name] = file;
    output.set(`files/${file}`, content);
    if (COMPRESSIBLE.test(file)) {
      output.set(`files/${file}.br`, brotli(content));
      output.set(`files/${file}.gz`, gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));
    }
    return `/assets/${file}`;
  };

  for (const folder of SERVED) {
    for (const file of filesIn(join(sources, folder)).filter((name) => SERVED_KINDS.test(name))) {
      serve(`${folder}/${file}`, readFileSync(join(sources, folder, file)));
    }
  }
  for (const file of filesIn(join(sources, "root"))) {
    output.set(`root/${file}`, readFileSync(join(sources, "root", file)));
  }

  const hydrate = serve("hydrate.js", await script("hydrate.tsx", "esm"));
  output.set(
    "inline/loader.js",
    await script(loader, "iife", { HYDRATE_URL: JSON.stringify(hydrate) }),
  );
  for (const page of filesIn(join(sources, "css/pages"))) {
    output.set(`inline/${page}`, await style(join(sources, "css/pages", page), sources, assets));
  }
  const manifest = JSON.stringify(
    { bundle: bundleDigest(), digest: digest(output), assets },
    undefined,
    2,
  );

  write(out, output, manifest);
  return output;
}

/**
 * What React asks for at run time and every browser that loads modules answers alike. Answered
 * here, the other branch is left out.
 */
const KNOWN_OF_BROWSERS = {
  __REACT_DEVTOOLS_GLOBAL_HOOK__: "undefined",
  setImmediate: "undefined",
  "document.documentMode": "undefined",
  // React would drive the browser's own loading indicator for transitions; the islands have none.
  navigation: "undefined",
  "typeof window": '"object"',
  "typeof document": '"object"',
  "typeof performance": '"object"',
  "typeof performance.now": '"function"',
  "typeof performance.getEntriesByType": '"function"',
  "typeof devicePixelRatio": '"number"',
  "typeof Object.is": '"function"',
  "typeof Reflect": '"object"',
  "typeof reportError": '"function"',
  "typeof setTimeout": '"function"',
  "typeof clearTimeout": '"function"',
  "typeof queueMicrotask": '"function"',
  "typeof requestAnimationFrame": '"function"',
  "typeof MessageChannel": '"function"',
  "typeof AbortController": '"function"',
  "typeof WeakMap": '"function"',
  "typeof WeakSet": '"function"',
};

/** Rolldown rather than esbuild: what it makes of React is 1.2 kB smaller when compressed. */
async function script(entry: string, format: "esm" | "iife", define: Record<string, string> = {}) {
  const bundle = await rolldown({
    input: join(CLIENT, entry),
    platform: "browser",
    transform: {
      target: "es2022",
      define: {
        "process.env.NODE_ENV": '"production"',
        ...KNOWN_OF_BROWSERS,
        ...define,
      },
    },
  });
  const { output } = await bundle.generate({ format, minify: true, comments: false });
  await bundle.close();
  return output[0].code.trim();
}

/** One page's style as one text; each `url()` becomes the address of the file it names. */
async function style(entry: string, sources: string, assets: Record<string, string>) {
  const urls: esbuild.Plugin = {
    name: "urls",
    setup: ({ onResolve }) =>
      onResolve({ filter: /./ }, ({ kind, path, importer, resolveDir }) => {
        if (kind !== "url-token" || /^(data:|#)/.test(path)) {
          return undefined;
        }
        const file = assets[relative(sources, resolve(resolveDir, path))];
        return file
          ? { path: `/assets/${file}`, external: true }
          : {
              errors: [
                {
                  text: `url("${path}") in ${relative(".", importer)} names no file in assets/{${SERVED}}`,
                },
              ],
            };
      }),
  };
  const { outputFiles } = await esbuild.build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    logLevel: "silent",
    plugins: [urls],
  });
  return outputFiles[0]?.text.trim() ?? "";
}

/** Tells one build from another: what pages carry inline has no hash in its name. */
function digest(output: Output): string {
  const hash = createHash("sha256");
  for (const [path, content] of output) {
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** A reader of the old manifest finds all of its files until the new one stands; then those that no manifest names go. */
function write(out: string, output: Output, manifest: string) {
  for (const [path, content] of [...output, ["manifest.json", manifest] as const]) {
    const file = join(out, path);
    const fresh = join(out, ".fresh");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(fresh, content);
    renameSync(fresh, file);
  }
  for (const folder of ["files", "inline", "root"]) {
    for (const file of filesIn(join(out, folder))) {
      if (!output.has(`${folder}/${file}`)) {
        rmSync(join(out, folder, file));
      }
    }
  }
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) {
    return [];
  }
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map((entry) => entry.name)
    .sort();
}

/** Compressed as far as Brotli goes. */
function brotli(content: string | Buffer): Buffer {
  return brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(content),
    },
  });
}

/** What each text weighs, as it is and as it travels. */
function sizes(output: Output): string {
  return [...output]
    .filter(([path]) => /\.(js|css)$/.test(path))
    .map(
      ([path, text]) =>
        `${Buffer.byteLength(text)}`.padStart(8) +
        `${brotli(text).length}`.padStart(8) +
        `  ${path}`,
    )
    .join("\n");
}

async function run(loader?: string) {
  try {
    console.info(`   bytes  brotli\n${sizes(await build(undefined, undefined, loader))}`);
    if (loader === RELOADING) {
      // Older than any source: the next `make` builds what visitors get.
      utimesSync(join(ASSETS, "dist/manifest.json"), 0, 0);
    }
    return true;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return false;
  }
}

function rebuildOnChange() {
  let timer: NodeJS.Timeout | undefined;
  let building = Promise.resolve(true);
  const changed = (_: unknown, file: string | null) => {
    if (!file?.startsWith("dist")) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        building = building.then(() => run(RELOADING));
      }, 50);
    }
  };
  watch(ASSETS, { recursive: true }, changed);
  watch(COMPONENTS, { recursive: true }, changed);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const watching = process.argv.includes("--watch");
  const built = await run(watching ? RELOADING : undefined);
  if (watching) {
    rebuildOnChange();
  } else if (!built) {
    process.exitCode = 1;
  }
}
