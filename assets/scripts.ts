import { fileURLToPath } from "node:url";
import { type InputOptions, type OutputChunk, type OutputOptions, rolldown } from "rolldown";
import { tsImport } from "tsx/esm/api";

const COMPONENTS = new URL("../components/src/", import.meta.url);
const fileOf = (path: string) => fileURLToPath(new URL(path, COMPONENTS));

/** Puts a file among those that are served; returns its address. */
type Serve = (name: string, content: string) => string;

/** The addresses of each island's own script, and then of those that it imports. */
type IslandAddresses = Record<string, string[]>;

/** The script that every page carries in itself: a file of `components/src/client/`. */
export async function bundleLoader(
  file: string,
  islands: IslandAddresses,
  minify: boolean,
): Promise<string> {
  const [loader] = await bundle(
    { input: fileOf(`client/${file}`), define: { ISLANDS: JSON.stringify(islands) } },
    { format: "iife", minify },
  );
  return loader.code.trim();
}

type Script = Pick<OutputChunk, "fileName" | "code" | "imports">;

/** The scripts of the islands, by the names of their files. */
type Islands = { files: Record<string, string>; chunks: Script[] };

/** A script for each island, and React in another, with what else they share. */
export async function bundleIslands(minify: boolean): Promise<Islands> {
  // Read anew for each build, with all that it imports: whoever watches the sources changed them.
  const { islands, folderOf }: typeof import("@site/components/registry") = await tsImport(
    "./registry.ts",
    COMPONENTS.href,
  );
  const entries = new Map(islands.map((name) => [`island:${name}`, entry(name, folderOf(name))]));
  const chunks = await bundle(
    {
      input: Object.fromEntries(islands.map((name) => [folderOf(name), `island:${name}`])),
      plugins: [
        {
          name: "islands",
          resolveId: (id) => (entries.has(id) ? id : undefined),
          load: (id) => entries.get(id),
        },
      ],
    },
    {
      format: "esm",
      minify,
      entryFileNames: "[name].js",
      chunkFileNames: "[name].js",
      codeSplitting: {
        groups: [{ name: "react", test: /node_modules|client\/hydrate|src\/fill/ }],
      },
    },
  );
  const files = Object.fromEntries(islands.map((name) => [name, `${folderOf(name)}.js`]));
  return { files, chunks };
}

/** Puts the scripts among the files that are served, each with the addresses of what it imports. */
export function serveIslands({ files, chunks }: Islands, serve: Serve): IslandAddresses {
  const served = new Map<string, string[]>();
  const serveChunk = (file: string): string[] => {
    const before = served.get(file);
    if (before) return before;
    const chunk = chunks.find(({ fileName }) => fileName === file);
    if (!chunk) throw new Error(`No script ${file} was bundled.`);
    const shared = new Set(chunk.imports.flatMap(serveChunk));
    const code = importAlike(chunk, (name) => served.get(name)?.[0]);
    const addresses = [serve(`islands/${file}`, code), ...shared];
    served.set(file, addresses);
    return addresses;
  };
  return Object.fromEntries(Object.entries(files).map(([name, file]) => [name, serveChunk(file)]));
}

/** The text of an island's script: its component, ready to take the server's HTML over. */
function entry(name: string, folder: string): string {
  return `
    import { hydrate } from ${JSON.stringify(fileOf("client/hydrate.tsx"))};
    import { ${name} } from ${JSON.stringify(fileOf(`${folder}/${folder}.tsx`))};
    export default (island) => hydrate(island, "${name}", ${name});
  `;
}

/**
 * Lets a script ask for what it imports with the query that it was itself asked for with. Browsers
 * remember a script that failed to load: another try needs another address for all of them.
 */
function importAlike(
  { fileName, code, imports }: Script,
  addressOf: (file: string) => string | undefined,
): string {
  const left = new Set(imports);
  const alike = code.replace(
    /import\s*\{([^}]*)\}\s*from\s*"\.\/([^"]+)";/g,
    (_, names: string, file: string) => {
      left.delete(file);
      return `const{${names.replaceAll(" as ", ":")}}=await import("${addressOf(file)}"+new URL(import.meta.url).search);`;
    },
  );
  if (left.size > 0) {
    throw new Error(
      `${fileName} imports ${[...left].join(", ")} in a form that is not known here.`,
    );
  }
  return alike;
}

/** Rolldown rather than esbuild: what it makes of React is 1.2 kB smaller when compressed. */
async function bundle(
  { define, ...input }: InputOptions & { define?: Record<string, string> },
  output: OutputOptions,
): Promise<[OutputChunk, ...OutputChunk[]]> {
  const build = await rolldown({
    ...input,
    platform: "browser",
    transform: {
      target: "es2022",
      define: { "process.env.NODE_ENV": '"production"', ...define },
    },
  });
  const { output: made } = await build.generate({ ...output, comments: false });
  await build.close();
  return made.filter((file) => file.type === "chunk") as [OutputChunk, ...OutputChunk[]];
}
