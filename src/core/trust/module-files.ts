/**
 * Finds the source files of a module: its own file and every local file that it imports, directly or indirectly.
 *
 * Imports are found in the text, without running it. Everything that looks like an import of an existing file counts,
 * so a line in a comment may add a file. Data files that are read by `new URL("./cities.json", import.meta.url)` count
 * too. Packages under `node_modules` do not count, and neither do the files of bowline itself.
 */
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE_ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const PACKAGE_FOLDERS = ["src", "dist", "worlds"].map((folder) => join(PACKAGE_ROOT, folder) + sep);

/** Returns the files of the module at `entry` by their real paths. Empty if there is no such file. */
export function collectModuleFiles(entry: string): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  const follow = (path: string) => {
    if (files.has(path)) return;
    const content = readFileSync(path);
    files.set(path, content);
    for (const name of findImports(content.toString("utf8"))) {
      const imported = resolveImport(name, path);
      if (imported === undefined || isOwnFile(imported)) continue;
      if (isLocalName(name) || !isInstalledFile(imported)) follow(imported);
    }
  };
  // A device or a pipe has no end.
  if (existsSync(entry) && statSync(entry).isFile()) follow(realpathSync.native(entry));
  return files;
}

/** Returns true for a file of bowline itself, and for a file in a folder `node_modules`. */
export function isPackageFile(path: string): boolean {
  return isInstalledFile(path) || isOwnFile(path);
}

const isInstalledFile = (path: string) => path.split(sep).includes("node_modules");
const isOwnFile = (path: string) => PACKAGE_FOLDERS.some((folder) => path.startsWith(folder));

/** Returns true if an import names a file by its path, and not a package. */
export function isLocalName(name: string): boolean {
  return /^\.{0,2}\//.test(name) || name.startsWith("file:");
}

/** Matches the text that follows `from`, `import`, `import(`, `require(` or `new URL(`. */
const IMPORT_PATTERN = /\b(?:from|import|require|new\s+URL)\s*\(?\s*(["'`])([^"'`\n]+)\1/g;

/** Returns what the imports in a source text name, in the order of the text. */
export function findImports(source: string): readonly string[] {
  return [...source.matchAll(IMPORT_PATTERN)].map(([, , name]) => name!);
}

/** Matches an import whose name is computed when the module runs, and functions that make such imports possible. */
const COMPUTED_IMPORT_PATTERN =
  /\b(?:import|require)\s*\(\s*(?:[^"'`\s)]|`[^`]*\$\{)|\bcreateRequire\b/;

/** Returns true if a source text imports something whose name only its execution tells. */
export function hasComputedImports(source: string): boolean {
  return COMPUTED_IMPORT_PATTERN.test(source);
}

/** Returns the real path of the file that an import names; undefined if there is no such file. */
export function resolveImport(name: string, importer: string): string | undefined {
  const path = name.startsWith("file:")
    ? findFile(pathOfFileUrl(name))
    : isLocalName(name)
      ? findFile(join(name.startsWith("/") ? "/" : dirname(importer), name))
      : resolvePackageImport(name, importer);
  return path && realpathSync.native(path);
}

function pathOfFileUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return "";
  }
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
