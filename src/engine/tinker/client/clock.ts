/** Time as the client needs it. Tests bring their own, so that five minutes of retries take no time. */

export interface Clock {
  /** Milliseconds; only differences matter, except for the expiry of a token, which is Unix time. */
  now(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs `task` every `ms` without keeping the process alive. Returns how to stop. */
  every(ms: number, task: () => void): () => void;
  /** A signal that aborts after `ms`, and how to call it off. */
  deadline(ms: number): { readonly signal: AbortSignal; readonly clear: () => void };
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", abort);
        resolve();
      }, ms);
      signal?.addEventListener("abort", abort, { once: true });
    }),
  every(ms, task) {
    const timer = setInterval(task, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
  deadline(ms) {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), ms);
    return { signal: controller.signal, clear: () => clearTimeout(timer) };
  },
};
