/**
 * Prepares an iteration and collects its rollouts: after the iteration before was learned from, as in the paper, or
 * ahead of the learner (`collect-ahead.ts`).
 */
import { enginePolicy } from "../../agent/index.ts";
import { Rng, randomStreamId } from "../../core/index.ts";
import type { Collected, Iteration, ReferencePolicy, RolloutPlan } from "../../methods/index.ts";
import { formatIterationNumber, type OptimizerStep } from "../../spec/index.ts";
import { type Config, readStaleness } from "../config/config.ts";
import { type ConfigAndMethod, configAndMethodAt } from "../config/stages.ts";
import type { TrainingRun } from "../run/training-run.ts";
import { type Collecting, createCollectingAhead, type VersionBinding } from "./collect-ahead.ts";
import { chooseGroupSize } from "./task-rules.ts";
import { sampleTasks } from "./task-sampling.ts";

/** An iteration with its collected rollouts. */
export interface CollectedIteration {
  readonly stage: ConfigAndMethod;
  readonly context: Iteration;
  readonly collected: Collected;
}

/** Returns the collecting of a run's iterations, which runs ahead if `algo.staleness` is above 0. */
export function createCollecting(
  run: TrainingRun,
  reference?: ReferencePolicy,
): Collecting<CollectedIteration> {
  const collect = (number: number, bound?: VersionBinding) =>
    collectIteration(run, number, reference, bound);
  if (readStaleness(run.config) > 0) return createCollectingAhead(run, collect);
  return { take: collect, published() {}, learnedBy: undefined, stop: async () => {} };
}

/** Draws the tasks of an iteration, counted from 1, and collects their rollouts. */
async function collectIteration(
  run: TrainingRun,
  number: number,
  reference: ReferencePolicy | undefined,
  bound: VersionBinding | undefined,
): Promise<CollectedIteration> {
  const { engine, world, agent, tasks, participants, extensions, state, signal } = run;
  const stage = "schedule" in run.config ? configAndMethodAt(run, number) : run;
  const { config, method } = stage;
  const { table } = state.tasks;
  const context: Iteration = {
    number,
    config,
    engine,
    world,
    tasks,
    agent,
    plan: { ...createRolloutPlan(run, number, config), ...bound },
    groupSize: ({ id }, most) =>
      "tasks" in config ? chooseGroupSize(id, most, table, config) : most,
    step: optimizerStep(number, config),
    rng: new Rng(randomStreamId(config.run.seed, "minibatches", number)),
    reference,
    participants,
    extensions,
    state: state.method,
    signal,
  };
  const drawn = sampleTasks(tasks, number, state.tasks, config, extensions.sampler);
  return { stage, context, collected: await method.collect(drawn, context) };
}

function createRolloutPlan(
  run: TrainingRun,
  number: number,
  { world, scaffold }: Config,
): RolloutPlan {
  return {
    world: run.world,
    agent: run.agent,
    policy: enginePolicy(run.engine),
    temperature: 1,
    maxTurns: scaffold.maxTurns,
    episodes: world.episodes,
    journal: run.store.journal(`train-${formatIterationNumber(number)}`),
    onTurn(task, turn) {
      const isFaulty = turn.calls.some(({ fault }) => fault !== undefined);
      if (isFaulty) run.exceptions.warnOfFirst({ task, turns: [turn] });
    },
    signal: run.signal,
  };
}

/** Returns the step of an iteration, counted from 1. The learning rate changes linearly to its final share. */
export function optimizerStep(iteration: number, { optimizer, algo }: Config): OptimizerStep {
  const { finalRate, learningRate, weightDecay, maxGradientNorm } = optimizer;
  const [beta1, beta2] = optimizer.betas;
  const progress = (iteration - 1) / Math.max(algo.iterations - 1, 1);
  const rate = learningRate * (1 + progress * (finalRate - 1));
  return { learningRate: rate, beta1, beta2, epsilon: EPSILON, weightDecay, maxGradientNorm };
}

/** The constant that is added to AdamW's denominator; 1e-8 is the usual one. */
const EPSILON = 1e-8;
