/** A list of calls that differs from those of a solution: a mutant or an equivalent. */
import type { Call } from "./replay.ts";

export interface Variant {
  readonly name: string;
  readonly calls: readonly Call[];
  /**
   * True for a constant answer. It counts as a mutant even when it happens to be right, because then the task is too
   * easy to guess.
   */
  readonly guess?: boolean;
}
