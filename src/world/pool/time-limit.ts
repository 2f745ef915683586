/**
 * A time limit for functions of the world that run in the main thread, which draws tasks. No other thread watches this
 * one, so Node's own script timeout interrupts the function. It costs about 0.03 ms a call.
 */
import { Script } from "node:vm";
import { BowlineError } from "../../core/index.ts";
import type { Activity, ActivityWatch } from "../api/index.ts";

/** The name under which the script below finds the function to run. */
const RUN = Symbol.for("bowline.run-within-limit");
const script = new Script(`globalThis[Symbol.for("bowline.run-within-limit")]()`);
const globals = globalThis as { [RUN]?: (() => unknown) | undefined };

/** Interrupts functions of the world that do not return within a number of milliseconds. */
export class TimeLimit implements ActivityWatch {
  readonly #milliseconds: number;
  #isRunning = false;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  enterUserCode(): void {}
  leaveUserCode(): void {}
  noteProgress(): void {}

  /** Runs the function. Throws a `world` error when it does not return in time. */
  runWithinLimit<T>(activity: Activity, run: () => T): T {
    // A function that another one calls is covered by the limit of the other one.
    if (this.#isRunning) return run();
    this.#isRunning = true;
    let outcome: { value: T } | { error: unknown } | undefined;
    globals[RUN] = () => {
      try {
        outcome = { value: run() };
      } catch (error) {
        outcome = { error };
      }
    };
    try {
      script.runInThisContext({ timeout: this.#milliseconds });
    } catch (cause) {
      throw notReturned(activity, this.#milliseconds, cause);
    } finally {
      this.#isRunning = false;
      globals[RUN] = undefined;
    }
    if (outcome && "value" in outcome) return outcome.value;
    throw outcome?.error;
  }
}

function notReturned(activity: Activity, milliseconds: number, cause: unknown): BowlineError {
  const name =
    "what" in activity ? activity.what : `the handler of ${activity.app}.${activity.api}`;
  return new BowlineError(
    "world",
    `${name} did not return within ${milliseconds / 1000} s; if it only needs longer, give openWorld or checkWorld a larger wallClockMs`,
    { cause },
  );
}
