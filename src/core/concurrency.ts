/**
 * Limits how many tasks run at the same time: those for the items of one list (`mapConcurrently`), or all that are
 * given to one limiter (`createConcurrencyLimiter`).
 */
import { giveWay } from "./give-way.ts";

/**
 * Runs the function for at most `limit` items at the same time. Items start in their order, and the results are in the
 * order of the items. Other events come through while many items start.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  run: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const runLane = async () => {
    while (next < items.length) {
      const index = next++;
      await giveWay();
      results[index] = await run(items[index]!, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, runLane));
  return results;
}

/** Runs a function as soon as one of a limited number of places is free. Functions start in the order of the calls. */
export type ConcurrencyLimiter = <T>(run: () => Promise<T>) => Promise<T>;

/** Creates a limiter that runs at most `limit` functions at once. */
export function createConcurrencyLimiter(limit: number): ConcurrencyLimiter {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (run) => {
    if (running >= limit) await new Promise<void>((enter) => waiting.push(enter));
    else running += 1;
    try {
      return await run();
    } finally {
      // The place goes directly to the next function in the queue, so a call that comes in between cannot take it.
      const enter = waiting.shift();
      if (enter) enter();
      else running -= 1;
    }
  };
}
