/** What an iteration says of its mechanisms: `src/methods/mechanisms` counts, here is what it looks at. */
import type { TaskTable } from "../../algo/index.ts";
import { type Collected, firingMetrics, type Grading, type Learned } from "../../methods/index.ts";
import { type Phase, phaseAt } from "../config/stages.ts";
import type { TrainingRun } from "../training-run.ts";

/** What was remembered before an iteration. */
export interface Standing {
  readonly method: TrainingRun["state"]["method"];
  readonly table: TaskTable;
}

/** To be taken before the iteration: a method's state changes in place, the parts of it do not. */
export function standing({ state }: TrainingRun): Standing {
  return { method: { ...state.method }, table: state.tasks.table ?? {} };
}

/** Nothing for plain LOOP, which has no mechanisms beside its own. */
export function firings(
  run: TrainingRun,
  {
    before,
    phase,
    grading,
    learned,
    collected: { rollouts, pairs = [] },
  }: {
    readonly before: Standing;
    readonly phase: Phase;
    readonly grading: Grading;
    readonly learned: Learned;
    readonly collected: Collected;
  },
): Record<string, number> {
  if (!("schedule" in run.config)) return {};
  const number = run.state.iteration + 1;
  return firingMetrics({
    number,
    config: phase.config,
    previous: number === 1 ? undefined : phaseAt(run, number - 1).config,
    rollouts,
    pairs: pairs.length,
    graded: grading.graded,
    seen: learned.seen ?? {},
    metrics: { ...grading.metrics, ...learned.metrics },
    before: before.method,
    after: run.state.method,
    tasks: run.tasks,
    table: before.table,
    renderer: run.agent.renderer,
    demonstrations: run.state.demonstrations,
  });
}
