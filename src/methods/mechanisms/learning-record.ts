/** The data that learning used in an iteration, for the counters of mechanisms. */
import type { ObjectiveOptions, ObjectiveRow } from "../../algo/index.ts";

/**
 * Counts how many items (rollouts, turns, groups, tokens and so on) a mechanism is meant for, and on how many of them
 * it acted.
 */
export interface FiringCount {
  readonly meant: number;
  readonly fired: number;
}

/** The data that learning used in an iteration. Each method fills in the fields that it has. */
export interface LearningRecord {
  /** The minibatches that the policy objective received. */
  readonly minibatches?: readonly (readonly ObjectiveRow[])[];
  /** Options of the policy objective. */
  readonly options?: ObjectiveOptions;
  /**
   * The imitated rollouts with their weights, and whether the world's answers were learned instead of the agent's
   * words.
   */
  readonly imitated?: readonly {
    readonly id: string;
    readonly weight: number;
    readonly observations: boolean;
  }[];
  /**
   * For each minibatch of imitation with a surprise band: the number of its turns, and the number of turns that were
   * kept.
   */
  readonly bands?: readonly FiringCount[];
  /**
   * For each pair: the number of turns of the longer rollout, how many were compared, and whether the loss was squared.
   */
  readonly pairs?: readonly {
    readonly turns: number;
    readonly compared: number;
    readonly squared: boolean;
  }[];
}
