/**
 * What a counterfactual changes about one iteration of a run: its fields, its state, its rollouts, its grades, or what
 * its engine answers. Everything that a change does not name stays as it is, random streams included.
 */
import type { GradedRollout } from "../../../src/algo/index.ts";
import type { Rng } from "../../../src/core/index.ts";
import type { Collected, Participants, RewardFunction } from "../../../src/methods/index.ts";
import type { Engine, Renderer, TaskInfo } from "../../../src/spec/index.ts";
import type { TrainerState } from "../../../src/train/run/trainer-state.ts";

/** The fields of a configuration, read as plain data. */
export type Fields = Readonly<Record<string, unknown>>;

/** What a change may look at. */
export interface ChangeContext {
  /** The configuration of the iteration with the mechanism on. */
  readonly config: object;
  readonly number: number;
  /** A random stream of the change alone. It is the same in each run of the check. */
  readonly rng: Rng;
  /** Graded rollouts of the iterations before, with the mechanism on. */
  readonly earlier: readonly GradedRollout[];
  /** The rollouts of this iteration with the mechanism on. */
  readonly rollouts: Collected;
}

/** A change of one iteration. */
export interface Change {
  /** Fields that are set, by path. */
  readonly fields?: (context: ChangeContext) => Fields;
  /** Returns the number of the iteration whose stage and schedules apply instead, counted from 1. */
  readonly stage?: (number: number) => number;
  /** Changes a copy of the state before the iteration. */
  readonly state?: (state: TrainerState, context: ChangeContext) => void;
  readonly collected?: (collected: Collected, context: ChangeContext) => Collected;
  /** Returns a reward term that is added to the configured ones. */
  readonly reward?: (context: ChangeContext) => RewardFunction;
  /** Leaves out some graded rollouts before learning. */
  readonly graded?: (
    graded: readonly GradedRollout[],
    context: ChangeContext,
  ) => readonly GradedRollout[];
  readonly engine?: (engine: Engine, context: ChangeContext, renderer: Renderer) => Engine;
  readonly renderer?: (renderer: Renderer, context: ChangeContext) => Renderer;
  readonly participants?: (participants: Participants) => Participants;
  readonly tasks?: (tasks: readonly TaskInfo[], context: ChangeContext) => readonly TaskInfo[];
  /** The reference policy of a KL term is the policy at the start of the iteration. */
  readonly livesAsReference?: boolean;
  /** The policy has the random weights from before its warm start. */
  readonly isUntrained?: boolean;
}

/** How a mechanism is switched off, and how it stays on but says nothing. */
export interface Counterfactual {
  /**
   * What is compared. `gradients`: the gradients from the same rollouts. `rollouts`: what the agent writes under the
   * same random streams. `tasks`: which tasks are drawn and how many rollouts each gets.
   */
  readonly compares: "gradients" | "rollouts" | "tasks";
  readonly off: Change;
  readonly dead: Change;
  /** Completes the sentence "On but dead means ...". */
  readonly deadness: string;
}
