/**
 * A method as a value: its sections of the configuration, what it needs from an engine, and what it does in an
 * iteration.
 *
 *   collect   runs rollouts of the iteration's tasks
 *   grade     gives each rollout its return and its advantage
 *   learn     changes the engine's weights, or leaves them when there is nothing to learn from
 *
 * `train()` calls the three functions in this order and publishes the weights. The methods of this package and a user's
 * own are the same kind of value. `state` holds what a method must remember between iterations. It is plain data that
 * every checkpoint contains.
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

/** The values of one section, given its declared fields `S`. */
export type SectionValues<S> = { readonly [K in keyof S]: FieldValue<S[K]> };

/** The configuration that every method may read: fields of the setting, and fields that all methods have. */
export interface BaseConfig {
  readonly run: { readonly seed: number };
  readonly world: { readonly episodes: number; readonly workers: number };
  readonly scaffold: { readonly maxTurns: number };
  readonly optimizer: FieldValue<typeof optimizer>;
  readonly algo: SectionValues<typeof EVERY_METHOD>;
}

/** A capability of the engine that an option of the configuration depends on. */
export interface EngineNeed {
  readonly capability: keyof Capabilities;
  /** The option with its value, as written on the command line. */
  readonly option: string;
  /** What the engine must be able to do. The text completes "the engine needs ...". */
  readonly what: string;
}

/** What a method's `collect` returns. */
export interface Collected {
  readonly rollouts: readonly Rollout[];
  /** Pairs of turns, if they are found while rollouts are collected (tree search); absent otherwise. */
  readonly pairs?: readonly RowPair[];
  /** Solutions of the iteration's tasks, if the method learns from them; absent otherwise. */
  readonly solutions?: readonly Rollout[];
}

/** What a method's `grade` returns. */
export interface Grading {
  /** Rollouts with their advantages. Rollouts of groups with only one rollout are left out. */
  readonly graded: readonly GradedRollout[];
  readonly metrics: Readonly<Record<string, number>>;
}

/** What a method's `learn` returns. The weights have changed by then. */
export interface Learned {
  /** Number of rollouts that were learned from. */
  readonly kept: number;
  readonly metrics: Readonly<Record<string, number>>;
  /** The probability ratios of the rollouts' tokens. The report and the studio show them. */
  readonly ratios: readonly TokenRatios[];
  /** The data that learning used, for the counters in `mechanisms/`. */
  readonly record?: LearningRecord;
  /** The reason why the iteration ended before its last minibatch; absent when it did not. */
  readonly stopped?: string;
}

/** The result of `learn` when there is nothing to learn from: no rollout was kept and no weight has changed. */
export const NOTHING_LEARNED: Learned = { kept: 0, metrics: { "train/updates": 0 }, ratios: [] };

/** Returns the result of `learn` with further metrics added to it. */
export function addMetrics(learned: Learned, more: Learned["metrics"]): Learned {
  return { ...learned, metrics: { ...learned.metrics, ...more } };
}

/** What a method receives in an iteration. `C` is the type of its configuration, `S` is the type of its state. */
export interface Iteration<C extends BaseConfig = BaseConfig, S = object> {
  /** Number of the iteration, counted from 1. */
  readonly number: number;
  readonly config: C;
  readonly engine: Engine;
  readonly world: Pick<World, "open" | "demonstrate">;
  /** All training tasks, not only those of this iteration. */
  readonly tasks: readonly TaskInfo[];
  readonly agent: RolloutAgent & { readonly renderer: Renderer };
  /**
   * How rollouts of this iteration run. The method replaces the temperature, which is 1 here, and adds the straggler
   * rule.
   */
  readonly plan: RolloutPlan;
  /** Returns the group size K of a task, at most `most`. It may depend on how often earlier rollouts solved it. */
  groupSize(task: TaskInfo, most: number): number;
  /** The optimizer's parameters, with the learning rate of this iteration. */
  readonly step: OptimizerStep;
  /** Random stream for the order of minibatches and for other draws while learning. */
  readonly rng: Rng;
  /** The policy that training started from; undefined unless `usesReference` returns true. */
  readonly reference: ReferencePolicy | undefined;
  /** The user and the judge that take part in rollouts in addition to the agent. */
  readonly participants: Participants;
  /** Reward terms and filters that the user added. */
  readonly extensions: Extensions;
  /** What the method remembers, as plain data that every checkpoint contains. All iterations share the same object. */
  readonly state: S;
  readonly signal: AbortSignal | undefined;
}

/**
 * A method: a name, sections of the configuration and the functions of an iteration. Its functions are declared in
 * TypeScript's method syntax, whose parameters are bivariant. So a method with a richer configuration is still a
 * `Method`.
 */
export interface Method<C extends BaseConfig = BaseConfig, S = object> {
  readonly name: string;
  /** A description of one line for lists and help. */
  readonly summary: string;
  /** The method's sections of the configuration, `algo` among them. */
  readonly sections: Shape;
  /** Values that the method sets differently from the defaults of its sections. */
  readonly preset: { readonly [section: string]: { readonly [field: string]: unknown } };
  /** How a run spends a larger budget of rollouts: on more iterations, or on more tasks in each iteration. */
  readonly spends: "iterations" | "tasks";
  /** Returns a sentence about fields that contradict each other; undefined when no fields do. */
  conflict(config: C): string | undefined;
  /** Returns what the method needs from the engine with this configuration. */
  needs(config: C): readonly EngineNeed[];
  /** Returns true if the method compares the policy with the one that training started from. */
  usesReference(config: C): boolean;
  /** Returns whether the method uses the solutions of tasks. */
  usesSolutions(config: C): boolean;
  /** Runs the rollouts of the iteration's tasks. */
  collect(tasks: readonly TaskInfo[], iteration: Iteration<C, S>): Promise<Collected>;
  /** Gives each rollout its return and its advantage. */
  grade(collected: Collected, iteration: Iteration<C, S>): Promise<Grading>;
  /** Changes the engine's weights so that the policy learns from the rollouts. */
  learn(collected: Collected & Grading, iteration: Iteration<C, S>): Promise<Learned>;
}
