/**
 * Access to the files below the folder that the studio was opened on, and to no others.
 *
 * A run directory may come from anywhere. So a path counts only if its real path (with links followed) is below the
 * root, and only plain files are opened: reading a pipe could block forever. Nothing here writes or throws. Small files
 * are read synchronously: a table of a thousand runs would spend most of its time on passing four thousand reads
 * between threads.
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
  /** Device and inode number, which identify the file under any name. */
  readonly inode: string;
}

/** What a path leads to. `unreadable` is something that must not be read, with the reason. */
export type PathStatus =
  | { readonly kind: "missing" }
  | FoundFile
  | (Omit<FoundFile, "kind"> & { readonly kind: "folder" })
  | { readonly kind: "unreadable"; readonly problem: string };

export interface StudioFolder {
  /** The real path of the root. */
  readonly root: string;
  inspect(path: string): PathStatus;
  /** Returns `inspect` for names in a folder. It resolves the folder's real path once for all of them. */
  inspectorFor(folder: string): (name: string) => PathStatus;
}

/** Throws a `config` error if the folder does not exist. */
export function openStudioFolder(folder: string): StudioFolder {
  const root = resolveRealPath(folder);
  if (root === undefined) {
    throw new BowlineError(
      "config",
      `there is no folder ${folder}: give a folder of runs, or one run directory`,
    );
  }
  if (!statSync(root).isDirectory()) {
    throw new BowlineError(
      "config",
      `${folder} is not a folder: give a folder of runs, or one run directory`,
    );
  }
  const rootWithSeparator = root.endsWith(sep) ? root : root + sep;
  const isInside = (real: string) => real === root || real.startsWith(rootWithSeparator);
  const inspect = (path: string): PathStatus => {
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
    inspect,
    inspectorFor(folder) {
      const real = resolveRealPath(folder);
      if (real === undefined || !isInside(real)) return (name) => inspect(join(folder, name));
      return (name) => {
        const path = join(real, name);
        const stats = lstatOrUndefined(path);
        if (stats === undefined) return MISSING;
        return stats.isSymbolicLink() ? inspect(path) : toPathStatus(stats);
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

/** Returns the status of the entry itself: a link is not followed. */
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

/** Returns a text that stays equal until the file or folder is written. */
export function computeFingerprint(found: PathStatus): string {
  if (found.kind === "missing" || found.kind === "unreadable") return found.kind;
  return `${found.kind} ${found.inode} ${found.size} ${found.changedMs}`;
}

/** The content of a file, or why it cannot be read. The value is undefined if the file does not exist. */
export type ReadResult<T> = { readonly value: T | undefined } | { readonly problem: string };

const MAX_JSON_BYTES = 32 << 20;

/** Reads a small JSON file. A problem never quotes the file, which may be any file of the user. */
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

/** Returns the last `maxBytes` bytes of a file as text, or an empty text if it cannot be read. */
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
    return { problem: "is not JSON (incomplete, or not a file of Bowline)" };
  }
}

/**
 * Opens a plain file inside the folder and passes it to `work` with its size. Returns undefined if it cannot be read.
 */
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
