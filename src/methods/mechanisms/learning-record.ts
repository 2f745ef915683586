/** What learning shows of an iteration, for counters. */
import type { ObjectiveOptions, ObjectiveRow } from "../../algo/index.ts";

/** Of those that a mechanism is meant for (rollouts, turns, groups, tokens ...), the ones on which it acted. */
export interface FiringCount {
  readonly meant: number;
  readonly fired: number;
}

/** What learning saw of an iteration; each method fills in what it has. */
export interface LearningRecord {
  /** Minibatches of a policy objective, as the objective was given them. */
  readonly minibatches?: readonly (readonly ObjectiveRow[])[];
  /** What that objective was made of. */
  readonly options?: ObjectiveOptions;
  /** Rollouts that were imitated, with their weights, and whether what the world said was. */
  readonly imitated?: readonly {
    readonly id: string;
    readonly weight: number;
    readonly observations: boolean;
  }[];
  /** Of each minibatch of imitation under a band of surprise: its turns, and those that were left. */
  readonly bands?: readonly FiringCount[];
  /** Weights of the tokens of both sides of each pair, by turn, and whether differences of returns were fitted. */
  readonly pairs?: readonly {
    readonly turns: number;
    readonly compared: number;
    readonly squared: boolean;
  }[];
}
