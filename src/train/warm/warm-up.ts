/** The warm start as a phase of a run: imitation of its demonstrations, with checkpoints on the way. */

import { addPhaseUsage } from "../run/budget/index.ts";
import { savePolicy, saveRun, type TrainingRun } from "../run/training-run.ts";
import { countWarmSteps, imitateRows, type WarmStep } from "./warm-start.ts";

export async function runWarmStart(run: TrainingRun): Promise<void> {
  const { engine, rows, config, state, progress } = run;
  if (state.warmDone) return;
  progress.startPhase("warm", `${rows.length} demonstrations`, countWarmSteps(rows.length, config));
  // A continued run is at its newest checkpoint already, and repeats the calls that came after it: no other among them.
  if (!run.resumed) await saveRun(run);
  await imitateRows(engine, rows, config, {
    done: state.warmSteps,
    onStep: (step) => endWarmStep(run, step),
  });
  await engine.publish();
  state.warmDone = true;
  await savePolicy(run, "warm");
  if (state.warmSteps > 0) await resetOptimizer(run);
  await saveRun(run);
}

/** What is learned from here on is another objective: its optimizer begins anew, unless the moments are to be kept. */
async function resetOptimizer({ engine, store, config }: TrainingRun): Promise<void> {
  const { moments } = config.optimizer;
  if (moments === "kept") return;
  await engine.load(store.path("checkpoints", "warm", "engine"), { moments });
}

/** Checkpoints of a warm start are a tenth of it apart, and never more than some minutes. */
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
