/** What an iteration says of its mechanisms: `src/methods/mechanisms` counts, here is what it looks at. */
import {
  type Collected,
  computeFiringMetrics,
  type Grading,
  type Learned,
} from "../../methods/index.ts";
import { type Phase, phaseAtIteration } from "../config/stages.ts";
import type { TrainingRun } from "../run/training-run.ts";

/** An iteration when it has been learned from. */
export interface LearnedIteration {
  readonly phase: Phase;
  readonly collected: Collected;
  readonly grading: Grading;
  readonly learned: Learned;
}

/**
 * To be called before an iteration, for a method's state changes in place; what it returns says after it how often each
 * mechanism acted.
 */
export type StartCounting = () => (done: LearnedIteration) => Readonly<Record<string, number>>;

/** Undefined for plain LOOP, which has no mechanisms beside its own. */
export function createFiringCounter(run: TrainingRun): StartCounting | undefined {
  const { config, state, tasks, agent } = run;
  if (!("schedule" in config)) return undefined;
  return () => {
    const before = { ...state.method };
    const table = state.tasks.table ?? {};
    return ({ phase, collected: { rollouts, pairs = [] }, grading, learned }) => {
      const number = state.iteration + 1;
      return computeFiringMetrics({
        number,
        config: phase.config,
        previous: number === 1 ? undefined : phaseAtIteration(run, number - 1).config,
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
