/** Fake records of rollouts. A test gives only the fields that it is about. */
import type { Evaluation, Rollout, Turn } from "../spec/index.ts";

/** Fields of a fake rollout, all optional. */
export interface FakeRollout extends Partial<Rollout> {
  /** A short form of a finished evaluation, with one progress check for each entry. */
  readonly checks?: readonly boolean[];
  /** A short form of `task.id`. The part before the last slash becomes the scenario. */
  readonly taskId?: string;
}

/** Returns a rollout. By default, it belongs to the task `train/0/0`, is finished, and passed its only check. */
export function fakeRollout({ checks, taskId = "train/0/0", ...rest }: FakeRollout = {}): Rollout {
  const hasResult = rest.outcome !== "cancelled" && rest.outcome !== "failed";
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
    ...(hasResult && { evaluation: fakeEvaluation(checks ?? [true]) }),
    ...rest,
  };
}

/** Returns a turn that ran without API calls. Its message is its code. */
export function fakeTurn({ code = "", ...rest }: Partial<Turn> = {}): Turn {
  return { message: code, code, observation: "", status: "ok", calls: [], ...rest };
}

type FakeEvaluation = NonNullable<Rollout["evaluation"]> & Evaluation;

/** Returns an evaluation with one progress check for each entry. It passes if all entries are true. */
export function fakeEvaluation(checks: readonly boolean[], finished = true): FakeEvaluation {
  return {
    passed: checks.every(Boolean),
    finished,
    checks: checks.map((passed, i) => ({ name: `check ${i}`, label: "progress" as const, passed })),
  };
}

/** Returns the `tokens` of a rollout. Its action tokens are at the positions at which `mask` is 1. */
export function fakeTokens(mask: readonly (0 | 1)[]): NonNullable<Rollout["tokens"]> {
  return { ids: mask.map((_, i) => i), mask: [...mask], logprobs: mask.map((m, i) => -m * i) };
}
