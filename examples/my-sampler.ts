/**
 * A task sampler of your own. It prefers tasks that are passed between 20% and 80% of the time, because their groups
 * teach most; then tasks that were never tried; then the others, which are too hard or too easy for now.
 *
 *     bowline train smoke --sampler ./examples/my-sampler.ts
 */
import type { TaskSampler } from "bowline";

const drawTasks: TaskSampler = ({ tasks, count, rng, passRate }) => {
  const rank = (id: string) => {
    const rate = passRate[id];
    if (rate === undefined) return 1;
    return rate >= 0.2 && rate <= 0.8 ? 0 : 2;
  };
  // All randomness comes from `rng`, so a run that is continued draws the same tasks again.
  const order = rng.shuffle(tasks);
  return order.toSorted((a, b) => rank(a.id) - rank(b.id)).slice(0, count);
};

export default drawTasks;
