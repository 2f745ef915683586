/**
 * Computes one digest of a module: the content of its file and of all local files that it imports, and where the
 * packages are that it imports.
 *
 * Two modules with the same digest run the same code, wherever they are. Packages are not read. They belong to the
 * installation, so their folders are part of the digest: a copy of a module beside another `node_modules` has another
 * digest. A module with an import whose file cannot be told by reading may load what no digest covers, so its own path
 * is part of it.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { hasHiddenImports } from "./hidden-imports.ts";
import {
  collectModuleFiles,
  findImports,
  foldersUpwards,
  isLocalName,
  namesPackageFolder,
} from "./module-files.ts";

/** A module as it is now. */
export interface InspectedModule {
  /** The real path of its file. */
  readonly path: string;
  /** The SHA-256 in hexadecimal digits. */
  readonly digest: string;
  /** The real paths of its file and of the local files that it imports. */
  readonly files: readonly string[];
}

/** Reads the module at `path`. Returns undefined if there is no such file. */
export function inspectModule(path: string): InspectedModule | undefined {
  const files = collectModuleFiles(path);
  const [entry] = files.keys();
  if (entry === undefined) return undefined;
  const lines = [...files].flatMap(([file, content]) => {
    const name = file === entry ? "." : relative(dirname(entry), file).split(sep).join("/");
    const source = content.toString("utf8");
    const imports = findImports(source);
    const isHidden =
      hasHiddenImports(source) || imports.some((imported) => namesPackageFolder(imported, file));
    return [
      ["file", name, sha256(content)],
      ...imports.flatMap((imported) => describePackage(imported, file)),
      ...(isHidden ? [["hidden", file]] : []),
    ];
  });
  const text = [...new Set(lines.map((line) => JSON.stringify(line)))].sort().join("\n");
  return { path: entry, digest: sha256(text), files: [...files.keys()] };
}

function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Returns a line that says where an imported package is; none for a local file or a module of Node. */
function describePackage(name: string, importer: string): string[][] {
  if (isLocalName(name) || isBuiltin(name)) return [];
  const [scope = "", second = ""] = name.split("/");
  const folder = scope.startsWith("@") ? `${scope}/${second}` : scope;
  const installed = foldersUpwards(importer)
    .map((parent) => join(parent, "node_modules", folder))
    .find((path) => existsSync(path));
  const place = installed === undefined ? "absent" : realpathSync.native(installed);
  return [["package", folder, place, ...readOwnScope(folder, importer)]];
}

/** Returns what the nearest `package.json` says about names that begin with `#` or with the package's own name. */
function readOwnScope(folder: string, importer: string): string[] {
  const file = foldersUpwards(importer)
    .map((parent) => join(parent, "package.json"))
    .find((path) => existsSync(path));
  if (file === undefined) return [];
  try {
    const { name, exports, imports } = JSON.parse(readFileSync(file, "utf8")) ?? {};
    const isMeant = folder.startsWith("#") || name === folder;
    if (!isMeant) return [];
    // Conditions choose another file for `import` than for `require`, so only the place tells which file is loaded.
    const isPlain = Object.values({ exports, ...imports }).every(
      (target) => target === undefined || typeof target === "string",
    );
    return [JSON.stringify([exports ?? null, imports ?? null]), ...(isPlain ? [] : [file])];
  } catch {
    return [];
  }
}
