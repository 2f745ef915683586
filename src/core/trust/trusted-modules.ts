/**
 * The record of what this user trusts: modules by path and digest, and servers by address. It lies in the user's own
 * folder, never in a run. Each entry is a file of its own, so two processes that add entries cannot lose one.
 */
import { createHash, randomBytes } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { BowlineError, errorMessage } from "../errors.ts";
import { readCheckedJson } from "../files.ts";
import { type InspectedModule, inspectModule } from "./module-digest.ts";
import { findUserFolder } from "./user-folder.ts";

const trustedModuleSchema = z.strictObject({
  version: z.literal(1),
  /** The real path of the module. */
  path: z.string(),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
});

/** A module that the user trusts. */
export type TrustedModule = Pick<z.infer<typeof trustedModuleSchema>, "path" | "digest">;

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
  const entry = readEntry(entryPath(found.path));
  if (entry?.path === found.path) return entry.digest === found.digest ? "trusted" : "edited";
  return listTrustedModules().some(({ digest }) => digest === found.digest) ? "trusted" : "unknown";
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
  const file = entryPath(found.path);
  const entry = { version: 1 as const, path: found.path, digest: found.digest };
  if (readEntry(file)?.digest !== entry.digest) writeEntry(file, entry);
  return found;
}

/** Returns the trusted modules, in the order of their paths. */
export function listTrustedModules(): readonly TrustedModule[] {
  const folder = trustFolder();
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => readEntry(join(folder, name)) ?? [])
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Ends the trust in the module at `path`, which may be gone. Returns false if it was not trusted. */
export function removeTrust(path: string): boolean {
  const file = entryPath(existsSync(path) ? realpathSync.native(path) : resolve(path));
  if (!existsSync(file)) return false;
  rmSync(file);
  return true;
}

const trustFolder = () => join(findUserFolder(), "trust");

/** Returns the path of the entry of a module. A path may be longer than a file's name, so its digest is the name. */
function entryPath(modulePath: string): string {
  const name = createHash("sha256").update(modulePath).digest("hex").slice(0, 32);
  return join(trustFolder(), `${name}.json`);
}

function readEntry(file: string): TrustedModule | undefined {
  if (!existsSync(file)) return undefined;
  for (const path of [trustFolder(), file]) requireOwnedPath(path);
  return readCheckedJson(file, trustedModuleSchema);
}

/** Throws if other users of this machine can change what the user trusts. */
function requireOwnedPath(path: string): void {
  const user = process.getuid?.();
  // Windows keeps the folder of a user's settings from other users.
  if (user === undefined) return;
  const { uid, mode } = lstatSync(path);
  if ((uid === user || uid === 0) && (mode & 0o022) === 0) return;
  throw new BowlineError(
    "trust",
    `${path} can be changed by other users, so what it trusts is not believed: remove it, or take their rights to it (chmod go-w)`,
  );
}

/** Writes an entry that only this user can read, under a name that no other process uses, and renames it. */
function writeEntry(file: string, entry: z.infer<typeof trustedModuleSchema>): void {
  const temporary = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    mkdirSync(trustFolder(), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, `${JSON.stringify(entry)}\n`, {
      mode: 0o600,
      flag: "wx",
      flush: true,
    });
    renameSync(temporary, file);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw new BowlineError("store", `cannot write ${file}: ${errorMessage(cause)}`, { cause });
  }
}
