/**
 * Runs one iteration of a run under a change, from given weights and a given state, and returns its gradient. The run
 * itself stays as it was: the weights come from a checkpoint, and the state is a copy.
 */
import { join } from "node:path";
import type { GradedRollout } from "../../../src/algo/index.ts";
import { Rng, randomStreamId } from "../../../src/core/index.ts";
import type {
  Collected,
  Iteration,
  Learned,
  Method,
  ReferencePolicy,
} from "../../../src/methods/index.ts";
import { type Engine, NO_CLIP } from "../../../src/spec/index.ts";
import type { Config } from "../../../src/train/config/config.ts";
import {
  applyStage,
  type ConfigAndMethod,
  configAndMethodAt,
} from "../../../src/train/config/stages.ts";
import { createCollector } from "../../../src/train/iterate/collect-iterations.ts";
import type { TrainerState } from "../../../src/train/run/trainer-state.ts";
import type { TrainingRun } from "../../../src/train/run/training-run.ts";
import type { Change, ChangeContext, Fields } from "./change.ts";
import { readGradient } from "./gradient.ts";

/** Where an iteration starts. */
export interface Start {
  readonly run: TrainingRun;
  readonly number: number;
  /** The folder of the engine's checkpoint at the start of the iteration. */
  readonly weights: string;
  /** An engine with the random weights from before the warm start. */
  readonly untrained: Engine;
  readonly reference: ReferencePolicy | undefined;
  readonly earlier: readonly GradedRollout[];
}

/** An iteration that ended. */
export interface Attempt {
  readonly stage: ConfigAndMethod;
  readonly state: TrainerState;
  readonly collected: Collected;
  readonly graded: readonly GradedRollout[];
  readonly learned: Learned;
  readonly metrics: Readonly<Record<string, number>>;
  readonly gradient: Float32Array;
}

export interface AttemptOptions {
  readonly change: Change;
  /** The rollouts to learn from. They are collected when this is absent. */
  readonly given?: Collected;
  /** The rollouts of the iteration with the mechanism on, for changes that look at them. */
  readonly on?: Collected;
  /** True when only the rollouts are wanted. */
  readonly collectsOnly?: boolean;
}

/** Runs the iteration and leaves the engine with the weights after it. */
export async function attemptIteration(start: Start, options: AttemptOptions): Promise<Attempt> {
  const { run, number, weights, reference } = start;
  const { change } = options;
  await run.engine.load(weights, { moments: "fresh" });
  await run.engine.publish();
  const stage = changeStage(start, change, options.on);
  const { config } = configAndMethodAt(run, change.stage?.(number) ?? number);
  const context = makeContext(start, config, options.on);
  const changed = changeRun(start, stage, context, options);
  const kept = change.livesAsReference ? liveReference(run.engine) : reference;
  const taken = await createCollector(changed, kept).take(number);
  const collected = change.collected?.(taken.collected, context) ?? taken.collected;
  // A clipped gradient would hide a change of its length.
  const step = { ...taken.iteration.step, maxGradientNorm: NO_CLIP };
  const iteration = { ...taken.iteration, engine: changed.engine, step };
  const { state } = changed;
  const none = { graded: [], learned: NOTHING, metrics: {}, gradient: new Float32Array() };
  if (options.collectsOnly) return { stage, state, collected, ...none };
  const ended = await learnFromRollouts(stage.method, collected, iteration, change, context);
  const folder = join(weights, "..", "after");
  await run.engine.save(folder);
  return { stage, state, collected, ...ended, gradient: readGradient(folder) };
}

const NOTHING: Learned = { kept: 0, metrics: {}, ratios: [] };

async function learnFromRollouts(
  method: Method,
  collected: Collected,
  iteration: Iteration,
  change: Change,
  context: ChangeContext,
) {
  const grading = await method.grade(collected, iteration);
  const graded = change.graded?.(grading.graded, context) ?? grading.graded;
  const learned = await method.learn({ ...collected, ...grading, graded }, iteration);
  return { graded, learned, metrics: { ...grading.metrics, ...learned.metrics } };
}

function makeContext(
  { run, number, earlier }: Start,
  config: Config,
  rollouts: Collected = { rollouts: [] },
): ChangeContext {
  const rng = new Rng(randomStreamId(run.config.run.seed, "counterfactual", number));
  return { config, number, rng, earlier, rollouts };
}

/** Returns the method and the configuration of the iteration under the change, without stages and schedules. */
function changeStage(start: Start, change: Change, on: Collected | undefined): ConfigAndMethod {
  const { run, number } = start;
  const stage = configAndMethodAt(run, change.stage?.(number) ?? number);
  const patch = change.fields?.(makeContext(start, stage.config, on));
  const { method, config } = patch ? applyStage(stage, keepKnown(patch, stage)) : stage;
  const { schedule: _, ...rest } = config as Config & { readonly schedule?: unknown };
  return { method, config: rest as Config };
}

/** Leaves out fields of sections that the method does not have. */
function keepKnown(patch: Fields, { config }: ConfigAndMethod) {
  const known = Object.entries(patch).filter(([path]) => path.split(".")[0]! in config);
  return { patch: Object.fromEntries(known), method: undefined } as never;
}

function changeRun(
  { run, untrained }: Start,
  { method, config }: ConfigAndMethod,
  context: ChangeContext,
  { change, given }: AttemptOptions,
): TrainingRun {
  const state = structuredClone(run.state);
  change.state?.(state, context);
  const engine = change.isUntrained ? untrained : run.engine;
  const { renderer } = run.agent;
  const reward = change.reward?.(context);
  const extensions = reward
    ? { ...run.extensions, rewards: { ...run.extensions.rewards, dead: reward } }
    : run.extensions;
  return {
    ...run,
    config,
    method: given ? { ...method, collect: async () => given } : method,
    state,
    extensions,
    store: { ...run.store, journal: () => NO_JOURNAL },
    engine: change.engine?.(engine, context, renderer) ?? engine,
    agent: change.renderer
      ? { ...run.agent, renderer: change.renderer(renderer, context) }
      : run.agent,
    participants: change.participants?.(run.participants) ?? run.participants,
    tasks: change.tasks?.(run.tasks, context) ?? run.tasks,
  };
}

const NO_JOURNAL = { find: () => undefined, add: () => {} };

function liveReference(engine: Engine): ReferencePolicy {
  return {
    evaluate: (rows, temperature) => engine.evaluate(rows, { temperature }),
    close: async () => {},
  };
}
