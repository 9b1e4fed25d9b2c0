import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { bundleDigest } from "@site/components/digest";
import { bundleIslands, bundleLoader, serveIslands } from "./scripts.ts";
import { bundleStyle, withoutUnusedTokens } from "./styles.ts";

const ASSETS = fileURLToPath(new URL("./", import.meta.url));
export const DIST = join(ASSETS, "dist");

/** The folders whose files are served under `/assets/`, and the kinds of files in them that are. */
const SERVED = ["fonts", "images"];
const SERVED_KINDS = /\.(woff2|avif|webp|png|jpg|svg)$/;
const COMPRESSIBLE = /\.(js|css|svg)$/;

/** The page that shows every token, used or not. */
const SHOWS_TOKENS = "preview.css";

/** Everything that a build makes, by path in the output folder. The manifest comes last. */
type Output = Map<string, string | Buffer>;

/** Whether what is made is as small as can be, and the script that every page starts with. */
type Manner = { small: boolean; loader: string };

/** What visitors get. */
const FOR_VISITORS: Manner = { small: true, loader: "loader.ts" };

/**
 * Builds all assets from one folder of sources into another; nothing is written if anything is wrong.
 * Who builds again and again may pass the scripts of the islands, if they have not changed.
 */
export async function build(
  sources = ASSETS,
  out = DIST,
  { small, loader } = FOR_VISITORS,
  bundled = bundleIslands(small),
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
    if (small && COMPRESSIBLE.test(file)) {
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

  const islands = serveIslands(await bundled, serve);
  output.set("inline/loader.js", await bundleLoader(loader, islands, small));
  for (const section of filesIn(join(sources, "css/sections"))) {
    const style = await bundleStyle(join(sources, "css/sections", section), sources, assets);
    serve(`styles/${section}`, withoutUnusedTokens(style));
  }
  const pages = filesIn(join(sources, "css/pages"));
  const styles = await Promise.all(
    pages.map((page) => bundleStyle(join(sources, "css/pages", page), sources, assets)),
  );
  for (const [index, page] of pages.entries()) {
    const style = styles[index] ?? "";
    output.set(`inline/${page}`, page === SHOWS_TOKENS ? style : withoutUnusedTokens(style));
  }
  const manifest = JSON.stringify(
    { bundle: await bundleDigest(), digest: digest(output), assets },
    undefined,
    2,
  );

  write(out, output, manifest);
  return output;
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.info(`   bytes  brotli\n${sizes(await build())}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
