/**
 * Iterations collected ahead of the learner (`algo.staleness`), so that sampling does not wait for training.
 *
 * With staleness S, iteration n is collected by the version that was published after iteration n - 1 - S, all of its
 * turns by that one. So at most S versions lie between the policy that sampled and the one that learns, who samples what
 * depends on nothing but the iteration, and equal runs stay equal whatever overlaps. With S = 0 an iteration is collected
 * when the one before it is learned: the paper's loop.
 */
export interface CollectAhead<T> {
  /** What the 1-based iteration collected. Starts all that may start by now. */
  take(iteration: number): Promise<T>;
  /** Gives up what runs ahead. Resolves when nothing runs any more. */
  stop(): Promise<void>;
}

/** `cancel` makes the collections that run reject. */
export function collectAhead<T>(
  { staleness, iterations }: { readonly staleness: number; readonly iterations: number },
  collect: (iteration: number) => Promise<T>,
  cancel: () => void,
): CollectAhead<T> {
  const running = new Map<number, Promise<T>>();
  let started = 0;
  return {
    take(iteration) {
      const last = Math.min(iteration + staleness, iterations);
      for (let next = Math.max(started + 1, iteration); next <= last; next++) {
        const collected = collect(next);
        // Whoever takes it sees the error; until then nobody must.
        collected.catch(() => {});
        running.set(next, collected);
        started = next;
      }
      const taken = running.get(iteration);
      running.delete(iteration);
      return taken ?? Promise.reject(new Error(`invariant violated: ${iteration} was taken twice`));
    },
    async stop() {
      if (running.size === 0) return;
      cancel();
      await Promise.allSettled(running.values());
      running.clear();
    },
  };
}
