/** The options and events of a comparison. */
import type { NamedMethod } from "../config/named-method.ts";
import type { Overrides } from "../config/overrides.ts";
import type { TrainEvent } from "../run/events.ts";

/** A report of a comparison on its progress. */
export type CompareEvent =
  | { readonly type: "run"; readonly name: string; readonly number: number; readonly of: number }
  | { readonly type: "train"; readonly event: TrainEvent }
  | { readonly type: "left-out"; readonly recipe: string; readonly why: string };

/** The options of `compare()`. */
export interface CompareOptions {
  /** Names of recipes ("starter", "ei", "smoke/grpo"). By default, `methods` are combined with `setting`. */
  readonly recipes?: readonly string[];
  /** The setting that `methods` are combined with; `starter` by default. */
  readonly setting?: string;
  /**
   * Names of methods, or results of `loadMethod`. The default is every method of the paper's table that the engine can
   * run.
   */
  readonly methods?: readonly (string | NamedMethod)[];
  /**
   * Another name for the arm, when there is only one arm and its recipe runs with other fields. The default is the
   * recipe's name.
   */
  readonly name?: string;
  readonly seeds: readonly number[];
  /** The number of training rollouts of each run. */
  readonly rollouts: number;
  /** Values of fields that apply to all recipes, in the form that `resolveConfig` takes. */
  readonly overrides?: Overrides;
  /** The folder in which the run directories are made. */
  readonly out: string;
  /** The results file that the runs are added to. By default no file is written. */
  readonly results?: string;
  readonly onEvent?: (event: CompareEvent) => void;
  readonly signal?: AbortSignal;
}
