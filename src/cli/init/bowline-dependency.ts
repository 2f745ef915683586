/**
 * Determines the entry `bowline` in the package.json of a new project. It depends on how the running package was
 * installed, so that `npm install` finds the same package: a `file:` path for a checkout or tarball, a git address, or
 * otherwise a range of versions.
 */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";

/** Returns the dependency. `root` is the folder of the running package, `project` the folder of the new project. */
export function bowlineDependency(root: string, project: string, version: string): string {
  const relativeFile = (path: string) => `file:${relative(project, path).split(sep).join("/")}`;
  if (basename(dirname(root)) !== "node_modules") return relativeFile(root);
  const host = dirname(dirname(root));
  const origin = readInstallOrigin(host, basename(root));
  if (origin?.startsWith("git+")) return origin;
  if (origin?.startsWith("file:")) {
    const path = resolve(host, origin.slice("file:".length));
    if (existsSync(path)) return relativeFile(path);
  }
  return `^${version}`;
}

/** Reads from npm's record of `host/node_modules` where a package in it came from. */
function readInstallOrigin(host: string, name: string): string | undefined {
  const record = join(host, "node_modules", ".package-lock.json");
  if (!existsSync(record)) return undefined;
  const { packages } = JSON.parse(readFileSync(record, "utf8")) as {
    readonly packages?: { readonly [path: string]: { readonly resolved?: string } };
  };
  return packages?.[`node_modules/${name}`]?.resolved;
}
