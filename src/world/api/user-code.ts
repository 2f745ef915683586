/**
 * Runs a function that the world's author wrote, and blames the author's code for what goes wrong in it: an exception
 * becomes a `world` error that names the function, its task and the line, and a promise is refused.
 *
 * The functions of a world are synchronous. Code that runs later could not be repeated when an episode is forked or
 * replayed, and its failure would end the thread.
 */
import { BowlineError, errorMessage } from "../../core/index.ts";
import { findUserCodePlace, ReturnedPromise } from "./fault.ts";
import { type ActivityWatch, runWatched } from "./watch.ts";

/**
 * Runs a function of the world. `what` names it with its task, such as `the setup of task train/0/1`. Throws a `world`
 * error when the function throws or returns a promise.
 */
export function runUserCode<T>(watch: ActivityWatch, what: string, run: () => T): T {
  return runWatched(watch, { what }, () => {
    try {
      const value = run();
      requireNoPromise(value);
      return value;
    } catch (cause) {
      throw blameUserCode(what, cause);
    }
  });
}

/** Returns the `world` error for what a function of the world threw. */
export function blameUserCode(what: string, cause: unknown): BowlineError {
  const place = BowlineError.is(cause) ? undefined : findUserCodePlace(cause);
  const name = cause instanceof Error && isBuiltInError(cause) ? `${cause.name}: ` : "";
  const at = place === undefined ? "" : ` at ${place}`;
  return new BowlineError("world", `${what} failed: ${name}${errorMessage(cause)}${at}`, { cause });
}

/** Throws unless a function of the world has ended. Nothing waits for a promise, so its failure is ignored. */
export function requireNoPromise(value: unknown): void {
  if (!isPromise(value)) return;
  value.then(undefined, () => {});
  throw new ReturnedPromise();
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { then?: unknown } | undefined | null)?.then === "function";
}

/** True for errors that say in their name what happened, such as `TypeError`. */
function isBuiltInError({ name }: Error): boolean {
  return name !== "Error" && name !== "BowlineError";
}
