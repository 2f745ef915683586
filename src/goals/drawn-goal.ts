/**
 * A drawn goal: its sentence, its intended changes or answer, the program that reaches them, and the claims of its
 * parts.
 */
import type { DemonstrationStyle, StepResult } from "../spec/index.ts";
import type { Answer, Reader, Writer } from "../world/index.ts";
import type { Claims } from "./claims.ts";
import type { IdsInState } from "./drawn-set.ts";

/** One intended change. `isLegal` says whether the APIs would allow it in a state. */
export interface GoalStep {
  readonly isLegal: (db: Reader) => boolean;
  readonly run: (db: Writer) => void;
}

/** A program that yields cells and returns the arguments of `finishTask`. */
export type SolutionProgram = Generator<string, string, StepResult>;

export interface DrawnGoal {
  /** An imperative or a question, with a capital letter and without a punctuation mark at the end. */
  readonly sentence: string;
  /** The sentence with a pronoun for what it acts on, for when the sentence before has named that. */
  readonly sentenceAgain?: string;
  /** The sets that the goal reads. They must not depend on what else is done. */
  readonly reads: readonly IdsInState[];
  /** Returns the intended changes; its sets are read from the given state. */
  readonly plan: (db: Reader) => readonly GoalStep[];
  readonly answer?: Answer;
  /** Wrong answers, in each of which one clause is left out. */
  readonly guesses?: readonly Answer[];
  readonly impossible?: boolean;
  readonly program: (style: DemonstrationStyle) => SolutionProgram;
  readonly claims: Claims;
  /**
   * The names of the goal's actions, such as `action shop.cancel`. They are named as the cause when all claims are
   * true.
   */
  readonly actionNames: readonly string[];
}

export interface GoalOptions {
  /** True when the goal's condition must be true, so that the first branch is taken. */
  readonly truth: boolean;
  /** True when the task has to name something that does not exist. */
  readonly missing: boolean;
}
