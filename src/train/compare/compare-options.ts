/** What a comparison is asked for, and what it tells on the way. */
import type { Overrides } from "../config/overrides.ts";
import type { TrainEvent } from "../run/events.ts";

export type CompareEvent =
  | { readonly type: "run"; readonly name: string; readonly number: number; readonly of: number }
  | { readonly type: "train"; readonly event: TrainEvent }
  | { readonly type: "left-out"; readonly recipe: string; readonly why: string };

export interface CompareOptions {
  /** Pairs of setting and method by name ("starter", "ei", "smoke/grpo"). Default: `methods` on `setting`. */
  readonly recipes?: readonly string[];
  /** Default `starter`. */
  readonly setting?: string;
  /** Default: the methods of the paper's table that the engine can serve. */
  readonly methods?: readonly string[];
  /** Of the one arm, where its recipe runs with fields that others of the table do not have. Default: the recipe's. */
  readonly name?: string;
  readonly seeds: readonly number[];
  /** Of each run. */
  readonly rollouts: number;
  /** Fields for all recipes, as for `resolveConfig`. */
  readonly overrides?: Overrides;
  /** Folder of the run directories. */
  readonly out: string;
  /** File of results that the runs join, made where it is missing. Default: nothing is written. */
  readonly results?: string;
  readonly onEvent?: (event: CompareEvent) => void;
  readonly signal?: AbortSignal;
}
