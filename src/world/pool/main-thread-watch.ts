/**
 * The watch for functions of the world that run in the main thread, which draws tasks. No other thread observes this
 * one, so each function runs under a time limit.
 */
import { BowlineError, runWithinTimeLimit } from "../../core/index.ts";
import type { Activity, ActivityWatch } from "../api/index.ts";

/** Interrupts functions of the world that do not return within a number of milliseconds. */
export class MainThreadWatch implements ActivityWatch {
  readonly #milliseconds: number;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  enterUserCode(): void {}
  leaveUserCode(): void {}
  noteProgress(): void {}

  /** Runs the function. Throws a `world` error when it does not return in time. */
  runWithinLimit<T>(activity: Activity, run: () => T): T {
    const limit = this.#milliseconds;
    return runWithinTimeLimit(limit, run, () => notReturned(activity, limit));
  }
}

function notReturned(activity: Activity, milliseconds: number): BowlineError {
  const name =
    "what" in activity ? activity.what : `the handler of ${activity.app}.${activity.api}`;
  return new BowlineError(
    "world",
    `${name} did not return within ${milliseconds / 1000} s; if it only needs longer, give openWorld or checkWorld a larger wallClockMs`,
  );
}
