/** What tests are made of: rollout records made up from what a test cares about, and slopes by differences. */
import type { Evaluation, Rollout, Turn } from "../spec/index.ts";

/** A rollout's fields, of which only those are named that a test is about. */
export interface FakeRollout extends Partial<Rollout> {
  /** Shorthand for an evaluation with one progress check for each entry; finished. */
  readonly checks?: readonly boolean[];
  /** Shorthand for `task.id`; the scenario is what precedes the last slash. */
  readonly taskId?: string;
}

/** A finished rollout of task `train/0/0` in which one check passed, unless told otherwise. */
export function fakeRollout({ checks, taskId = "train/0/0", ...rest }: FakeRollout = {}): Rollout {
  const ran = rest.outcome !== "cancelled" && rest.outcome !== "failed";
  return {
    version: 1,
    id: `0/${taskId}/${rest.index ?? 0}`,
    task: {
      id: taskId,
      scenario: taskId.slice(0, taskId.lastIndexOf("/")),
      split: "train",
      difficulty: 1,
      signature: "fake",
      instruction: "Finish.",
    },
    index: 0,
    stream: 0,
    temperature: 1,
    policyVersion: 0,
    turns: [],
    outcome: "finished",
    ...(ran && { evaluation: evaluationOf(checks ?? [true]) }),
    ...rest,
  };
}

/** A turn that ran, without calls; its message is its code. */
export function fakeTurn({ code = "", ...rest }: Partial<Turn> = {}): Turn {
  return { message: code, code, observation: "", status: "ok", calls: [], ...rest };
}

type FakeEvaluation = NonNullable<Rollout["evaluation"]> & Evaluation;

/** An evaluation with one progress check for each entry; passed when all are true. */
export function evaluationOf(checks: readonly boolean[], finished = true): FakeEvaluation {
  return {
    passed: checks.every(Boolean),
    finished,
    checks: checks.map((passed, i) => ({ name: `check ${i}`, label: "progress" as const, passed })),
  };
}

/** The tokens part of a rollout whose action tokens are where `mask` is 1. */
export function tokensOf(mask: readonly (0 | 1)[]): NonNullable<Rollout["tokens"]> {
  return { ids: mask.map((_, i) => i), mask: [...mask], logprobs: mask.map((m, i) => -m * i) };
}
