import { relative, resolve } from "node:path";
import * as esbuild from "esbuild";

/** The oldest browsers that show the pages as they are meant: of 2023, the last Chrome and Edge for Windows 7 and 8 among them. */
const BROWSERS = ["chrome109", "edge109", "firefox121", "ios16.4", "safari16.4"];

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
    target: BROWSERS,
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
  return withPlainColours(withTightTokens(outputFiles[0]?.text.trim() ?? ""));
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

/** A style in whose tokens, too, all browsers know the colours: esbuild converts those of properties only. */
export async function withPlainColours(style: string): Promise<string> {
  const colours = [...new Set(style.match(/oklch\([^()]*\)/g))];
  const { code } = await esbuild.transform(
    colours.map((colour) => `a { color: ${colour} }`).join("\n"),
    { loader: "css", target: BROWSERS },
  );
  const plain = [...code.matchAll(/\{\s*color: ([^;]+)/g)].map(([, colour]) => colour);
  return colours.reduce(
    (text, colour, index) => text.replaceAll(colour, plain[index] ?? colour),
    style,
  );
}

/**
 * A style without the tokens that nothing in it uses, nor a token that something uses, and without
 * what they leave empty. One that a part sets for what is in it stays: the style of the page that
 * this one is loaded into may use it.
 */
export function withoutUnusedTokens(style: string): string {
  const used = new Set([...style.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
  const less = style
    .replace(/:root\{[^{}]*\}/g, (tokens) =>
      tokens.replace(/(--[\w-]+):[^;{}]*(?:;|(?=\}))/g, (declaration, name) =>
        used.has(name) ? declaration : "",
      ),
    )
    .replace(/[^;{}]+\{\}/g, "");
  return less === style ? style : withoutUnusedTokens(less);
}
