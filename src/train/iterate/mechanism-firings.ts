/** Collects the data of an iteration with which `src/methods/mechanisms` counts how often each mechanism acted. */
import {
  type Collected,
  computeFiringMetrics,
  type Grading,
  type Learned,
} from "../../methods/index.ts";
import { type ConfigAndMethod, configAndMethodAt } from "../config/stages.ts";
import type { TrainingRun } from "../run/training-run.ts";

/** An iteration that was collected, graded and learned from. */
export interface LearnedIteration {
  readonly stage: ConfigAndMethod;
  readonly collected: Collected;
  readonly grading: Grading;
  readonly learned: Learned;
}

/**
 * Called before an iteration, because the method changes its state in place. The function that it returns is called
 * after the iteration. It counts how often each mechanism acted.
 */
export type StartCountingFirings = () => (
  done: LearnedIteration,
) => Readonly<Record<string, number>>;

/** Creates the counter of mechanisms; undefined for plain LOOP, which has no optional mechanisms. */
export function createFiringCounter(run: TrainingRun): StartCountingFirings | undefined {
  const { config, state, tasks, agent } = run;
  if (!("schedule" in config)) return undefined;
  return () => {
    const before = { ...state.method };
    const table = state.tasks.table ?? {};
    return ({ stage, collected: { rollouts, pairs = [] }, grading, learned }) => {
      const number = state.iteration + 1;
      return computeFiringMetrics({
        number,
        config: stage.config,
        previous: number === 1 ? undefined : configAndMethodAt(run, number - 1).config,
        rollouts,
        pairs: pairs.length,
        graded: grading.graded,
        record: learned.record ?? {},
        metrics: { ...grading.metrics, ...learned.metrics },
        before,
        after: state.method,
        tasks,
        table,
        renderer: agent.renderer,
        demonstrations: state.demonstrations,
      });
    };
  };
}
