/**
 * Prepares an iteration and collects its rollouts: after the previous iteration, as in the paper, or ahead of the
 * learner (`collect-ahead.ts`).
 */

import { enginePolicy } from "../../agent/index.ts";
import { Rng, randomStreamId } from "../../core/index.ts";
import type { Collected, Iteration, ReferencePolicy, RolloutPlan } from "../../methods/index.ts";
import { formatIterationNumber } from "../../spec/index.ts";
import { type Config, readStaleness } from "../config/config.ts";
import { countEpisodesAtOnce } from "../config/memory-plan.ts";
import { type ConfigAndMethod, configAndMethodAt } from "../config/stages.ts";
import type { TrainingRun } from "../run/training-run.ts";
import {
  createCollectorAhead,
  type IterationCollector,
  type PinnedVersion,
} from "./collect-ahead.ts";
import { type CollectionTimings, CollectionWatch } from "./collection-watch.ts";
import { optimizerStep } from "./optimizer-step.ts";
import { chooseGroupSize } from "./task-rules.ts";
import { sampleTasks } from "./task-sampling.ts";

/** An iteration with its collected rollouts. */
export interface CollectedIteration {
  readonly stage: ConfigAndMethod;
  readonly iteration: Iteration;
  readonly collected: Collected;
  readonly timings: CollectionTimings;
}

/** Creates the collector of a run's iterations. It runs ahead of the learner if `algo.staleness` is above 0. */
export function createCollector(
  run: TrainingRun,
  reference?: ReferencePolicy,
): IterationCollector<CollectedIteration> {
  const collect = (number: number, pinned?: PinnedVersion) =>
    collectIteration(run, number, reference, pinned);
  if (readStaleness(run.config) > 0) return createCollectorAhead(run, collect);
  return { take: collect, onPublished() {}, learnerVersion: undefined, stop: async () => {} };
}

/** Draws the tasks of an iteration, counted from 1, and collects their rollouts. */
async function collectIteration(
  run: TrainingRun,
  number: number,
  reference: ReferencePolicy | undefined,
  pinned: PinnedVersion | undefined,
): Promise<CollectedIteration> {
  const { engine, world, agent, tasks, participants, extensions, state, signal } = run;
  // Without a schedule, the run's own configuration and method apply to all iterations.
  const stage = "schedule" in run.config ? configAndMethodAt(run, number) : run;
  const { config, method } = stage;
  const { table: taskHistory } = state.tasks;
  const watch = new CollectionWatch();
  const iteration: Iteration = {
    number,
    config,
    engine,
    world,
    tasks,
    agent,
    plan: watch.watchPlan({ ...createRolloutPlan(run, number, config), ...pinned }),
    groupSize: ({ id }, most) =>
      "tasks" in config ? chooseGroupSize(id, most, taskHistory, config) : most,
    step: optimizerStep(number, config),
    rng: new Rng(randomStreamId(config.run.seed, "minibatches", number)),
    reference,
    participants,
    extensions,
    state: state.method,
    signal,
  };
  const drawn = sampleTasks(tasks, number, state.tasks, config, extensions.sampler);
  const collected = await method.collect(drawn, iteration);
  return { stage, iteration, collected, timings: watch.read(iteration.plan.episodes) };
}

function createRolloutPlan(run: TrainingRun, number: number, config: Config): RolloutPlan {
  return {
    world: run.world,
    agent: run.agent,
    policy: enginePolicy(run.engine),
    temperature: 1,
    maxTurns: config.scaffold.maxTurns,
    episodes: countEpisodesAtOnce(config),
    journal: run.store.journal(`train-${formatIterationNumber(number)}`),
    onTurn(task, turn) {
      // A fault is a bug of the world: the handler of an API threw an error.
      const isFaulty = turn.calls.some(({ fault }) => fault !== undefined);
      if (isFaulty) run.exceptions.warnOfFirst({ task, turns: [turn] });
    },
    signal: run.signal,
  };
}
