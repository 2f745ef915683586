/** What learning worked on in an iteration, for the counters of mechanisms. */
import type { ObjectiveOptions, ObjectiveRow } from "../../algo/index.ts";

/** How many items a mechanism is meant for (rollouts, turns, groups, tokens ...), and on how many it acted. */
export interface FiringCount {
  readonly meant: number;
  readonly fired: number;
}

/** What learning worked on in an iteration. Each method fills in what it has. */
export interface LearningRecord {
  /** Minibatches of the policy objective, as it received them. */
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
  /** For each minibatch of imitation with a surprise band: its number of turns, and of those that were kept. */
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
