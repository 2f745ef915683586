/**
 * A folder that appears as a whole: it is filled under another name, flushed, and renamed.
 *
 * A folder cannot replace another in one step, so the old one steps aside first; if the process dies between the two
 * renames, `recoverDirectory` gives the old one its name back.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { BowlineError, errorMessage } from "../../../core/index.ts";

/** `fill` writes files into the folder it is given. Throws a `checkpoint` error that names `directory`. */
export function writeDirectory(directory: string, fill: (temporary: string) => void): void {
  const partial = `${directory}.partial`;
  const aside = `${directory}.old`;
  try {
    recoverDirectory(directory);
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { recursive: true });
    fill(partial);
    flush(partial);
    rmSync(aside, { recursive: true, force: true });
    if (existsSync(directory)) renameSync(directory, aside);
    renameSync(partial, directory);
    flush(dirname(directory));
    rmSync(aside, { recursive: true, force: true });
  } catch (cause) {
    undo(directory, partial);
    throw new BowlineError("checkpoint", `cannot write ${directory}: ${errorMessage(cause)}`, {
      cause,
    });
  }
}

/** As far as possible: whatever failed may fail here too, and its error is the one to tell. */
function undo(directory: string, partial: string): void {
  try {
    recoverDirectory(directory);
    rmSync(partial, { recursive: true, force: true });
  } catch {
    // A later save or load tries again.
  }
}

export function recoverDirectory(directory: string): void {
  const aside = `${directory}.old`;
  if (!existsSync(directory) && existsSync(aside)) renameSync(aside, directory);
}

/** Makes the names in a folder durable. Not every file system can; then there is nothing to do. */
function flush(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } catch {
    // Windows and some network file systems do not flush folders.
  } finally {
    closeSync(handle);
  }
}
