/** The warm start as a phase of a run: imitation of its demonstrations, with checkpoints on the way. */

import { countPhase } from "../run/budget/index.ts";
import { keepPolicy, save, type TrainingRun } from "../run/training-run.ts";
import { type WarmStep, warmStart, warmSteps } from "./warm-start.ts";

export async function warmUp(run: TrainingRun): Promise<void> {
  const { engine, rows, config, state, progress } = run;
  if (state.warmDone) return;
  progress.start("warm", `${rows.length} demonstrations`, warmSteps(rows.length, config));
  // A continued run is at its newest checkpoint already, and repeats the calls that came after it: no other among them.
  if (!run.resumed) await save(run);
  await warmStart(engine, rows, config, {
    done: state.warmSteps,
    onStep: (step) => endWarmStep(run, step),
  });
  await engine.publish();
  state.warmDone = true;
  await keepPolicy(run, "warm");
  if (state.warmSteps > 0) await beginOptimizer(run);
  await save(run);
}

/** What is learned from here on is another objective: its optimizer begins anew, unless the moments are to be kept. */
async function beginOptimizer({ engine, store, config }: TrainingRun): Promise<void> {
  const { moments } = config.optimizer;
  if (moments === "kept") return;
  await engine.load(store.path("checkpoints", "warm", "engine"), { moments });
}

/** Checkpoints of a warm start are a tenth of it apart, and never more than some minutes. */
const stepsBetween = (steps: number) => Math.min(Math.ceil(steps / 10), 100);

async function endWarmStep(
  run: TrainingRun,
  { step, steps, metrics, tokens }: WarmStep,
): Promise<void> {
  const { progress, state, signal } = run;
  state.warmSteps = step;
  countPhase(state.usage, "warm", { trained: tokens });
  progress.step("warm", step, steps, metrics, { tokens });
  if (step % stepsBetween(steps) === 0 && step < steps) await save(run);
  signal?.throwIfAborted();
}
