/**
 * What every way to learn from an iteration has in common: what it is given, what it reports, and its optimizer step.
 */
import type { Graded } from "../algo/index.ts";
import { BowlineError, type Rng } from "../core/index.ts";
import type { Engine, OptimizerStep, Renderer, Rollout } from "../spec/index.ts";
import type { Config } from "./config.ts";
import type { Pair } from "./pairs.ts";
import type { Reference } from "./reference.ts";
import type { TrainerState } from "./trainer-state.ts";

/** What an iteration collected. */
export interface Experience {
  readonly rollouts: readonly Rollout[];
  /** Rollouts with their advantages; those of groups of one are left out. */
  readonly graded: readonly Graded[];
  /** Pairs of turns that collecting found by itself. */
  readonly pairs?: readonly Pair[];
  /** Solutions of the iteration's tasks, where a mechanism learns from them. */
  readonly solutions?: readonly Rollout[];
}

export interface LearnContext {
  readonly engine: Engine;
  readonly config: Config;
  /** 1-based. */
  readonly iteration: number;
  readonly rng: Rng;
  readonly step: OptimizerStep;
  /** Where a KL term holds the policy to one. */
  readonly reference?: Reference | undefined;
  /** Tells what tokens say; needed by `filter.protectFormat`. */
  readonly renderer?: Renderer | undefined;
  /** What learners remember between iterations is a part of the checkpoint. */
  readonly state: TrainerState;
}

/** What a rollout's tokens looked like when it was last learned from. */
export interface TokenRatios {
  readonly id: string;
  readonly advantage: number;
  /** Positions of the action tokens in the row. */
  readonly at: readonly number[];
  /** exp(current - old log-prob) at each. */
  readonly ratios: readonly number[];
}

export interface LearnResult {
  /** Rollouts that were learned from. */
  readonly kept: number;
  readonly metrics: Record<string, number>;
  readonly ratios: readonly TokenRatios[];
  /** Why the iteration ended before its last minibatch. */
  readonly stopped?: string;
}

/** Changes the engine's weights, or leaves them when there is nothing to learn from. Does not publish. */
export type Learner = (experience: Experience, context: LearnContext) => Promise<LearnResult>;

export const NOTHING_LEARNED: LearnResult = {
  kept: 0,
  metrics: { "train/updates": 0 },
  ratios: [],
};

/** The optimizer of a 1-based iteration: its rate is a function of the iteration alone. */
export function stepOf(iteration: number, { optimizer, algo }: Config): OptimizerStep {
  const { finalRate, learningRate, ...rest } = optimizer;
  const progress = (iteration - 1) / Math.max(algo.iterations - 1, 1);
  return { ...rest, learningRate: learningRate * (1 + progress * (finalRate - 1)) };
}

/** Rollouts of a full minibatch. */
export function minibatchSize({ algo }: Config): number {
  return algo.minibatch || algo.groupSize * algo.tasksPerIteration;
}

/** Throws a `tripwire` error when the norm of an update's gradient is not finite, unless the engine cannot tell it. */
export function requireNorm(norm: number, { info }: Pick<Engine, "info">): void {
  if (info.capabilities.gradientNorm !== false) requireFinite(norm, "gradient norm");
}

/** Throws a `tripwire` error when a number of an update is not finite. */
export function requireFinite(value: number, what: string): void {
  if (!Number.isFinite(value)) throw new BowlineError("tripwire", `the ${what} is ${value}`);
}
