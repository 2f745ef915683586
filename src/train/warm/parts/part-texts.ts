/**
 * What a demonstration says where something else than code is asked for: a plan, a state, a note, a mark. Every text
 * follows from the solution by a rule, so a small model can learn to write it from few examples, and it holds what the
 * rest of the episode needs: the calls that are to come, or those that were made and what they brought.
 */
import type { Demonstration } from "../../../spec/index.ts";

type DemonstratedTurns = Pick<Demonstration, "turns">;

/** Characters of what a call printed that are worth remembering. */
const MAX_REMEMBERED_CHARACTERS = 24;

/** Names of the APIs that these turns call, each once, in order. */
export function namesOfCalls({ turns }: DemonstratedTurns): string[] {
  const calls = turns.flatMap(({ result }) => result.calls.map(({ app, api }) => `${app}.${api}`));
  return [...new Set(calls)];
}

/** The calls that are still to come before a turn. */
export function planFromTurn({ turns }: DemonstratedTurns, turn: number): string {
  return namesOfCalls({ turns: turns.slice(turn) }).join(", ");
}

/** What was called so far and what it brought, turn by turn. */
export function stateAfterTurns({ turns }: DemonstratedTurns, count: number): string {
  return turns
    .slice(0, count)
    .map((turn) => {
      const printed = turn.result.text
        .replaceAll(/\s+/g, " ")
        .trim()
        .slice(0, MAX_REMEMBERED_CHARACTERS);
      return [namesOfCalls({ turns: [turn] }).join(" ") || "nothing", printed].join(" ").trim();
    })
    .join("; ");
}

/** What to know next time: the calls that it took. */
export function noteOnCalls(shown: DemonstratedTurns): string {
  return namesOfCalls(shown).join(", ");
}

/** 0 for a turn that failed; else 1 where the demonstration passed, or the share of its checks, in tenths. */
export function markOfTurn({ turns, evaluation }: Demonstration, turn: number): string {
  if (turns[turn]?.result.status !== "ok") return "0";
  const { checks, passed } = evaluation;
  if (passed) return "1";
  const share = checks.filter((check) => check.passed).length / Math.max(checks.length, 1);
  return `0.${Math.min(9, Math.floor(share * 10))}`;
}

/** What a user answers to what was done. */
export function userAnswerToTurn({ turns }: DemonstratedTurns, turn: number): string {
  return turns[turn]?.result.status === "ok" ? "Go on." : "That failed.";
}

/** What the rules and the playbook say after an episode. */
export const REWRITTEN_TEXTS = {
  rules: (shown: DemonstratedTurns) => `Use ${namesOfCalls(shown).join(", ")}.`,
  playbook: (shown: DemonstratedTurns) => `First ${namesOfCalls(shown).join(", then ")}.`,
} as const;
