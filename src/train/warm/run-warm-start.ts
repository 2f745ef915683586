/** Runs the warm start of a run: it imitates the demonstrations and saves checkpoints on the way. */

import { addPhaseUsage } from "../run/budget/index.ts";
import { savePolicy, saveRun, type TrainingRun } from "../run/training-run.ts";
import { divideRows, measureStage } from "./extend-warm-start.ts";
import { countWarmStartSteps, imitateRows, type WarmStep } from "./imitate-rows.ts";

export async function runWarmStart(run: TrainingRun): Promise<void> {
  const { engine, config, state, progress } = run;
  if (state.warmDone) return;
  const { trained, heldOut } = divideRows(run);
  const stageSteps = countWarmStartSteps(trained.length, config);
  progress.startPhase("warm", `${trained.length} demonstrations`, stageSteps);
  // A continued run starts at its newest checkpoint and repeats exactly the engine calls after it, so it saves no
  // checkpoint here.
  if (!run.resumed) await saveRun(run);
  for (;;) {
    await imitateRows(engine, trained, config, {
      done: state.warmSteps,
      finishedStages: state.warmStages?.finished ?? 0,
      onStep: (step) => endWarmStep(run, step),
    });
    await engine.publish();
    if (!(await measureStage(run, heldOut))) break;
    await saveRun(run);
    progress.startPhase("warm", `${trained.length} demonstrations, for longer`, stageSteps);
  }
  state.warmDone = true;
  await savePolicy(run, "warm");
  if (state.warmSteps > 0) await resetOptimizer(run);
  await saveRun(run);
}

/** Resets the optimizer, because a different objective follows. With `optimizer.moments` kept, its moments stay. */
async function resetOptimizer({ engine, store, config }: TrainingRun): Promise<void> {
  const { moments } = config.optimizer;
  if (moments === "kept") return;
  await engine.load(store.path("checkpoints", "warm", "engine"), { moments });
}

/** Returns the number of steps between two checkpoints of the warm start: a tenth of its steps, but at most 100. */
const stepsBetweenCheckpoints = (steps: number) => Math.min(Math.ceil(steps / 10), 100);

async function endWarmStep(
  run: TrainingRun,
  { step, steps, metrics, tokens }: WarmStep,
): Promise<void> {
  const { progress, state, signal } = run;
  state.warmSteps = step;
  addPhaseUsage(state.usage, "warm", { trained: tokens });
  progress.recordStep("warm", step, steps, metrics, { tokens });
  if (step % stepsBetweenCheckpoints(steps) === 0 && step < steps) await saveRun(run);
  signal?.throwIfAborted();
}
