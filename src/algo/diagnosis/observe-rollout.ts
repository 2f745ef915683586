/**
 * Reduces a rollout to the few facts that a diagnosis needs, so that many rollouts can be read one after the other.
 *
 * Every fact is measured: tokens that were sampled, calls that were made, what the evaluation said. The settings that a
 * record also states, such as its temperature, are not read.
 */
import { hash32 } from "../../core/index.ts";
import type { Rollout, RolloutTokens, Turn } from "../../spec/index.ts";
import { isPassed } from "../group-statistics.ts";

/** One sampled answer of the agent. */
export interface ObservedAnswer {
  /** The number of sampled tokens. */
  readonly length: number;
  /** The last sampled token. */
  readonly last: number;
  /** The token that follows in the row; undefined for the last answer of a row. */
  readonly next: number | undefined;
  /** Minus the sum of the tokens' log-probs, in nats. Divided by the number of tokens, it estimates their entropy. */
  readonly surprise: number;
  /** Whether the following token also occurs within the answer. */
  readonly holdsNext: boolean;
  /** Whether the first token of the row, which opens a message in most formats, occurs within the answer. */
  readonly holdsOpening: boolean;
  /** Whether the answer could not be read: it holds no code or call, or its code failed before any call. */
  readonly isIllFormed: boolean;
}

/** An API call: its name and how it ended. */
export interface ObservedCall {
  readonly name: string;
  readonly isFailed: boolean;
}

/** What a diagnosis needs to know about a rollout. */
export interface ObservedRollout {
  readonly task: string;
  readonly outcome: Rollout["outcome"];
  readonly failure: Rollout["failure"];
  /** Whether the rollout was evaluated, so that it has a return. */
  readonly isScored: boolean;
  readonly isPassed: boolean;
  /** What the evaluation found, as text. Two rollouts with equal results have equal texts. */
  readonly result: string;
  /** Whether the agent itself ended the episode. */
  readonly isFinished: boolean;
  /** The reward that the agent's owner stated; otherwise 1 if every check passed, and else 0. */
  readonly earned: number;
  readonly turns: number;
  readonly answers: readonly ObservedAnswer[];
  readonly calls: readonly ObservedCall[];
  /** What the rollout did, as text: its writing calls and its last call, or its last message if it made no call. */
  readonly deeds: string;
  /** A digest of everything that the agent said. */
  readonly said: number;
}

/** Reduces a rollout to what a diagnosis needs. */
export function observeRollout(rollout: Rollout): ObservedRollout {
  const { task, outcome, failure, evaluation, turns } = rollout;
  const actions = turns.filter(({ part }) => part === undefined || part === "speech");
  return {
    task: task.id,
    outcome,
    failure,
    isScored: evaluation !== undefined,
    isPassed: isPassed(rollout),
    result: describeResult(evaluation),
    isFinished: evaluation?.finished === true,
    earned: evaluation?.reward ?? Number(isPassed(rollout)),
    turns: actions.length,
    answers: markUnreadCalls(
      actions.flatMap((turn) => observeAnswer(rollout, turn) ?? []),
      rollout,
    ),
    calls: turns.flatMap(({ calls }) =>
      calls.map(({ app, api, status }) => ({ name: `${app}.${api}`, isFailed: status >= 400 })),
    ),
    deeds: describeDeeds(actions),
    said: hash32(actions.map(({ message }) => message).join("\u0000"), 0),
  };
}

function describeResult(evaluation: Rollout["evaluation"]): string {
  if (evaluation === undefined) return "";
  const { passed, finished, checks, reward } = evaluation;
  return JSON.stringify([passed, finished, reward, checks.map((check) => check.passed)]);
}

function describeDeeds(turns: readonly Turn[]): string {
  const calls = turns.flatMap((turn) => turn.calls.filter(({ status }) => status < 400));
  if (calls.length === 0) return turns.at(-1)?.message.trim() ?? "";
  const told = calls.filter(({ wrote }, i) => wrote || i === calls.length - 1);
  return JSON.stringify(told.map(({ app, api, args }) => [app, api, args]));
}

function observeAnswer(rollout: Rollout, turn: Turn): ObservedAnswer | undefined {
  const row = rowOfTurn(rollout, turn);
  if (row === undefined || turn.span === undefined) return undefined;
  const [start, end] = turn.span;
  const ids = row.ids.slice(start, end);
  if (ids.length === 0) return undefined;
  const next = row.mask[end] === 0 ? row.ids[end] : undefined;
  const logprobs = row.logprobs.slice(start, end);
  return {
    length: ids.length,
    last: ids.at(-1)!,
    next,
    surprise: -logprobs.reduce((sum, value) => sum + value, 0),
    holdsNext: next !== undefined && ids.includes(next),
    holdsOpening: start > 0 && ids.includes(row.ids[0]!),
    isIllFormed: isIllFormed(turn),
  };
}

/** A spoken turn has no code, because it needs none. */
function isIllFormed({ code, calls, status, part }: Turn): boolean {
  if (part === "speech" || calls.length > 0) return false;
  return status === "error" || code.trim() === "";
}

/** The session of an external agent counts the answers with calls that it could not read, without naming them. */
function markUnreadCalls(
  answers: readonly ObservedAnswer[],
  { session }: Rollout,
): ObservedAnswer[] {
  const unread = session?.illFormed ?? 0;
  return answers.map((answer, i) => (i < unread ? { ...answer, isIllFormed: true } : answer));
}

function rowOfTurn({ tokens, segments }: Rollout, { segment }: Turn): RolloutTokens | undefined {
  return segment === undefined ? tokens : segments?.[segment - 1];
}
