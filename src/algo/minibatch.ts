/**
 * Decides the order of work: which tasks an iteration draws, and how its rollouts are divided into minibatches.
 *
 * Both are pure functions of a seeded stream and a position, so a resumed run continues in the same order. Minibatches
 * ignore which task a rollout belongs to (arXiv 2502.01600, algorithm 1), so rollouts of one task may be in different
 * gradient steps.
 */
import { BowlineError, type Rng } from "../core/index.ts";

/** Shuffles items and cuts them into minibatches of `size`. The last one may be shorter. */
export function shuffleIntoMinibatches<T>(items: readonly T[], size: number, rng: Rng): T[][] {
  const shuffled = rng.shuffle(items);
  const count = Math.ceil(shuffled.length / size);
  return Array.from({ length: count }, (_, i) => shuffled.slice(i * size, (i + 1) * size));
}

/**
 * Draws the `count` different tasks of an iteration (counted from 0). Tasks are drawn without replacement: each is
 * drawn once before any is drawn again. When a new pass over the tasks starts within an iteration, the tasks that
 * this iteration already drew wait for the next one, so that no task is drawn twice in one iteration. Throws a
 * `config` error when there are fewer than `count` tasks.
 */
export function drawTasksOfIteration<T>(
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
