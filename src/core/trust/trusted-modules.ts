/** The modules that this user trusts, by path and digest. */
import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { BowlineError } from "../errors.ts";
import { type InspectedModule, inspectModule } from "./module-digest.ts";
import {
  findEntry,
  listEntries,
  removeEntry,
  type TrustEntry,
  writeEntry,
} from "./trust-entries.ts";

/** A module that the user trusts: its real path, and the SHA-256 of its content when it was trusted. */
export interface TrustedModule {
  readonly path: string;
  readonly digest: string;
}

/**
 * What is known about a module: `trusted`, `edited` (its path is trusted and its content has changed since), or
 * `unknown`.
 */
export type TrustStatus = "trusted" | "edited" | "unknown";

/**
 * Tells whether this user trusts the module at `path`, either at this path or because its content is the same as that
 * of a trusted module. Throws a `trust` error if the record cannot be believed.
 */
export function inspectTrust(path: string): TrustStatus {
  const found = inspectModule(path);
  if (found === undefined) return "unknown";
  const digest = digestOf(findEntry(found.path));
  if (digest !== undefined) return digest === found.digest ? "trusted" : "edited";
  return listTrustedModules().some(({ digest }) => digest === found.digest) ? "trusted" : "unknown";
}

/** Tells whether this user trusts the file at this path, whatever its content is now. */
export function isTrustedPath(path: string): boolean {
  return existsSync(path) && digestOf(findEntry(realpathSync.native(path))) !== undefined;
}

/** Trusts the module at `path` as it is now. Throws a `config` error if there is none. */
export function trustModule(path: string): InspectedModule {
  const found = inspectModule(path);
  if (found === undefined) {
    throw new BowlineError(
      "config",
      `there is no module at ${resolve(path)}, so it cannot be trusted`,
    );
  }
  const { path: real, digest } = found;
  if (digestOf(findEntry(real)) !== digest) writeEntry({ version: 1, path: real, digest });
  return found;
}

/** Returns the trusted modules, in the order of their paths. */
export function listTrustedModules(): readonly TrustedModule[] {
  return listEntries()
    .filter((entry) => "path" in entry)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Ends the trust in the module at `path`, which may be gone. Returns false if it was not trusted. */
export function removeTrust(path: string): boolean {
  return removeEntry(existsSync(path) ? realpathSync.native(path) : resolve(path));
}

const digestOf = (entry: TrustEntry | undefined) =>
  entry !== undefined && "path" in entry ? entry.digest : undefined;
