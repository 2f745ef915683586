/**
 * Files below the folder that the studio was opened on, and no others.
 *
 * A run directory may come from anywhere. So a path counts only where its real place (links followed) is below the root's,
 * and only a plain file is ever opened: a pipe would hold whoever reads it. Nothing here writes or throws. Small files are
 * read at once: a table of a thousand runs would spend most of its time on handing four thousand reads to threads and back.
 */
import {
  closeSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join, sep } from "node:path";
import { BowlineError } from "../../../core/index.ts";

export interface FoundFile {
  readonly kind: "file";
  readonly size: number;
  readonly changedMs: number;
  /** Of the file itself, whatever it is called: device and number. */
  readonly inode: string;
}

/** What is at a path. `odd`: something that is not to be read, with the reason. */
export type PathStatus =
  | { readonly kind: "missing" }
  | FoundFile
  | (Omit<FoundFile, "kind"> & { readonly kind: "folder" })
  | { readonly kind: "unreadable"; readonly problem: string };

export interface StudioFolder {
  /** Real path of the root. */
  readonly root: string;
  inspect(path: string): PathStatus;
  /** The same for names in a folder: many are asked for, and where the folder really is, is found out once. */
  inspectorFor(folder: string): (name: string) => PathStatus;
}

/** Throws a `config` error where there is no such folder. */
export function openStudioFolder(folder: string): StudioFolder {
  const root = resolveRealPath(folder);
  if (root === undefined) {
    throw new BowlineError(
      "config",
      `there is no folder ${folder}: name a folder of runs, or one run`,
    );
  }
  if (!statSync(root).isDirectory()) {
    throw new BowlineError("config", `${folder} is no folder: name a folder of runs, or one run`);
  }
  const rootWithSeparator = root.endsWith(sep) ? root : root + sep;
  const isInside = (real: string) => real === root || real.startsWith(rootWithSeparator);
  const at = (path: string): PathStatus => {
    const real = resolveRealPath(path);
    if (real === undefined) return MISSING;
    if (!isInside(real)) {
      return { kind: "unreadable", problem: "is a link that leads outside the studio's folder" };
    }
    const stats = statSync(real, { throwIfNoEntry: false });
    return stats === undefined ? MISSING : toPathStatus(stats);
  };
  return {
    root,
    inspect: at,
    inspectorFor(folder) {
      const real = resolveRealPath(folder);
      if (real === undefined || !isInside(real)) return (name) => at(join(folder, name));
      return (name) => {
        const path = join(real, name);
        const stats = lstatOrUndefined(path);
        if (stats === undefined) return MISSING;
        return stats.isSymbolicLink() ? at(path) : toPathStatus(stats);
      };
    },
  };
}

const MISSING: PathStatus = { kind: "missing" };

function resolveRealPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** Of the link itself, where it is one. */
function lstatOrUndefined(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function toPathStatus(stats: Stats): PathStatus {
  const { size, mtimeMs: changedMs, dev, ino } = stats;
  const inode = `${dev}/${ino}`;
  if (stats.isFile()) return { kind: "file", size, changedMs, inode };
  if (stats.isDirectory()) return { kind: "folder", size, changedMs, inode };
  return { kind: "unreadable", problem: "is neither a file nor a folder" };
}

/** Equal as long as nothing was written there. */
export function computeFingerprint(found: PathStatus): string {
  if (found.kind === "missing" || found.kind === "unreadable") return found.kind;
  return `${found.kind} ${found.inode} ${found.size} ${found.changedMs}`;
}

/** What a file says, or why it cannot be read; `undefined` value: there is none. */
export type ReadResult<T> = { readonly value: T | undefined } | { readonly problem: string };

const MAX_JSON_BYTES = 32 << 20;

/** A small JSON file, whole. A problem never quotes the file: it may be any file. */
export function readSmallJson(path: string, found: PathStatus): ReadResult<unknown> {
  if (found.kind === "missing") return { value: undefined };
  if (found.kind === "unreadable") return { problem: found.problem };
  if (found.kind === "folder") return { problem: "is a folder, not a file" };
  if (found.size > MAX_JSON_BYTES) return { problem: `is larger than ${MAX_JSON_BYTES >> 20} MiB` };
  try {
    return parseJson(readFileSync(path, "utf8"));
  } catch {
    return { problem: "cannot be read" };
  }
}

/** The last `most` bytes of a file as text; empty where it cannot be read. */
export function readTail(path: string, found: PathStatus, maxBytes: number): string {
  if (found.kind !== "file") return "";
  const length = Math.min(found.size, maxBytes);
  const bytes = Buffer.allocUnsafe(length);
  try {
    const fd = openSync(path, "r");
    try {
      return bytes.toString("utf8", 0, readSync(fd, bytes, 0, length, found.size - length));
    } finally {
      closeSync(fd);
    }
  } catch {
    return "";
  }
}

function parseJson(text: string): ReadResult<unknown> {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { problem: "is not JSON (torn, or of something else)" };
  }
}

/** Opens a plain file inside and hands it over with its size; undefined where it cannot be read. */
export async function withFile<T>(
  folder: StudioFolder,
  path: string,
  work: (file: FileHandle, sizeBytes: number) => Promise<T>,
): Promise<T | undefined> {
  const found = folder.inspect(path);
  if (found.kind !== "file") return undefined;
  let file: FileHandle;
  try {
    file = await open(path, "r");
  } catch {
    return undefined;
  }
  try {
    return await work(file, found.size);
  } finally {
    await file.close();
  }
}
