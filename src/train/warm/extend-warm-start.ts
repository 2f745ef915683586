/**
 * Decides whether the warm start goes on for another stage (`warm.auto`). A stage is a warm start of `warm.epochs`
 * epochs with a learning-rate schedule of its own.
 *
 * After each stage, the policy plays tasks at temperature 1, and the loss of demonstrations that were held out is
 * computed. The warm start ends when enough of these rollouts pass, when the loss no longer falls, or at the limit on
 * epochs. The decision depends only on the weights and the seed, so a continued run decides the same.
 */

import { enginePolicy, type ImitationRow } from "../../agent/index.ts";
import { isPassed } from "../../algo/index.ts";
import { asShapedConfig, createRolloutShaper } from "../../methods/index.ts";
import { formatIterationNumber, type Rollout } from "../../spec/index.ts";
import { countEpisodesAtOnce } from "../config/memory-plan.ts";
import { scoreSplit } from "../evaluate/score-split.ts";
import { addRolloutUsage } from "../run/budget/index.ts";
import { findMemory } from "../run/trainer-state.ts";
import type { TrainingRun } from "../run/training-run.ts";
import { toTrainingRow } from "./imitate-rows.ts";

/** The rows that the warm start trains on, and those that only measure it. */
export interface DividedRows {
  readonly trained: readonly ImitationRow[];
  readonly heldOut: readonly ImitationRow[];
}

/** One row in twenty is held out, but at most 64: their mean loss is certain enough to see it fall by a twentieth. */
const HELD_OUT = { every: 20, most: 64 };

/** The number of tasks that are played after each stage. None of 60 means a chance below 5%, with 95% confidence. */
const PLAYED_TASKS = 60;

/** A loss that falls by less than one part in twenty from stage to stage no longer falls. */
const LEAST_FALL = 0.05;

/** Divides the rows. Without `warm.auto`, all of them are trained on. */
export function divideRows({ rows, config }: Pick<TrainingRun, "rows" | "config">): DividedRows {
  if (config.warm.auto === null) return { trained: rows, heldOut: [] };
  const isHeldOut = (i: number) =>
    i % HELD_OUT.every === HELD_OUT.every - 1 && i < HELD_OUT.every * HELD_OUT.most;
  return {
    trained: rows.filter((_, i) => !isHeldOut(i)),
    heldOut: rows.filter((_, i) => isHeldOut(i)),
  };
}

/** Measures the policy after a stage. Returns true if another stage follows. */
export async function measureStage(run: TrainingRun, heldOut: DividedRows["heldOut"]) {
  const { config, state, store, onEvent } = run;
  const { auto, epochs } = config.warm;
  if (auto === null || run.rows.length === 0) return false;
  const stages = (state.warmStages?.finished ?? 0) + 1;
  const loss = await meanLoss(run, heldOut);
  const rollouts = await playTasks(run, stages);
  const solved = rollouts.filter(isPassed).length / Math.max(rollouts.length, 1);
  store.appendMetrics({
    phase: "warm",
    step: state.warmSteps,
    ...(loss !== undefined && { "warm/held_out_loss": loss }),
    "warm/solved": solved,
  });
  const reason = findReasonToEnd({
    isSolved: solved >= auto.share,
    isLast: (stages + 1) * epochs > auto.maxEpochs,
    losses: [state.warmStages?.heldOutLoss, loss],
  });
  const measured = `after ${stages * epochs} epochs of the warm start, ${Math.round(100 * solved)}% of ${rollouts.length} rollouts at temperature 1 pass${loss === undefined ? "" : `, and the loss of held-out demonstrations is ${loss.toFixed(3)} nats per token`}`;
  const next = reason ?? `${epochs} more follow`;
  onEvent({ type: "note", text: `${measured}; ${next}` });
  state.warmStages = { finished: stages, ...(loss !== undefined && { heldOutLoss: loss }) };
  return reason === undefined;
}

function findReasonToEnd({
  isSolved,
  isLast,
  losses: [before, now],
}: {
  readonly isSolved: boolean;
  readonly isLast: boolean;
  readonly losses: readonly [number | undefined, number | undefined];
}): string | undefined {
  if (isSolved) return "this is enough";
  if (isLast) return "this is the limit (warm.auto.maxEpochs)";
  const hasStopped = before !== undefined && now !== undefined && now > before * (1 - LEAST_FALL);
  return hasStopped ? "the loss no longer falls" : undefined;
}

/** Returns the mean over held-out rows of their cross-entropy, in nats per token; undefined without such rows. */
async function meanLoss(
  { engine }: TrainingRun,
  heldOut: readonly ImitationRow[],
): Promise<number | undefined> {
  const rows = heldOut.map(toTrainingRow).filter(({ at }) => at.length > 0);
  if (rows.length === 0) return undefined;
  const outputs = await engine.evaluate(rows);
  const losses = outputs.map(
    ({ logprobs }) => -logprobs.reduce((sum, value) => sum + value, 0) / logprobs.length,
  );
  return losses.reduce((sum, value) => sum + value, 0) / losses.length;
}

/** Plays held-out tasks of dev, or tasks of training if there are no others, and writes the rollouts. */
async function playTasks(run: TrainingRun, stage: number): Promise<readonly Rollout[]> {
  const { config, world, engine, agent, store, state, participants, signal } = run;
  const split = world.tasks("dev", 1).length > 0 ? "dev" : "train";
  const shapes = asShapedConfig(config);
  const name = `warm-${formatIterationNumber(stage)}`;
  const { rollouts } = await scoreSplit({
    world,
    split,
    scenarios: Math.ceil(PLAYED_TASKS / world.tasks(split, 1).length),
    agent,
    policy: enginePolicy(engine),
    temperature: 1,
    maxTurns: config.scaffold.maxTurns,
    episodes: countEpisodesAtOnce(config),
    seed: config.run.seed,
    name,
    shape:
      shapes &&
      createRolloutShaper(shapes, { participants, mode: "evaluation", store: findMemory(state) }),
    signal,
  });
  store.writeRollouts(name, rollouts);
  addRolloutUsage(state.usage, "before", rollouts);
  return rollouts;
}
