/** What is said about a rollout: how it went, and what the agent saw after a turn. */
import type { Rollout, Turn } from "../spec/index.ts";

/** A check's result, of an episode or as stored. */
export interface Check {
  readonly name: string;
  readonly label: string;
  readonly passed: boolean;
  readonly detail?: string | undefined;
}

export function verdict(rollout: Rollout): string {
  const { evaluation, outcome } = rollout;
  if (evaluation === undefined) return outcome;
  const passed = evaluation.checks.filter((check) => check.passed).length;
  const ended = outcome === "finished" ? "" : `, ended by ${outcome}`;
  return `${evaluation.passed ? "solved" : "failed"}: ${passed} of ${evaluation.checks.length} checks passed${ended}`;
}

/** The observation, and what participants said to it. */
export function seenAfter({ observation, heard = [] }: Turn): string {
  const said = heard.map(({ from, text }) => `${from}: ${text}`);
  return said.length === 0 ? observation : [observation.trimEnd(), ...said].join("\n");
}

/**
 * What the agent did, in its own words: its code, where that stands in its message, and else the message (calls in a form of
 * their own, what was no action at all).
 */
export function doneIn({ message, code, part }: Turn): string {
  if (part !== undefined) return message;
  if (code.trim() === "") return `(no code) ${message}`.trim();
  return message.includes(code) ? code : message;
}
