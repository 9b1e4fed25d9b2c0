import { relative, resolve } from "node:path";
import * as esbuild from "esbuild";

/**
 * One page's style as one text; each `url()` becomes the address of the file it names in `assets`,
 * which has them by their path in the folder of sources. Fails by file and line on whatever
 * browsers would skip without a word.
 */
export async function bundleStyle(
  entry: string,
  sources: string,
  assets: Record<string, string>,
): Promise<string> {
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
                { text: `url("${path}") in ${relative(".", importer)} names no file in assets/` },
              ],
            };
      }),
  };
  const { outputFiles, warnings } = await esbuild.build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    logLevel: "silent",
    plugins: [urls],
  });
  if (warnings.length > 0) {
    throw new Error(
      warnings
        .map(({ text, location }) => `${location?.file}:${location?.line}: ${text}`)
        .join("\n"),
    );
  }
  return withTightTokens(outputFiles[0]?.text.trim() ?? "");
}

/** A style without the spaces in its tokens' values that say nothing: esbuild leaves these as written. */
function withTightTokens(style: string): string {
  return style.replace(
    /(--[\w-]+:)([^;{}]*)/g,
    (_, name, value) =>
      name +
      value
        .trim()
        .replace(/\s*,\s*/g, ",")
        .replace(/\(\s+/g, "(")
        .replace(/\s+\)/g, ")"),
  );
}

/**
 * A style without the tokens that nothing in it uses, nor a token that something uses, and without
 * what they leave empty.
 */
export function withoutUnusedTokens(style: string): string {
  const used = new Set([...style.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
  const less = style
    .replace(/(--[\w-]+):[^;{}]*(?:;|(?=\}))/g, (declaration, name) =>
      used.has(name) ? declaration : "",
    )
    .replace(/[^;{}]+\{\}/g, "");
  return less === style ? style : withoutUnusedTokens(less);
}
