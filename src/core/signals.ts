/**
 * Abort signals with many listeners. Every open episode listens, and Node would warn of a memory leak after the tenth
 * listener.
 */
import { setMaxListeners } from "node:events";

/**
 * Returns a signal that is aborted together with the first of `signals` that is aborted; undefined when all of them are
 * undefined.
 */
export function combineSignals(
  ...signals: readonly (AbortSignal | undefined)[]
): AbortSignal | undefined {
  const defined = signals.filter((signal) => signal !== undefined);
  const signal = defined.length < 2 ? defined[0] : AbortSignal.any(defined);
  allowManyListeners(signal);
  return signal;
}

/** Switches off Node's warning for a signal with many listeners. Must be called before the first listener is added. */
export function allowManyListeners(signal: AbortSignal | undefined): void {
  if (signal !== undefined) setMaxListeners(0, signal);
}

/**
 * Rejects as soon as the signal is aborted. A later result of the promise is ignored. Without a signal, returns the
 * promise.
 */
export function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
