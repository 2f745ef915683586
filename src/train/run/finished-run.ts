/** Tidies up a finished run. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PROGRESS_FILES } from "./progress-file.ts";
import { lockRun } from "./run-lock.ts";

/**
 * Removes what is left of a process that was killed after it had written the summary: its lock, its report of
 * progress and its journal. Does
 * nothing while another process has the lock, or where the directory cannot be written, because a finished run can be
 * read without this.
 */
export function tidyFinishedRun(directory: string): void {
  const journal = join(directory, "journal");
  if (!existsSync(journal) && !existsSync(join(directory, "run.lock"))) return;
  try {
    const lock = lockRun(directory);
    rmSync(journal, { recursive: true, force: true });
    for (const name of PROGRESS_FILES) rmSync(join(directory, name), { force: true });
    lock.release();
  } catch {
    // Nothing is lost: the next call tries again.
  }
}
