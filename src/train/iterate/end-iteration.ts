/**
 * Ends an iteration: records metrics, rollouts and task statistics, evaluates on dev if an evaluation is due, and saves
 * a checkpoint.
 */

import { countRowTokens } from "../../agent/index.ts";
import { isScored } from "../../algo/index.ts";
import { BowlineError, startStopwatch } from "../../core/index.ts";
import { asShapedConfig, findUnjudgedRollouts, rewardOptions } from "../../methods/index.ts";
import { formatIterationNumber, type Rollout } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import type { ConfigAndMethod } from "../config/stages.ts";
import { passGates } from "../diagnosis/index.ts";
import { evaluateIfDue } from "../evaluate/evaluations-of-run.ts";
import { addPhaseUsage, addTrainingUsage } from "../run/budget/index.ts";
import { computeLagMetric, computeRolloutMetrics } from "../run/metrics.ts";
import { findOtherReturns, makeRolloutNotes } from "../run/rollout-notes.ts";
import { saveRun, type TrainingRun } from "../run/training-run.ts";
import { type CollectionTimings, findSlowestStage } from "./collection-watch.ts";
import type { LearnedIteration } from "./mechanism-firings.ts";
import type { StartKlMeter } from "./start-kl.ts";
import { rememberTasks } from "./task-history.ts";

/** An iteration that was learned from, with everything that is recorded about it. */
export interface FinishedIteration extends LearnedIteration {
  /** The number of the iteration, counted from 1. */
  readonly iteration: number;
  /** The number of times that each mechanism which is switched on acted. */
  readonly counters: Readonly<Record<string, number>> | undefined;
  /** The version of the policy that learned; undefined if iterations are not collected ahead. */
  readonly learnerVersion: number | undefined;
  /** The seconds that the whole iteration took, including the collection of its rollouts. */
  readonly seconds: number;
  readonly collectSeconds: number;
  readonly timings: CollectionTimings;
  readonly measureStartKl: StartKlMeter;
}

export async function endIteration(run: TrainingRun, ended: FinishedIteration): Promise<void> {
  const { iteration, stage, collected, grading, learned, seconds, collectSeconds } = ended;
  const { rollouts } = collected;
  const { config, state, store, progress, exceptions, onEvent, signal, takeLearned } = run;
  const metrics: Record<string, number> = {
    ...computeRolloutMetrics(
      rollouts,
      { graded: grading.graded, kept: learned.kept },
      stage.config,
    ),
    ...grading.metrics,
    ...ended.counters,
    ...(ended.learnerVersion !== undefined && computeLagMetric(rollouts, ended.learnerVersion)),
    ...learned.metrics,
  };
  requireUsedExtensions(run, stage, metrics);
  rememberTasks(state.tasks, grading.graded, rollouts, stage.config, run.extensions.sampler);
  if (learned.stopped !== undefined) {
    onEvent({ type: "note", text: `iteration ${iteration} ended early: ${learned.stopped}` });
  }
  for (const text of describeMissingMarks(rollouts, stage.config)) {
    onEvent({ type: "note", text: `iteration ${iteration}: ${text}` });
  }
  const slowness = describeSlowness(ended);
  if (slowness) onEvent({ type: "note", text: `iteration ${iteration}: ${slowness}` });
  store.writeRollouts(`train-${formatIterationNumber(iteration)}`, rollouts);
  store.writeRollouts(
    `notes-${formatIterationNumber(iteration)}`,
    makeRolloutNotes(learned.ratios, grading.graded, {
      returns: findOtherReturns(grading.graded, rewardOptions(config)),
    }),
  );
  state.iteration = iteration;
  state.rollouts += rollouts.length;
  exceptions.addAll(rollouts);
  addTrainingUsage(state.usage, rollouts);
  addPhaseUsage(state.usage, "learn", takeLearned());
  const startKlSeconds = await addStartKl(run, ended, metrics);
  if (iteration === 1) state.reward.first = metrics["reward/mean"] ?? 0;
  state.reward.last = metrics["reward/mean"] ?? 0;
  progress.recordStep("loop", iteration, config.algo.iterations, metrics, {
    rollouts: rollouts.length,
    tokens: rollouts.reduce((sum, { tokens }) => sum + (tokens ? countRowTokens(tokens) : 0), 0),
    seconds: {
      ...{ collectSeconds, learnSeconds: seconds - collectSeconds, startKlSeconds },
      ...ended.timings,
    },
  });
  await evaluateIfDue(run, iteration);
  await saveRun(run);
  passGates(run, metrics);
  signal?.throwIfAborted();
}

/** Adds the distance from the start to the metrics, if it can be measured. Returns how many seconds that took. */
async function addStartKl(
  { state, takeLearned }: TrainingRun,
  { iteration, collected, measureStartKl }: FinishedIteration,
  metrics: Record<string, number>,
): Promise<number> {
  const watch = startStopwatch();
  const distance = await measureStartKl(iteration, collected.rollouts);
  if (distance !== undefined) metrics["kl/start"] = distance;
  // These tokens were read and not learned from.
  addPhaseUsage(state.usage, "evaluate", takeLearned());
  return watch.seconds();
}

/** A collection that takes less time than this is not worth a note. */
const MIN_NOTED_SECONDS = 60;

/** Says that rollouts waited for this process, if they did; undefined if the model or the world is slower. */
function describeSlowness({ timings, collectSeconds }: FinishedIteration): string | undefined {
  if (collectSeconds < MIN_NOTED_SECONDS) return undefined;
  if (findSlowestStage(timings) !== "controller") return undefined;
  const busy = Math.round(100 * timings["controller/main_thread"]);
  return `the controller holds the run back: its main thread is ${busy}% busy and late by ${timings["controller/lag_ms"]} ms; lower world.episodes, or use a faster core`;
}

/** Returns notes on turns and rollouts that received no mark from a judge. */
function describeMissingMarks(rollouts: readonly Rollout[], config: Config): string[] {
  const unjudged = findUnjudgedRollouts(rollouts);
  const last = unjudged.at(-1)?.failure?.message;
  if (last !== undefined) {
    return [
      `${unjudged.length} of ${rollouts.length} rollouts are left out, because they have no mark from the judge; ${last}`,
    ];
  }
  if (asShapedConfig(config)?.participants.judge !== "policy") return [];
  const turns = rollouts
    .filter(isScored)
    .flatMap((rollout) => rollout.turns.filter(({ part }) => part === undefined));
  const unmarked = turns.filter(({ grades }) => grades?.judge === undefined).length;
  if (unmarked === 0) return [];
  return [
    `the policy, as judge, did not give a number from 0 to 1 for ${unmarked} of ${turns.length} turns, so these turns have no mark`,
  ];
}

/** Throws when the method ignores a user's reward term or filter. It does so when it reports no metric for it. */
function requireUsedExtensions(
  { extensions }: TrainingRun,
  { method }: ConfigAndMethod,
  metrics: Record<string, number>,
): void {
  const { rewards, filters } = extensions;
  const expected = [
    ...Object.keys(rewards).map((name) => ["reward term", name, `reward/term/${name}`]),
    ...Object.keys(filters).map((name) => ["filter", name, `filter/${name}`]),
  ] as const;
  const ignored = expected.find(([, , metric]) => metrics[metric!] === undefined);
  if (ignored === undefined) return;
  const [kind, name, metric] = ignored;
  throw new BowlineError(
    "config",
    `the method ${method.name} does not use the ${kind} ${name} (it reports no metric ${metric}): leave it out, or choose another method`,
  );
}
