/**
 * Finds the source files of a world and computes their digests. These files are the world's own module and every local
 * module that it imports.
 *
 * Imports are found in the text, without running it. Everything that looks like an import of an existing file counts,
 * so a line in a comment may add a file. Data files that are read by `new URL("./cities.json", import.meta.url)` count
 * too. Packages under `node_modules` and bowline itself do not count, because their changes show in the tasks or in a
 * version.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Digests by path relative to the folder of the world's module, with `/` as separator. Empty for a world of the
 * package.
 */
export type ModuleDigests = Readonly<Record<string, string>>;

const PACKAGE_ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const PACKAGE_FOLDERS = ["src", "dist", "worlds"].map((folder) => join(PACKAGE_ROOT, folder) + sep);

/** Returns the digests of the world module at `url` and of the local modules that it imports. */
export function digestWorldModules(url: string): ModuleDigests {
  const entry = fileURLToPath(url);
  const sources = new Map<string, string>();
  const follow = (path: string) => {
    if (sources.has(path) || isPackageFile(path)) return;
    const source = readFileSync(path, "utf8");
    sources.set(path, source);
    for (const name of findImports(source)) {
      const imported = resolveImport(name, path);
      if (imported !== undefined) follow(imported);
    }
  };
  if (existsSync(entry)) follow(realpathSync(entry));
  const root = dirname(sources.size > 0 ? realpathSync(entry) : entry);
  const named = [...sources].map(([path, source]) => [
    relative(root, path).split(sep).join("/"),
    digestSource(source),
  ]);
  return Object.fromEntries(named.sort(([a], [b]) => (a! < b! ? -1 : 1)));
}

/** Computes the digest of a source text. Line endings do not matter, because a checkout may change them. */
function digestSource(source: string): string {
  return shortDigest(source.replaceAll("\r\n", "\n"));
}

/** Returns the first 16 hexadecimal digits of the text's SHA-256. */
export function shortDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function isPackageFile(path: string): boolean {
  return (
    path.split(sep).includes("node_modules") ||
    PACKAGE_FOLDERS.some((folder) => path.startsWith(folder))
  );
}

/** Matches the string that follows `from`, `import`, `import(`, `require(` or `new URL(`. */
const IMPORT_PATTERN = /\b(?:from|import|require|new\s+URL)\s*\(?\s*(["'])([^"'\n]+)\1/g;

function findImports(source: string): readonly string[] {
  return [...source.matchAll(IMPORT_PATTERN)].map(([, , name]) => name!);
}

/** Returns the path of the file that an import names; undefined if there is no such file. */
function resolveImport(name: string, importer: string): string | undefined {
  const path = /^\.{0,2}\//.test(name)
    ? findFile(join(name.startsWith("/") ? "/" : dirname(importer), name))
    : name.startsWith("file:")
      ? findFile(fileURLToPath(name))
      : resolvePackageImport(name, importer);
  return path && realpathSync(path);
}

/** The file endings that TypeScript imports may have, with the endings of the source files: `./x.js` means `x.ts`. */
const SOURCE_EXTENSIONS = [
  [/\.([cm]?)js$/, ".$1ts"],
  [/\.jsx$/, ".tsx"],
] as const;
const FILE_EXTENSIONS = [".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json"];

function findFile(path: string): string | undefined {
  const [plain] = path.split("?");
  const candidates = [
    plain!,
    ...SOURCE_EXTENSIONS.map(([ending, source]) => plain!.replace(ending, source)),
    ...FILE_EXTENSIONS.flatMap((ending) => [plain + ending, join(plain!, `index${ending}`)]),
  ];
  return candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile());
}

/**
 * Resolves an import of a package, which may be a `#name` of `package.json` or a workspace outside of `node_modules`.
 */
function resolvePackageImport(name: string, importer: string): string | undefined {
  if (isBuiltin(name)) return undefined;
  try {
    return createRequire(importer).resolve(name);
  } catch {
    return undefined;
  }
}
