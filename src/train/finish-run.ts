/** Ends a run with the evaluations after training, the final checkpoint and the summary. */
import type { Summary } from "../spec/index.ts";
import { evaluateAllScores } from "./evaluate/evaluations-of-run.ts";
import { summarizeUsage, usageByTask } from "./run/budget/index.ts";
import { chooseExamplePair } from "./run/example-rollouts.ts";
import { savePolicy, type TrainingRun } from "./run/training-run.ts";

/**
 * Ends the run. `reason` names the limit that ended it early. In a run without iterations, the scores after training
 * are those before it.
 */
export async function finishRun(run: TrainingRun, reason: string | undefined): Promise<Summary> {
  const { config, state, store, watch, onEvent, spending } = run;
  const after = state.iteration === 0 ? state.before : await evaluateAllScores(run, "after");
  for (const { when, rollout } of chooseExamplePair(store, state.iteration === 0)) {
    onEvent({ type: "example", when, rollout });
  }
  await savePolicy(run, "final");
  const missing = config.algo.iterations - state.iteration;
  const summary: Summary = {
    recipe: config.recipe,
    setting: config.setting,
    method: config.method,
    seed: config.run.seed,
    seconds: watch.seconds(),
    rollouts: state.rollouts,
    before: state.before,
    after,
    reward: state.reward,
    warmStart: { demonstrations: state.demonstrations, hastyShare: config.warm.hastyShare },
    ...(missing > 0 && {
      stoppedEarly: `${reason} after ${state.iteration} of ${config.algo.iterations} iterations`,
    }),
    ...(state.handlerExceptions && { handlerExceptions: state.handlerExceptions }),
    usage: summarizeUsage(state.usage, config.budget, spending),
  };
  store.writeUsage(usageByTask(state.usage, config.budget));
  store.writeSummary(summary);
  store.removeFinishedJournals();
  onEvent({ type: "phase-start", phase: "done", detail: store.directory });
  return summary;
}
