/**
 * The one door by which code that is not part of the package is loaded. Whoever loads a module says who named it. What
 * a command line or a call names is the user's choice. What a file names, such as the `run.json` of a run, is data: it
 * is loaded only if this user has trusted it.
 */
import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { BowlineError } from "../errors.ts";
import { loadModule } from "../load-module.ts";
import { foldersUpwards } from "./module-files.ts";
import { type ModuleOrigin, refuseUntrusted } from "./refuse-untrusted.ts";
import { inspectTrust, isTrustedPath, type TrustStatus } from "./trusted-modules.ts";

/**
 * Imports the module at `url`. `field` is the field that names it, for errors. Throws a `trust` error, and runs
 * nothing, when a file names the module and this user has not trusted it.
 *
 * The module's files are read once for their digest and again by the import. Who can change them in between can change
 * what runs.
 */
export async function loadUserModule(
  url: string,
  field: string,
  origin: ModuleOrigin,
): Promise<Record<string, unknown>> {
  if (origin.by === "call") return loadModule(url);
  const path = requireTrustedModule(url, field, origin);
  return loadModule(pathToFileURL(path).href, { obeysTsconfig: isInOwnProject(path) });
}

/**
 * Returns true if a module lies in the project of the working directory, and was trusted there. Only then may the
 * `tsconfig.json` of that project say what its imports mean. A person may work in a folder from elsewhere, and the
 * `paths` of that folder could put other code in the place of what a trusted module imports.
 */
function isInOwnProject(path: string): boolean {
  const folders = foldersUpwards(join(realpathSync.native(process.cwd()), "tsconfig.json"));
  const project = folders.find((folder) => existsSync(join(folder, "tsconfig.json")));
  return project !== undefined && foldersUpwards(path).includes(project) && isTrustedPath(path);
}

/** Returns the real path of the module at `url`. Throws a `trust` error unless this user has trusted it. */
function requireTrustedModule(
  url: string,
  field: string,
  origin: Extract<ModuleOrigin, { readonly by: "file" }>,
): string {
  const path = url.startsWith("file:") ? fileURLToPath(url) : undefined;
  if (path !== undefined && existsSync(path) && inspectTrust(path) !== "unknown") {
    return realpathSync.native(path);
  }
  throw refuseUntrusted(field, `the module ${path ?? url.slice(0, 200)}, which`, origin);
}

/**
 * Throws a `trust` error when the module at `path` was named by a file and this user has not trusted it. Returns what is
 * known about it.
 */
export function requireTrust(path: string, field: string, origin: ModuleOrigin): TrustStatus {
  if (origin.by === "call") return "trusted";
  requireTrustedModule(pathToFileURL(path).href, field, origin);
  return inspectTrust(path);
}

/**
 * Throws a `trust` error when a file names the file at `path`, and this user has not trusted a file at this very path.
 * This is for files that name programs: a copy elsewhere starts other programs than the file that was trusted.
 */
export function requireTrustedPath(path: string, field: string, origin: ModuleOrigin): void {
  if (origin.by === "call" || isTrustedPath(path)) return;
  throw refuseUntrusted(field, `the file ${path}, which`, origin);
}

/** Returns true for an error that says that something is not trusted, so that nobody wraps it into another one. */
export function isTrustError(error: unknown): boolean {
  return BowlineError.is(error) && error.code === "trust";
}

/** Returns a sentence if a file names the module at `path`, and the module was edited since it was trusted. */
export function describeEdit(
  path: string,
  field: string,
  origin: ModuleOrigin,
): string | undefined {
  if (origin.by === "call" || inspectTrust(path) !== "edited") return undefined;
  return `${field}: ${path} has changed since you trusted it`;
}
