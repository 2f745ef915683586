/**
 * A watch is told which of the world's own functions is running, so that another thread can observe it. Only another
 * thread can name and stop a loop that never ends.
 */
export interface ActivityWatch {
  enterUserCode(activity: Activity): void;
  leaveUserCode(): void;
  /** Reports that the kit itself made progress. */
  noteProgress(): void;
  /** Runs a function under a time limit; present where no other thread observes this one. */
  runWithinLimit?<T>(activity: Activity, run: () => T): T;
}

/** What is running: a handler with its arguments, or another function of the world, described in words. */
export type Activity =
  | { readonly app: string; readonly api: string; readonly args: unknown }
  | { readonly what: string };

/** The watch for a thread that is not observed. */
export const NO_WATCH: ActivityWatch = {
  enterUserCode() {},
  leaveUserCode() {},
  noteProgress() {},
};

export function runWatched<T>(watch: ActivityWatch, activity: Activity, run: () => T): T {
  if (watch.runWithinLimit) return watch.runWithinLimit(activity, run);
  watch.enterUserCode(activity);
  try {
    return run();
  } finally {
    watch.leaveUserCode();
  }
}
