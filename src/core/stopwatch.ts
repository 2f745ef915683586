/** Measures wall-clock time, for people and for records of time. Nothing that is learned depends on it. */
export interface Stopwatch {
  /** Returns the seconds since the start plus the initial seconds. */
  seconds(): number;
}

/** Starts a stopwatch that begins at `initialSeconds`, such as the time of an interrupted run. */
export function startStopwatch(initialSeconds = 0): Stopwatch {
  const start = performance.now();
  return { seconds: () => initialSeconds + (performance.now() - start) / 1000 };
}
