/** Describes a rollout in words: how it ended, what the agent did, and what it saw after a turn. */
import { isPassed } from "../algo/index.ts";
import type { Rollout, Turn } from "../spec/index.ts";

/** The result of one check, from a live episode or from a stored rollout. */
export interface CheckResult {
  readonly name: string;
  readonly label: string;
  readonly passed: boolean;
  readonly detail?: string | undefined;
}

/** Describes how a rollout ended, with its checks, or with the reward that an agent of the user's own gave. */
export function describeResult(rollout: Rollout): string {
  const { evaluation, outcome } = rollout;
  if (evaluation === undefined) return outcome;
  const { checks, reward } = evaluation;
  const ended = outcome === "finished" ? "" : `, ended by ${outcome}`;
  const passed = `${checks.filter((check) => check.passed).length} of ${checks.length} checks passed`;
  const result =
    checks.length === 0 && reward !== undefined ? `reward ${reward.toFixed(2)}` : passed;
  return `${isPassed(rollout) ? "solved" : "failed"}: ${result}${ended}`;
}

/** Returns the observation of a turn, followed by what participants said to it. */
export function observationText({ observation, heard = [] }: Turn): string {
  const said = heard.map(({ from, text }) => `${from}: ${text}`);
  return said.length === 0 ? observation : [observation.trimEnd(), ...said].join("\n");
}

/**
 * Returns what the agent did. This is its code, if the message contains the code literally, and otherwise the whole
 * message (for calls in another form, or turns without an action).
 */
export function actionText({ message, code, part }: Turn): string {
  if (part !== undefined) return message;
  if (code.trim() === "") return `(no code) ${message}`.trim();
  return message.includes(code) ? code : message;
}
