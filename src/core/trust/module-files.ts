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
      for (const imported of resolveImport(name, path)) {
        if (isOwnFile(imported)) continue;
        if (isLocalName(name) || !isInstalledFile(imported)) follow(imported);
      }
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
  return /^\.{0,2}\/|^\.{1,2}$/.test(name) || name.startsWith("file:");
}

/** Matches the text that follows `from`, `import`, `import(`, `require(` or `new URL(`. */
const IMPORT_PATTERN = /\b(?:from|import|require|new\s+URL)\s*\(?\s*(["'`])([^"'`\n]+)\1/g;

/** Returns what the imports in a source text name, in the order of the text. */
export function findImports(source: string): readonly string[] {
  return [...source.matchAll(IMPORT_PATTERN)].map(([, , name]) => name!);
}

/**
 * Returns the real paths of the files that an import may name. There are several if which of them is loaded depends on
 * the loader: `./x.js` may mean `x.ts`, and `./x` may mean `x.js` or `x/index.ts`.
 */
function resolveImport(name: string, importer: string): readonly string[] {
  const paths = name.startsWith("file:")
    ? findFiles(readFileUrl(name))
    : isLocalName(name)
      ? findFiles(join(name.startsWith("/") ? "/" : dirname(importer), name))
      : resolvePackageImport(name, importer);
  return [...new Set(paths.map((path) => realpathSync.native(path)))];
}

/** Returns true if an import names a folder whose `package.json` may choose the file that is loaded. */
export function namesPackageFolder(name: string, importer: string): boolean {
  return isLocalName(name) && existsSync(join(dirname(importer), name, "package.json"));
}

function readFileUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return "";
  }
}

/** The endings of source files that an import may mean instead of the ending that it names, or if it names none. */
const SOURCE_ENDINGS = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];
const NAMED_ENDING = /\.[cm]?jsx?$/;
const OMITTED_ENDINGS = [...SOURCE_ENDINGS, ".json", ".node"];

function findFiles(path: string): readonly string[] {
  const [plain = ""] = path.split("?");
  const candidates = [
    path,
    plain,
    ...(NAMED_ENDING.test(plain)
      ? SOURCE_ENDINGS.map((ending) => plain.replace(NAMED_ENDING, ending))
      : []),
    ...OMITTED_ENDINGS.flatMap((ending) => [plain + ending, join(plain, `index${ending}`)]),
  ];
  return candidates.filter((candidate) => existsSync(candidate) && statSync(candidate).isFile());
}

/**
 * Resolves an import of a package, which may be a `#name` of `package.json` or a workspace outside of `node_modules`.
 */
function resolvePackageImport(name: string, importer: string): readonly string[] {
  if (isBuiltin(name)) return [];
  try {
    return [createRequire(importer).resolve(name)];
  } catch {
    return [];
  }
}

/** Returns the folder of a file and its parents, up to the root. */
export function foldersUpwards(file: string): string[] {
  const parent = dirname(file);
  return parent === file ? [] : [parent, ...foldersUpwards(parent)];
}
