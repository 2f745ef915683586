/**
 * Computes the digests of a world's source files, which `run.json` records. These files are the world's own module and
 * every local module that it imports. Packages under `node_modules` and bowline itself do not count, because their
 * changes show in the tasks or in a version.
 */
import { createHash } from "node:crypto";
import { dirname, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { collectModuleFiles, isPackageFile } from "../../core/index.ts";

/**
 * Digests by path relative to the folder of the world's module, with `/` as separator. Empty for a world of the
 * package.
 */
export type ModuleDigests = Readonly<Record<string, string>>;

/** Returns the digests of the world module at `url` and of the local modules that it imports. */
export function digestWorldModules(url: string): ModuleDigests {
  const files = collectModuleFiles(fileURLToPath(url));
  const [entry = ""] = files.keys();
  if (isPackageFile(entry)) return {};
  const named = [...files].map(([path, content]) => [
    relative(dirname(entry), path).split(sep).join("/"),
    digestSource(content.toString("utf8")),
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
