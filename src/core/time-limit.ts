/**
 * Interrupts synchronous code of a user that does not return. No other thread can stop a loop in this one, so Node's own
 * script timeout does. It costs about 0.03 ms a call.
 */
import { Script } from "node:vm";

/** The name under which the script below finds the function to run. */
const RUN = Symbol.for("bowline.run-within-limit");
const script = new Script(`globalThis[Symbol.for("bowline.run-within-limit")]()`);
const globals = globalThis as { [RUN]?: (() => void) | undefined };

/**
 * Runs a synchronous function and returns or throws what it does. Throws the error of `onTimeout` when the function
 * does not return in time. Code that the function leaves for later, such as after an `await`, has no limit.
 */
export function runWithinTimeLimit<T>(
  milliseconds: number,
  run: () => T,
  onTimeout: () => Error,
): T {
  // A function that another limited one calls is covered by the limit of the other one.
  if (globals[RUN] !== undefined) return run();
  let outcome: { readonly value: T } | { readonly error: unknown } | undefined;
  globals[RUN] = () => {
    try {
      outcome = { value: run() };
    } catch (error) {
      outcome = { error };
    }
  };
  try {
    script.runInThisContext({ timeout: Math.ceil(milliseconds) });
  } catch {
    throw onTimeout();
  } finally {
    globals[RUN] = undefined;
  }
  if (outcome && "value" in outcome) return outcome.value;
  throw outcome?.error;
}
