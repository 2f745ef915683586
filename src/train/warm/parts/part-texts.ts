/**
 * The texts other than code that demonstrations show: a plan, a state, a note, a mark. Each text follows from the
 * solution by a rule, so a small model can learn it from few examples. It contains what the rest of the episode needs:
 * the calls that are still to come, or the calls so far and what they printed.
 */
import type { Demonstration } from "../../../spec/index.ts";

type DemonstratedTurns = Pick<Demonstration, "turns">;

/** The number of characters of a turn's output that are remembered. */
const MAX_REMEMBERED_CHARACTERS = 24;

/** Returns the names of the APIs that these turns call, without repetitions and in order. */
export function listCalledApis({ turns }: DemonstratedTurns): string[] {
  const calls = turns.flatMap(({ result }) => result.calls.map(({ app, api }) => `${app}.${api}`));
  return [...new Set(calls)];
}

/** Returns the plan before a turn, which lists the calls that are still to come. */
export function writePlan({ turns }: DemonstratedTurns, turn: number): string {
  return listCalledApis({ turns: turns.slice(turn) }).join(", ");
}

/** Returns the state after `count` turns, which says what each turn called and printed. */
export function writeState({ turns }: DemonstratedTurns, count: number): string {
  return turns
    .slice(0, count)
    .map((turn) => {
      const printed = turn.result.text
        .replaceAll(/\s+/g, " ")
        .trim()
        .slice(0, MAX_REMEMBERED_CHARACTERS);
      return [listCalledApis({ turns: [turn] }).join(" ") || "nothing", printed].join(" ").trim();
    })
    .join("; ");
}

/** Returns a note for the next time, which lists the calls of the whole episode. */
export function writeNote(demonstration: DemonstratedTurns): string {
  return listCalledApis(demonstration).join(", ");
}

/**
 * Returns the mark of a turn: 0 if the turn failed, 1 if all checks passed, otherwise the share of passed checks in
 * tenths.
 */
export function writeMark({ turns, evaluation }: Demonstration, turn: number): string {
  if (turns[turn]?.result.status !== "ok") return "0";
  const { checks, passed } = evaluation;
  if (passed) return "1";
  const share = checks.filter((check) => check.passed).length / Math.max(checks.length, 1);
  return `0.${Math.min(9, Math.floor(share * 10))}`;
}

/** Returns what a user answers after a turn. */
export function writeUserAnswer({ turns }: DemonstratedTurns, turn: number): string {
  return turns[turn]?.result.status === "ok" ? "Go on." : "That failed.";
}

/** The texts of the rules and of the playbook after an episode. */
export const REWRITTEN_TEXTS = {
  rules: (demonstration: DemonstratedTurns) => `Use ${listCalledApis(demonstration).join(", ")}.`,
  playbook: (demonstration: DemonstratedTurns) =>
    `First ${listCalledApis(demonstration).join(", then ")}.`,
} as const;
