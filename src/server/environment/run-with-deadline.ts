/** Gives one episode of an environment a deadline. */
import { combineSignals } from "../../core/index.ts";

/**
 * Calls `run` with a signal that aborts when `signal` does, and after `seconds`, if given. It always waits for `run` to
 * end. Rejects when the time is up, with an error that is named `time`, and when `signal` aborted: what ends after that
 * has no result.
 */
export async function runWithDeadline<R>(
  signal: AbortSignal,
  seconds: number | undefined,
  run: (signal: AbortSignal) => Promise<R>,
): Promise<R> {
  const deadline = new AbortController();
  const timer =
    seconds === undefined ? undefined : setTimeout(() => deadline.abort(), seconds * 1000);
  try {
    const result = await run(combineSignals(deadline.signal, signal)!);
    throwIfOver(signal, deadline.signal, seconds);
    return result;
  } catch (error) {
    throwIfOver(signal, deadline.signal, seconds);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function throwIfOver(
  signal: AbortSignal,
  deadline: AbortSignal,
  seconds: number | undefined,
): void {
  if (deadline.aborted) {
    const error = new Error(`the episode took longer than timeoutSeconds (${seconds})`);
    throw Object.assign(error, { name: "time" });
  }
  if (signal.aborted) throw new Error("the episode is over");
}
