/** What has changed in a run since a view last asked, gathered so that it asks at most once a second. */
import type { RunEvent } from "../../../src/spec/studio/index.ts";

/** Counts up whenever its part is to be asked for again. */
export interface ChangeCounts {
  readonly metrics: number;
  readonly rollouts: number;
  readonly status: number;
}

export const NO_CHANGES: ChangeCounts = { metrics: 0, rollouts: 0, status: 0 };

/** After a `hello` everything may be new: what happened while nobody listened was not told. */
export function countEvents(
  before: ChangeCounts,
  types: ReadonlySet<RunEvent["type"]>,
): ChangeCounts {
  const all = types.has("hello");
  const next = (name: keyof ChangeCounts) => before[name] + Number(all || types.has(name));
  return { metrics: next("metrics"), rollouts: next("rollouts"), status: next("status") };
}

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 15_000;

/** How long to wait before trying for the `attempt`-th time (from 0) to reach a server that is gone. */
export function retryDelayMs(attempt: number): number {
  return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** attempt);
}

/** Hands over what was gathered at once, then no sooner than `everyMs` after the last time. */
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
