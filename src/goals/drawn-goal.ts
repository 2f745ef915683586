/** A goal as it is drawn: its sentence, its intended changes or answer, the program that reaches them, what its parts claim. */
import type { DemonstrationStyle, StepResult } from "../spec/index.ts";
import type { Answer, Reader, Writer } from "../world/index.ts";
import type { Claims } from "./claims.ts";
import type { Ids } from "./sets.ts";

/** One change; `legal` says whether the APIs would let it happen now. */
export interface Step {
  readonly legal: (db: Reader) => boolean;
  readonly run: (db: Writer) => void;
}

/** Yields cells; returns the arguments of `finishTask`. */
export type Program = Generator<string, string, StepResult>;

export interface DrawnGoal {
  /** Imperative or a question, capital letter, no mark at the end. */
  readonly sentence: string;
  /** What it reads; must not depend on what else is done. */
  readonly reads: readonly Ids[];
  /** Reads its sets now. */
  readonly plan: (db: Reader) => readonly Step[];
  readonly answer?: Answer;
  /** Answers with one clause dropped. */
  readonly guesses?: readonly Answer[];
  readonly impossible?: boolean;
  readonly program: (style: DemonstrationStyle) => Program;
  readonly claims: Claims;
  /** What it does, for the case that all claims hold: `action shop.cancel`. */
  readonly does: readonly string[];
}

export interface GoalOptions {
  /** For conditions: which branch is to be taken. */
  readonly truth: boolean;
  /** What the task names does not exist. */
  readonly missing: boolean;
}
