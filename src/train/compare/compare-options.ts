/** What a comparison is asked for, and the events of its work. */
import type { NamedMethod } from "../config/named-method.ts";
import type { Overrides } from "../config/overrides.ts";
import type { TrainEvent } from "../run/events.ts";

export type CompareEvent =
  | { readonly type: "run"; readonly name: string; readonly number: number; readonly of: number }
  | { readonly type: "train"; readonly event: TrainEvent }
  | { readonly type: "left-out"; readonly recipe: string; readonly why: string };

export interface CompareOptions {
  /** Pairs of setting and method by name ("starter", "ei", "smoke/grpo"). Default: `methods` on `setting`. */
  readonly recipes?: readonly string[];
  /** The setting of `methods`; default `starter`. */
  readonly setting?: string;
  /**
   * Names of the package's methods, or what `loadMethod` returned for a module. Default: the methods of the paper's
   * table that the engine can serve.
   */
  readonly methods?: readonly (string | NamedMethod)[];
  /** A name for the one arm, where its recipe runs with fields of its own. Default: the recipe's name. */
  readonly name?: string;
  readonly seeds: readonly number[];
  /** Training rollouts of each run. */
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
