/** Abort signals that many wait on: every live episode listens, and Node would warn of a leak from the eleventh on. */
import { setMaxListeners } from "node:events";

/** Aborts with the first of those that are given; undefined where none is. */
export function anySignal(
  ...signals: readonly (AbortSignal | undefined)[]
): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  const signal = given.length < 2 ? given[0] : AbortSignal.any(given);
  heardByMany(signal);
  return signal;
}

/** For a signal that a user made, before anyone listens. */
export function heardByMany(signal: AbortSignal | undefined): void {
  if (signal !== undefined) setMaxListeners(0, signal);
}
