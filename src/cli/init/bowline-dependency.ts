/**
 * How a new project names the package that made it: as that was installed itself, so that `npm install` finds the same one. From
 * a checkout or a tarball this is a `file:`, from git its address, else a range of versions.
 */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";

/** `root` is the folder of the running package, `project` where the dependency will be written down. */
export function bowlineDependency(root: string, project: string, version: string): string {
  const file = (path: string) => `file:${relative(project, path).split(sep).join("/")}`;
  if (basename(dirname(root)) !== "node_modules") return file(root);
  const host = dirname(dirname(root));
  const from = readInstallOrigin(host, basename(root));
  if (from?.startsWith("git+")) return from;
  if (from?.startsWith("file:")) {
    const path = resolve(host, from.slice("file:".length));
    if (existsSync(path)) return file(path);
  }
  return `^${version}`;
}

/** What npm's record of a `node_modules` folder says about the origin of a package in it. */
function readInstallOrigin(host: string, name: string): string | undefined {
  const record = join(host, "node_modules", ".package-lock.json");
  if (!existsSync(record)) return undefined;
  const { packages } = JSON.parse(readFileSync(record, "utf8")) as {
    readonly packages?: { readonly [path: string]: { readonly resolved?: string } };
  };
  return packages?.[`node_modules/${name}`]?.resolved;
}
