/** Remembers which calls of a function are still running, so that somebody can wait for them. */
export interface TrackedCalls<A extends readonly unknown[], R> {
  readonly run: (...args: A) => Promise<R>;
  /** Resolves when no call is running. */
  settled(): Promise<void>;
}

export function trackCalls<A extends readonly unknown[], R>(
  call: (...args: A) => Promise<R>,
): TrackedCalls<A, R> {
  const running = new Set<Promise<unknown>>();
  return {
    run(...args) {
      const result = call(...args);
      const ended: Promise<unknown> = result.then(
        () => running.delete(ended),
        () => running.delete(ended),
      );
      running.add(ended);
      return result;
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
