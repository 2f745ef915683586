/** Wall time, for people and for records of time; nothing that is learned depends on it. */
export interface Stopwatch {
  /** Seconds since it was started, plus what it was started with. */
  seconds(): number;
}

export function startStopwatch(already = 0): Stopwatch {
  const start = performance.now();
  return { seconds: () => already + (performance.now() - start) / 1000 };
}
