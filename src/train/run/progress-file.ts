/**
 * The file `progress.json` of a run says what its process is doing now, for people who look from another process. It
 * exists only while the process trains, it is no part of a run, and nothing that is learned reads it.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Stopwatch, writeFileAtomic } from "../../core/index.ts";
import type { ProgressReport } from "../../spec/index.ts";

/** Reports progress. The start of a phase is written at once; other reports are written at most once a second. */
export type ReportProgress = (report: ProgressReport, isStart?: boolean) => void;

export interface ProgressFile {
  readonly report: ReportProgress;
  remove(): void;
}

const NAME = "progress.json";
/** The names of the file: while it is complete, and while it is being written. */
export const PROGRESS_FILES: readonly string[] = [NAME, `${NAME}.partial`];
const LEAST_SECONDS = 1;

/** Opens the file of the run in `directory`. A file that cannot be written is no reason to end a run. */
export function openProgressFile(directory: string, watch: Stopwatch): ProgressFile {
  let writtenAt = -Infinity;
  return {
    report(report, isStart = false) {
      const now = watch.seconds();
      if (!isStart && now - writtenAt < LEAST_SECONDS) return;
      writtenAt = now;
      ignoreErrors(() =>
        writeFileAtomic(join(directory, NAME), JSON.stringify(report), { flush: false }),
      );
    },
    remove() {
      for (const name of PROGRESS_FILES)
        ignoreErrors(() => rmSync(join(directory, name), { force: true }));
    },
  };
}

function ignoreErrors(work: () => void): void {
  try {
    work();
  } catch {
    // The terminal shows the same progress.
  }
}
