/** Bounded concurrency: of one list of work, or of all work that passes one gate. */

/** In order of admission: item i starts before item i + 1, results keep their index. */
export async function mapPool<T, R>(
  items: readonly T[],
  limit: number,
  run: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await run(items[index]!, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  return results;
}

/** Runs what it is given, at most `limit` at once, first come first served. */
export type Gate = <T>(run: () => Promise<T>) => Promise<T>;

export function gate(limit: number): Gate {
  const waiting: (() => void)[] = [];
  let inside = 0;
  return async (run) => {
    if (inside >= limit) await new Promise<void>((enter) => waiting.push(enter));
    else inside += 1;
    try {
      return await run();
    } finally {
      // The place is handed on: whoever comes in between finds it taken.
      const enter = waiting.shift();
      if (enter) enter();
      else inside -= 1;
    }
  };
}
