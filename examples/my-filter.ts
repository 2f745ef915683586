/**
 * A filter of your own. If several rollouts of a task ran exactly the same code, only the first is learned from. A
 * small policy often repeats itself, and every copy would push it further in the same direction.
 *
 *     bowline train smoke --filter ./examples/my-filter.ts
 */
import type { RolloutFilter } from "bowline";

type GradedRollout = Parameters<RolloutFilter>[0];

const taskAndCode = ({ rollout }: GradedRollout) =>
  JSON.stringify([rollout.task.id, rollout.turns.map(({ code }) => code)]);

/** Keeps a rollout if it is the first with its code. `all` has all graded rollouts of the iteration, in order. */
const isFirstWithItsCode: RolloutFilter = (item, all) => {
  const first = all.find((other) => taskAndCode(other) === taskAndCode(item));
  return first?.rollout === item.rollout;
};

export default isFirstWithItsCode;
