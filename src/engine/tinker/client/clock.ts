/** The clock and timers that the client uses. Tests pass a fake one, so that five minutes of retries take no time. */

export interface Clock {
  /** Returns Unix time in milliseconds. Only the expiry of a token depends on more than differences. */
  now(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs `task` every `ms` without keeping the process alive. Returns a function that stops it. */
  runEvery(ms: number, task: () => void): () => void;
  /** Returns a signal that aborts after `ms`, and a function that cancels the timer. */
  startDeadline(ms: number): { readonly signal: AbortSignal; readonly clear: () => void };
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const rejectOnAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", rejectOnAbort);
        resolve();
      }, ms);
      signal?.addEventListener("abort", rejectOnAbort, { once: true });
    }),
  runEvery(ms, task) {
    const timer = setInterval(task, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
  startDeadline(ms) {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), ms);
    return { signal: controller.signal, clear: () => clearTimeout(timer) };
  },
};
