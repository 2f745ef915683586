/**
 * A filter of one's own: of rollouts of one task that ran the very same code, one is learned from. A small policy says the
 * same thing over and over, and each copy would push it further.
 *
 *     bowline train smoke --filter ./examples/my-filter.ts
 */
import type { RolloutFilter } from "bowline";

type GradedRollout = Parameters<RolloutFilter>[0];

const taskAndCode = ({ rollout }: GradedRollout) =>
  JSON.stringify([rollout.task.id, rollout.turns.map(({ code }) => code)]);

/** `all` is every graded rollout of the iteration, in a fixed order, also those that other filters left out. */
const isFirstWithItsCode: RolloutFilter = (item, all) => {
  const same = all.find((other) => taskAndCode(other) === taskAndCode(item));
  return same?.rollout === item.rollout;
};

export default isFirstWithItsCode;
