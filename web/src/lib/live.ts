/** Collects which parts of a run have changed, so that a view requests them only from time to time. */
import type { RunEvent } from "../../../src/spec/studio/index.ts";

/** A number for each part of a run. It increases when the part must be requested again. */
export interface ChangeCounts {
  readonly metrics: number;
  readonly rollouts: number;
  readonly status: number;
  readonly progress: number;
}

export const NO_CHANGES: ChangeCounts = { metrics: 0, rollouts: 0, status: 0, progress: 0 };

/**
 * Increases the numbers of the parts that events name. A `hello` counts for all parts, because earlier changes were not
 * reported.
 */
export function countEvents(
  before: ChangeCounts,
  types: ReadonlySet<RunEvent["type"]>,
): ChangeCounts {
  const all = types.has("hello");
  const nextCount = (name: keyof ChangeCounts) => before[name] + Number(all || types.has(name));
  return {
    metrics: nextCount("metrics"),
    rollouts: nextCount("rollouts"),
    status: nextCount("status"),
    progress: nextCount("progress"),
  };
}

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 15_000;

/** Returns the delay before attempt number `attempt` (from 0) to reach a server that does not answer. */
export function retryDelayMs(attempt: number): number {
  return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** attempt);
}

/** Collects items and passes them on: at once the first time, and then at most once every `everyMs` milliseconds. */
export function createBatcher<T>(everyMs: number, onBatch: (gathered: ReadonlySet<T>) => void) {
  let gathered = new Set<T>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    if (gathered.size === 0) return;
    const all = gathered;
    gathered = new Set();
    timer = setTimeout(flush, everyMs);
    onBatch(all);
  };
  return {
    add(one: T): void {
      gathered.add(one);
      if (timer === undefined) flush();
    },
    stop(): void {
      clearTimeout(timer);
      gathered.clear();
    },
  };
}
