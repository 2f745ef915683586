/**
 * The facts of a rollout: what questions can be asked about it, besides its text.
 *
 * Facts are small, so a program can hold those of all rollouts of a run. A rollout itself holds tokens and turns.
 */

import type { Outcome, Rollout, TaskInfo } from "../../spec/index.ts";
import { isPassed } from "../group-statistics.ts";
import { type RewardOptions, rewardOf } from "../rewards.ts";

/** When a rollout was played: `train`, or the evaluation `before`, `after` or `iteration` (during training). */
export type Phase = "train" | "before" | "after" | "iteration";

/** The address of a rollout's file: its run, and its name without the ending, such as `train-0003`. */
export interface RolloutFile {
  /** The run's directory. */
  readonly run: string;
  readonly file: string;
}

export interface RolloutFacts extends RolloutFile {
  readonly id: string;
  readonly phase: Phase;
  /** The iteration of training, or the one after which an evaluation was made; absent before and after training. */
  readonly iteration?: number;
  /** How an evaluation sampled: `greedy` or `T1`; absent for training. */
  readonly mode?: string;
  readonly task: TaskInfo;
  /** The index in the group, counted from 0. */
  readonly index: number;
  readonly outcome: Outcome;
  readonly passed: boolean;
  /** What the rollout earned by the run's own rule, in 0..1 unless a method shapes it; absent without an evaluation. */
  readonly return?: number;
  /** The advantage that the trainer noted. It notes a sample of rollouts. */
  readonly advantage?: number;
  readonly turns: number;
  /** The number of turns that ended with an error or at a limit. */
  readonly errors: number;
  /** The number of sampled tokens in all rows. */
  readonly tokens: number;
  readonly calls: number;
  /** The different statuses of its API calls, in the order in which they came. */
  readonly statuses: readonly number[];
  /** The different APIs that it called, such as `pay.request`, in the order of the first call. */
  readonly apis: readonly string[];
  readonly failedChecks: readonly string[];
  readonly passedChecks: readonly string[];
  /** Which optional parts the rollout has, out of `ROLLOUT_PARTS`. */
  readonly has: readonly RolloutPart[];
}

/** What a rollout may have besides its turns. `notes` are the trainer's notes about its tokens. */
export const ROLLOUT_PARTS = [
  "notes",
  "tokens",
  "failure",
  "heard",
  "branch",
  "plan",
  "summary",
  "state",
  "note",
  "speech",
] as const;
export type RolloutPart = (typeof ROLLOUT_PARTS)[number];

/** What the trainer noted about a rollout that it learned from. */
export interface NotedCredit {
  readonly advantage: number;
  /** The return, if it is not the reward of the outcome alone. */
  readonly return?: number | undefined;
}

/** Collects the facts of a rollout of `file`. `reward` is the rule of its run. Throws for a name of another form. */
export function collectFacts(
  rollout: Rollout,
  file: RolloutFile,
  reward: RewardOptions,
  noted?: NotedCredit,
): RolloutFacts {
  const { id, task, index, outcome, turns, evaluation } = rollout;
  const calls = turns.flatMap((turn) => turn.calls);
  const checks = evaluation?.checks ?? [];
  const paid = noted?.return ?? (evaluation && rewardOf({ ...rollout, evaluation }, reward));
  return {
    ...file,
    id,
    ...parseFileName(file.file)!,
    task,
    index,
    outcome,
    passed: isPassed(rollout),
    ...(paid !== undefined && { return: paid }),
    ...(noted && { advantage: noted.advantage }),
    turns: turns.length,
    errors: turns.filter(({ status }) => status !== "ok").length,
    tokens: countSampledTokens(rollout),
    calls: calls.length,
    statuses: [...new Set(calls.map(({ status }) => status))],
    apis: [...new Set(calls.map(({ app, api }) => `${app}.${api}`))],
    failedChecks: checks.filter(({ passed }) => !passed).map(({ name }) => name),
    passedChecks: checks.filter(({ passed }) => passed).map(({ name }) => name),
    has: listParts(rollout, noted !== undefined),
  };
}

const FILE_NAME =
  /^(?:train-(\d{1,9})|eval-(before|after|iteration-(\d{1,9}))-([a-z-]+)-(greedy|T1))$/;

/** Returns what the name of a file of rollouts says; undefined for the name of another file. */
export function parseFileName(
  name: string,
): Pick<RolloutFacts, "phase" | "iteration" | "mode"> | undefined {
  const [found, train, when, after, , mode] = FILE_NAME.exec(name) ?? [];
  if (found === undefined) return undefined;
  if (train !== undefined) return { phase: "train", iteration: Number(train) };
  if (after !== undefined) return { phase: "iteration", iteration: Number(after), mode: mode! };
  return { phase: when as Phase, mode: mode! };
}

function countSampledTokens({ tokens, segments = [] }: Rollout): number {
  const rows = tokens ? [tokens, ...segments] : segments;
  return rows.reduce((sum, { mask }) => sum + mask.filter((sampled) => sampled === 1).length, 0);
}

function listParts(rollout: Rollout, isNoted: boolean): RolloutPart[] {
  const { tokens, failure, branch, turns } = rollout;
  const written = new Set<string>(turns.flatMap(({ part }) => part ?? []));
  const hasPart = (part: RolloutPart) => {
    if (part === "notes") return isNoted;
    if (part === "tokens") return tokens !== undefined;
    if (part === "failure") return failure !== undefined;
    if (part === "branch") return branch !== undefined;
    if (part === "heard") return turns.some(({ heard }) => heard !== undefined);
    return written.has(part);
  };
  return ROLLOUT_PARTS.filter(hasPart);
}
