/**
 * A method is a value: its slice of the configuration, what it needs of an engine, and what it does with an iteration.
 *
 *   collect   everything that the iteration's tasks are tried on
 *   grade     what each rollout earned, and its advantage
 *   learn     changes the engine's weights, or leaves them when there is nothing to learn from
 *
 * `train()` calls the three in this order and publishes. Methods of this package and methods of a user's own are the same
 * kind of value. What a method remembers between iterations is plain data in `state`, a part of every checkpoint.
 */
import type { GradedRollout } from "../algo/index.ts";
import type { FieldValue, Rng, Shape } from "../core/index.ts";
import type {
  Capabilities,
  Engine,
  OptimizerStep,
  Renderer,
  Rollout,
  TaskInfo,
  World,
} from "../spec/index.ts";
import type { Extensions } from "./extensions.ts";
import type { TokenRatios } from "./learning/metrics.ts";
import type { LearningRecord } from "./mechanisms/learning-record.ts";
import type { RowPair } from "./pairs.ts";
import type { ReferencePolicy } from "./reference.ts";
import type { Participants } from "./rollouts/participants.ts";
import type { RolloutAgent, RolloutPlan } from "./rollouts/run-assignments.ts";
import type { EVERY_METHOD } from "./sections/algo.ts";
import type { optimizer } from "./sections/optimizer.ts";

/** What sections with these fields hold. */
export type SectionValues<S> = { readonly [K in keyof S]: FieldValue<S[K]> };

/** What every method may read: fields of the setting, and those that all methods share. */
export interface BaseConfig {
  readonly run: { readonly seed: number };
  readonly world: { readonly episodes: number; readonly workers: number };
  readonly scaffold: { readonly maxTurns: number };
  readonly optimizer: FieldValue<typeof optimizer>;
  readonly algo: SectionValues<typeof EVERY_METHOD>;
}

/** Something of an engine that an option of the configuration depends on. */
export interface EngineNeed {
  readonly capability: keyof Capabilities;
  /** The option with its value, as on the command line. */
  readonly option: string;
  /** Of the engine, in words. */
  readonly what: string;
}

/** What an iteration collected. */
export interface Collected {
  readonly rollouts: readonly Rollout[];
  /** Pairs of turns that collecting found by itself. */
  readonly pairs?: readonly RowPair[];
  /** Solutions of the iteration's tasks, where a mechanism learns from them. */
  readonly solutions?: readonly Rollout[];
}

/** What `grade` returns. */
export interface Grading {
  /** Rollouts with their advantages; those of groups of one are left out. */
  readonly graded: readonly GradedRollout[];
  readonly metrics: Readonly<Record<string, number>>;
}

/** What `learn` returns; the weights have moved by then. */
export interface Learned {
  /** Rollouts that were learned from. */
  readonly kept: number;
  readonly metrics: Readonly<Record<string, number>>;
  readonly ratios: readonly TokenRatios[];
  /** What the objective was given, for the counters of mechanisms. */
  readonly record?: LearningRecord;
  /** Why the iteration ended before its last minibatch. */
  readonly stopped?: string;
}

/** Of an iteration that left nothing to learn from: no rollout was kept, no weight has moved. */
export const NOTHING_LEARNED: Learned = { kept: 0, metrics: { "train/updates": 0 }, ratios: [] };

/** The same, with further metrics behind its own. */
export function addMetrics(learned: Learned, more: Learned["metrics"]): Learned {
  return { ...learned, metrics: { ...learned.metrics, ...more } };
}

/** What an iteration has to work with. `C`: its configuration. `S`: what the method remembers. */
export interface Iteration<C extends BaseConfig = BaseConfig, S = object> {
  /** 1-based. */
  readonly number: number;
  readonly config: C;
  readonly engine: Engine;
  readonly world: Pick<World, "open" | "demonstrate">;
  /** Every training task, not only those of this iteration. */
  readonly tasks: readonly TaskInfo[];
  readonly agent: RolloutAgent & { readonly renderer: Renderer };
  /** How rollouts of this iteration run; temperature and cutting short are the method's to add. */
  readonly plan: RolloutPlan;
  /** K for a task, where it varies with how often the task was passed. */
  groupSize(task: TaskInfo, most: number): number;
  /** The optimizer's step of this iteration. */
  readonly step: OptimizerStep;
  /** The order of minibatches, and what else learning draws. */
  readonly rng: Rng;
  /** The policy that the loop started from; where `usesReference` says so. */
  readonly reference: ReferencePolicy | undefined;
  readonly participants: Participants;
  /** A user's own reward terms and filters. */
  readonly extensions: Extensions;
  /** Plain data; a part of the checkpoint. The same object in every iteration. */
  readonly state: S;
  readonly signal: AbortSignal | undefined;
}

/** Method syntax, so that a method of a richer configuration is still a Method. */
export interface Method<C extends BaseConfig = BaseConfig, S = object> {
  readonly name: string;
  /** One line for lists and help. */
  readonly summary: string;
  /** Its slice of the configuration, section by section; `algo` among them. */
  readonly sections: Shape;
  /** What it sets differently from the defaults of its sections. */
  readonly preset: { readonly [section: string]: { readonly [field: string]: unknown } };
  /** How a budget of rollouts is spent: by more iterations, or in one iteration over more tasks. */
  readonly spends: "iterations" | "tasks";
  /** Fields that are each right and contradict one another, as a sentence; undefined: none. */
  conflict(config: C): string | undefined;
  needs(config: C): readonly EngineNeed[];
  /** Whether it compares with the policy that the loop started from. */
  usesReference(config: C): boolean;
  /** Whether it looks at the solutions of tasks. */
  usesSolutions(config: C): boolean;
  collect(tasks: readonly TaskInfo[], iteration: Iteration<C, S>): Promise<Collected>;
  grade(collected: Collected, iteration: Iteration<C, S>): Promise<Grading>;
  learn(collected: Collected & Grading, iteration: Iteration<C, S>): Promise<Learned>;
}
