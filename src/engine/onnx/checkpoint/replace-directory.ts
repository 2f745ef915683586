/**
 * Replaces a folder as a whole: the new one is filled under another name, flushed, and renamed.
 *
 * A folder cannot replace another in one step, so the old one is renamed first. If the process dies between the two
 * renames, `recoverDirectory` gives the old one its name back.
 */
import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { BowlineError, createFolder, errorMessage, flushFolder } from "../../../core/index.ts";
import { writeDigests } from "./digests.ts";

/**
 * Replaces `directory` by a folder that `fill` writes, with the digests of its weights. Throws a `checkpoint` error
 * that names `directory`.
 */
export function replaceDirectory(directory: string, fill: (folder: string) => void): void {
  const partial = `${directory}.partial`;
  const aside = `${directory}.old`;
  try {
    recoverDirectory(directory);
    rmSync(partial, { recursive: true, force: true });
    createFolder(partial);
    fill(partial);
    writeDigests(partial);
    flushFolder(partial);
    rmSync(aside, { recursive: true, force: true });
    if (existsSync(directory)) renameSync(directory, aside);
    renameSync(partial, directory);
    flushFolder(dirname(directory));
    rmSync(aside, { recursive: true, force: true });
  } catch (cause) {
    cleanUpFailedWrite(directory, partial);
    throw new BowlineError("checkpoint", `cannot write ${directory}: ${errorMessage(cause)}`, {
      cause,
    });
  }
}

/** Cleans up as far as possible. Whatever failed may fail here too, and the first error is the one to report. */
function cleanUpFailedWrite(directory: string, partial: string): void {
  try {
    recoverDirectory(directory);
    rmSync(partial, { recursive: true, force: true });
  } catch {
    // A later save or load tries the clean-up again.
  }
}

/** Restores the old folder if a process died while it replaced the folder. */
export function recoverDirectory(directory: string): void {
  const aside = `${directory}.old`;
  if (!existsSync(directory) && existsSync(aside)) renameSync(aside, directory);
}
