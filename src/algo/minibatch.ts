/**
 * Order: which tasks an iteration works on, and how its rollouts are dealt into minibatches.
 *
 * Both are pure functions of a seeded stream and a position, so a resumed run continues the same order.
 * Minibatches ignore task identity (arXiv 2502.01600, algorithm 1): siblings may land in different gradient steps.
 */
import { BowlineError, type Rng } from "../core/index.ts";

/** Shuffles and cuts into minibatches of `size`; the last one may be short. */
export function minibatches<T>(items: readonly T[], size: number, rng: Rng): T[][] {
  const shuffled = rng.shuffle(items);
  const count = Math.ceil(shuffled.length / size);
  return Array.from({ length: count }, (_, i) => shuffled.slice(i * size, (i + 1) * size));
}

/**
 * The `count` different tasks of iteration `iteration` (0-based). Tasks are drawn without replacement: every one is
 * drawn once before any comes again. Where a new pass starts inside an iteration, its tasks that were already drawn
 * in this iteration wait for the next one, so that a group never holds two draws. Throws a `config` error when there are
 * fewer than `count` tasks.
 */
export function tasksOfIteration<T>(
  tasks: readonly T[],
  count: number,
  iteration: number,
  rng: Rng,
): T[] {
  if (count > tasks.length) {
    const have = `${tasks.length} training task${tasks.length === 1 ? "" : "s"}`;
    throw new BowlineError("config", `cannot draw ${count} tasks an iteration from ${have}`);
  }
  let queue: T[] = [];
  let drawn: T[] = [];
  for (let i = 0, pass = 0; i <= iteration; i++) {
    drawn = queue.splice(0, count);
    if (drawn.length === count) continue;
    const next = rng.child(`pass ${pass++}`).shuffle(tasks);
    const taken = new Set(drawn);
    const fresh = next.filter((task) => !taken.has(task)).slice(0, count - drawn.length);
    for (const task of fresh) taken.add(task);
    queue = next.filter((task) => !fresh.includes(task));
    drawn.push(...fresh);
  }
  return drawn;
}
