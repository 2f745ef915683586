/** What a run measured, as a diagnosis reads it: losses, metrics and rollouts. No field of the configuration. */
import type { ObservedRollout } from "./observe-rollout.ts";

/** Metrics by name, as `metrics.jsonl` has them. */
export type MetricsByName = { readonly [name: string]: number };

/** One iteration of the method. `rollouts` is empty where only the metrics were read. */
export interface MeasuredIteration {
  /** The number of the iteration, counted from 1. */
  readonly number: number;
  /** Absent for an iteration that was not finished, whose finished rollouts are in the journal. */
  readonly metrics: MetricsByName | undefined;
  readonly rollouts: readonly ObservedRollout[];
}

/** The rollouts of one evaluation. */
export interface MeasuredEvaluation {
  /** `before`, `after` or `iteration 4`. */
  readonly when: string;
  readonly split: string;
  readonly isGreedy: boolean;
  readonly rollouts: readonly ObservedRollout[];
}

/** All measurements of a run that a diagnosis reads. */
export interface RunMeasurements {
  /** The loss of each step of the warm start, in nats per token; empty without a warm start. */
  readonly warmLosses: readonly number[];
  /** The evaluations, in order of time. */
  readonly evaluations: readonly MeasuredEvaluation[];
  /** The iterations, in order. */
  readonly iterations: readonly MeasuredIteration[];
}

/** What a diagnosis found. */
export interface Finding {
  /** The name of the finding; one of `FINDING_IDS`. */
  readonly id: FindingId;
  /** `stop`: nothing can be learned. `note`: the run learns more slowly than it could, or its numbers mislead. */
  readonly severity: "stop" | "note";
  /** What was measured, in one sentence with its numbers. */
  readonly seen: string;
  /** What usually cures it, in one sentence. */
  readonly cure: string;
  /** The options that are added to the command of the run, such as `--warm.epochs 4`; absent if none would help. */
  readonly options?: string;
}

/** The names of all findings, with the meaning of each. */
export const FINDINGS = {
  "nothing-teaches":
    "no group of rollouts has two different returns, so the method has nothing to learn from",
  "judge-fails": "the judge gives no marks",
  "rollouts-fail": "rollouts end in an error of the world, the policy or the agent",
  "stop-not-heard": "the policy ends its answers, and the sampler does not stop there",
  "answers-cut": "answers are cut at the limit on tokens in a turn",
  "rows-cut": "conversations are cut at the limit on tokens of a conversation",
  "turns-run-out": "episodes end at the limit on turns",
  "samples-equal": "the rollouts of a group are all the same",
  "policy-collapsed": "the rollouts of a group became all the same while training",
  "reward-constant": "every rollout earns the same, whatever it did",
  "reward-blind-in-groups": "rollouts of one task earn the same, whatever they did",
  "reward-term-constant": "a reward term has the same value in every iteration",
  "tool-always-fails": "every call of an API fails",
  "warm-start-diverged": "the loss of the warm start rose, or never fell",
  "warm-start-too-short":
    "most answers are ill-formed, because the warm start did not teach the form",
  "answers-ill-formed": "most answers cannot be read",
  "policy-broke": "the policy was better before it was trained",
  "nothing-kept": "rollouts that could teach are all left out",
  "steps-too-small": "the policy hardly changes",
  "tasks-too-hard": "few groups teach, because nearly no rollout passes",
  "evaluation-cut": "evaluations end at limits that training does not have",
} as const;

/** The name of a finding, one of the keys of `FINDINGS`. */
export type FindingId = keyof typeof FINDINGS;
