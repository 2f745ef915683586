/** The ceilings of a run, on time and on cost: whether another iteration and the evaluations after would still fit. */

import { costOf, describeSpending, HOW_TO_CONTINUE } from "../run/budget/index.ts";
import type { TrainingRun } from "../run/training-run.ts";

export interface RunLimits {
  /** Asked before each iteration. True: the run must end here. */
  reached(): boolean;
  /** The ceiling that ended the run, in words. */
  readonly reason: string | undefined;
  /** Seconds since the iteration began. */
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

  /** The evaluations after are taken to cost what those before did. */
  const describeOverspending = (): string | undefined => {
    if (spending === undefined || budget === null || budget.ceiling === null) return undefined;
    const now = spending.cost();
    const iteration = spentBefore === undefined ? 0 : now - spentBefore;
    spentBefore = now;
    const after = costOf(state.usage.phases.before, budget);
    if (now + iteration + after <= budget.ceiling) return undefined;
    return `${describeSpending(now, budget.ceiling)} and the next iteration would pass it: ${HOW_TO_CONTINUE}; the run ended`;
  };

  return {
    reached() {
      start = watch.seconds();
      reason = isOutOfTime() ? `run.minutes (${minutes}) ended the run` : describeOverspending();
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
