/** The parts that one evaluation needs, and the reports of its progress. */
import { startStopwatch } from "../../core/index.ts";
import type { Dials, World } from "../../spec/index.ts";
import type { Makers } from "../parts/makers.ts";
import type { EvaluateOptions } from "./evaluate-options.ts";
import type { EvaluatedPolicy } from "./find-policy.ts";

/** The parts that an evaluation needs while it runs. */
export interface EvaluationWork extends Omit<EvaluateOptions, "world" | "dials" | "scenarios"> {
  /** The number of scenarios; undefined means all that the world lists. */
  readonly scenarios: number | undefined;
  readonly makers: Makers;
  readonly subject: EvaluatedPolicy;
  readonly world: World;
  readonly worldName: string;
  readonly dials: Dials;
  readonly total: number;
}

/** The least number of seconds between two reports of progress. The last report comes without delay. */
const REPORT_EVERY_SECONDS = 0.1;

/** Returns a function that reports progress, at most as often as a person can read it. */
export function createProgressReporter({
  onEvent,
  total,
}: Pick<EvaluationWork, "onEvent" | "total">): (done: number) => void {
  const watch = startStopwatch();
  let toldAt = 0;
  return (step) => {
    const now = watch.seconds();
    if (now - toldAt < REPORT_EVERY_SECONDS && step !== total) return;
    toldAt = now;
    const rolloutsPerSecond = step / Math.max(now, 1e-9);
    const secondsLeft = (total - step) / rolloutsPerSecond;
    onEvent?.({
      type: "progress",
      phase: "eval",
      step,
      steps: total,
      rolloutsPerSecond,
      secondsLeft,
      metrics: {},
    });
  };
}
