/**
 * Ends a run before it reaches its limit on time or cost. A new iteration starts only if it and the evaluations after
 * training still fit within the limits.
 */

import { costOf, describeSpending, HOW_TO_CONTINUE } from "../run/budget/index.ts";
import type { TrainingRun } from "../run/training-run.ts";

/** The limits of a run on time and cost. */
export interface RunLimits {
  /** Returns true if the run must end now. It is called before each iteration. */
  isReached(): boolean;
  /** Says which limit ended the run; undefined if no limit did. */
  readonly reason: string | undefined;
  /** Returns the number of seconds since the iteration began. */
  iterationSeconds(): number;
}

export function createRunLimits({ config, state, watch, spending }: TrainingRun): RunLimits {
  let start = watch.seconds();
  let lastSeconds = 0;
  let spentBefore: number | undefined;
  let reason: string | undefined;
  const { minutes } = config.run;
  const budget = config.budget;

  const isOutOfTime = () =>
    minutes !== null && watch.seconds() + lastSeconds + state.evaluationSeconds > minutes * 60;

  // The evaluations after training are assumed to cost as much as those before training.
  const describeOverspending = (): string | undefined => {
    if (spending === undefined || budget === null || budget.ceiling === null) return undefined;
    const now = spending.cost();
    const iteration = spentBefore === undefined ? 0 : now - spentBefore;
    spentBefore = now;
    const after = costOf(state.usage.phases.before, budget);
    if (now + iteration + after <= budget.ceiling) return undefined;
    return `${describeSpending(now, budget.ceiling)} and the next iteration would exceed the ceiling: ${HOW_TO_CONTINUE}; the run ended`;
  };

  return {
    isReached() {
      start = watch.seconds();
      reason = isOutOfTime()
        ? `run.minutes (${minutes}): the limit on time ended the run`
        : describeOverspending();
      return reason !== undefined;
    },
    get reason() {
      return reason;
    },
    iterationSeconds() {
      lastSeconds = watch.seconds() - start;
      return lastSeconds;
    },
  };
}
