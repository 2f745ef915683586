/**
 * A watch is told which of the world's own functions runs right now, so that another thread can watch this one: only
 * from there can a loop that never ends be named and stopped.
 */
export interface ActivityWatch {
  enterUserCode(activity: Activity): void;
  leaveUserCode(): void;
  /** Reports that the kit itself made progress. */
  noteProgress(): void;
}

/** What runs: a handler with its arguments, or another function of the world, in words. */
export type Activity =
  | { readonly app: string; readonly api: string; readonly args: unknown }
  | { readonly what: string };

/** The watch of a thread that nobody watches. */
export const NO_WATCH: ActivityWatch = {
  enterUserCode() {},
  leaveUserCode() {},
  noteProgress() {},
};

export function runWatched<T>(watch: ActivityWatch, activity: Activity, run: () => T): T {
  watch.enterUserCode(activity);
  try {
    return run();
  } finally {
    watch.leaveUserCode();
  }
}
