/**
 * The entries of what this user trusts: modules by path and digest, and servers by address. They lie in the user's own
 * folder, never in a run. Each entry is a file of its own, so two processes that add entries cannot lose one.
 */
import { createHash, randomBytes } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { BowlineError, errorMessage } from "../errors.ts";
import { readCheckedJson } from "../files.ts";
import { findUserFolder } from "./user-folder.ts";

const version = z.literal(1);
const entrySchema = z.union([
  /** `path` is the real path of a module. */
  z.strictObject({ version, path: z.string(), digest: z.string().regex(/^[0-9a-f]{64}$/) }),
  /** `server` is the origin of a URL, such as `https://tinker.example.com`. */
  z.strictObject({ version, server: z.string() }),
]);

export type TrustEntry = z.infer<typeof entrySchema>;

/** Returns the entry about this subject: the real path of a module, or the origin of a server. */
export function findEntry(subject: string): TrustEntry | undefined {
  return readEntry(entryPath(subject));
}

/** Returns all entries. */
export function listEntries(): readonly TrustEntry[] {
  const folder = trustFolder();
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .flatMap((name) => readEntry(join(folder, name)) ?? []);
}

/** Removes the entry about this subject. Returns false if there is none. */
export function removeEntry(subject: string): boolean {
  const file = entryPath(subject);
  if (!existsSync(file)) return false;
  rmSync(file);
  return true;
}

/** Writes an entry that only this user can read, under a name that no other process uses, and renames it. */
export function writeEntry(entry: TrustEntry): void {
  const file = entryPath("path" in entry ? entry.path : entry.server);
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

const trustFolder = () => join(findUserFolder(), "trust");

/** Returns the path of an entry. A module's path may be longer than a file's name, so its digest is the name. */
function entryPath(subject: string): string {
  const name = createHash("sha256").update(subject).digest("hex").slice(0, 32);
  return join(trustFolder(), `${name}.json`);
}

function readEntry(file: string): TrustEntry | undefined {
  if (!existsSync(file)) return undefined;
  for (const path of [trustFolder(), file]) requireOwnedPath(path);
  return readCheckedJson(file, entrySchema);
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
