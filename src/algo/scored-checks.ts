/**
 * What a reward is computed from: a part of an evaluation and of a rollout, which may be all that was read of a line.
 */
import { type CheckResult, type Evaluation, FINISH_CHECK } from "../spec/index.ts";

export type ScoredCheck = Pick<CheckResult, "name" | "label" | "passed">;

/** The part of an evaluation that a reward depends on. */
export type ScoredChecks = Pick<Evaluation, "passed" | "finished" | "reward"> & {
  readonly checks: readonly ScoredCheck[];
};

/** The part of a rollout that its reward depends on. */
export interface RewardedRollout {
  readonly id: string;
  readonly outcome: string;
  /** True for a role that plays against the agent. */
  readonly opposed?: true | undefined;
  readonly evaluation?: ScoredChecks | undefined;
}

/** Returns whether a check found damage: a guard that fails, except that the agent did not finish. */
export function isDamage({ name, label, passed }: ScoredCheck): boolean {
  return label === "guard" && !passed && name !== FINISH_CHECK;
}

/** Returns the share of checks that pass; NaN without checks. */
export function passedShare(checks: readonly ScoredCheck[]): number {
  return checks.filter((check) => check.passed).length / checks.length;
}
