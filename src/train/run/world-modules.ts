/**
 * The sources that a world consists of: its own module and every local module that it imports, each with a digest.
 *
 * Imports are found by reading, not by running: whatever looks like one and names a file that is there counts, so a
 * line in a comment at worst adds a file. Data read by `new URL("./cities.json", import.meta.url)` counts too. Packages
 * under `node_modules` and bowline itself do not: what changes there shows in the tasks, or in a version.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** Digests by path, seen from the folder of the world's module, `/` between names. Empty for a world of the package. */
export type ModuleDigests = Readonly<Record<string, string>>;

const PACKAGE = fileURLToPath(new URL("../../..", import.meta.url));
const OWN = ["src", "dist", "worlds"].map((folder) => join(PACKAGE, folder) + sep);

export function worldModules(url: string): ModuleDigests {
  const entry = fileURLToPath(url);
  const sources = new Map<string, string>();
  const follow = (path: string) => {
    if (sources.has(path) || isForeign(path)) return;
    const source = readFileSync(path, "utf8");
    sources.set(path, source);
    for (const name of importsOf(source)) {
      const imported = resolved(name, path);
      if (imported !== undefined) follow(imported);
    }
  };
  if (existsSync(entry)) follow(realpathSync(entry));
  const root = dirname(sources.size > 0 ? realpathSync(entry) : entry);
  const named = [...sources].map(([path, source]) => [
    relative(root, path).split(sep).join("/"),
    digestOf(source),
  ]);
  return Object.fromEntries(named.sort(([a], [b]) => (a! < b! ? -1 : 1)));
}

/** Line ends are no difference: a checkout may change them. */
function digestOf(source: string): string {
  return shortDigest(source.replaceAll("\r\n", "\n"));
}

/** Enough to tell two texts apart, short enough to read. */
export function shortDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function isForeign(path: string): boolean {
  return path.split(sep).includes("node_modules") || OWN.some((folder) => path.startsWith(folder));
}

/** After `from`, `import`, `import(`, `require(` and `new URL(`: the string. */
const IMPORT = /\b(?:from|import|require|new\s+URL)\s*\(?\s*(["'])([^"'\n]+)\1/g;

function importsOf(source: string): readonly string[] {
  return [...source.matchAll(IMPORT)].map(([, , name]) => name!);
}

/** The file behind a specifier; undefined: none that is ours to follow. */
function resolved(name: string, importer: string): string | undefined {
  const path = /^\.{0,2}\//.test(name)
    ? fileAt(join(name.startsWith("/") ? "/" : dirname(importer), name))
    : name.startsWith("file:")
      ? fileAt(fileURLToPath(name))
      : packageFile(name, importer);
  return path && realpathSync(path);
}

/** TypeScript says `./x.js` or `./x` for `x.ts`. */
const WRITTEN_AS = [
  [/\.([cm]?)js$/, ".$1ts"],
  [/\.jsx$/, ".tsx"],
] as const;
const ENDINGS = [".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json"];

function fileAt(path: string): string | undefined {
  const [plain] = path.split("?");
  const candidates = [
    plain!,
    ...WRITTEN_AS.map(([ending, source]) => plain!.replace(ending, source)),
    ...ENDINGS.flatMap((ending) => [plain + ending, join(plain!, `index${ending}`)]),
  ];
  return candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile());
}

/** `#names` of a `package.json`, and packages of a workspace, whose real place is outside of `node_modules`. */
function packageFile(name: string, importer: string): string | undefined {
  if (isBuiltin(name)) return undefined;
  try {
    return createRequire(importer).resolve(name);
  } catch {
    return undefined;
  }
}
