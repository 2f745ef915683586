/** The options and events of a comparison. */
import type { NamedMethod } from "../config/named-method.ts";
import type { Overrides } from "../config/overrides.ts";
import type { TrainEvent } from "../run/events.ts";

/** Something that a comparison reports while it works. */
export type CompareEvent =
  | { readonly type: "run"; readonly name: string; readonly number: number; readonly of: number }
  | { readonly type: "train"; readonly event: TrainEvent }
  | { readonly type: "left-out"; readonly recipe: string; readonly why: string };

/** The options of `compare()`. */
export interface CompareOptions {
  /** Names of recipes ("starter", "ei", "smoke/grpo"). The default is `methods` on `setting`. */
  readonly recipes?: readonly string[];
  /** The setting of `methods`; `starter` by default. */
  readonly setting?: string;
  /** Names of methods, or results of `loadMethod`. The default is all of the paper's table that the engine can run. */
  readonly methods?: readonly (string | NamedMethod)[];
  /** Another name for a single arm, whose recipe runs with other fields. The default is the recipe's name. */
  readonly name?: string;
  readonly seeds: readonly number[];
  /** The number of training rollouts of each run. */
  readonly rollouts: number;
  /** Fields for all recipes, as for `resolveConfig`. */
  readonly overrides?: Overrides;
  /** The folder of the run directories. */
  readonly out: string;
  /** The file of results that the runs are added to. By default nothing is written. */
  readonly results?: string;
  readonly onEvent?: (event: CompareEvent) => void;
  readonly signal?: AbortSignal;
}
