/** Filters the groups of a file by their counts, and describes their rollouts. */
import type { GroupRow, RolloutRow } from "../../../src/spec/studio/index.ts";
import { formatDecimals } from "./format.ts";
import { classifyGroup, type GroupOutcome } from "./grid-layout.ts";

export interface GroupFilter {
  readonly text?: string | undefined;
  /** The outcome of groups to show, one of `GroupOutcome`. */
  readonly kind?: string | undefined;
  readonly difficulty?: string | undefined;
}

export function filterGroups(groups: readonly GroupRow[], filter: GroupFilter): GroupRow[] {
  const words = (filter.text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  return groups.filter((group) => {
    const { task } = group;
    if (filter.kind && classifyGroup(group) !== filter.kind) return false;
    if (filter.difficulty && String(task.difficulty) !== filter.difficulty) return false;
    const said = `${task.id} ${task.scenario} ${task.signature} ${task.instruction}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
}

/** Counts the groups by outcome. */
export function countGroups(groups: readonly GroupRow[]): Record<GroupOutcome, number> {
  const counts: Record<GroupOutcome, number> = { wrong: 0, mixed: 0, right: 0, none: 0 };
  for (const group of groups) counts[classifyGroup(group)]++;
  return counts;
}

/** Returns one character for a rollout, which says whether it passed, did not pass, failed or was cancelled. */
export function rolloutMark({ passed, outcome }: Pick<RolloutRow, "passed" | "outcome">): string {
  if (outcome === "failed") return "!";
  if (outcome === "cancelled") return "–";
  return passed ? "✓" : "✗";
}

/** Describes a rollout in words, for tooltips and screen readers. */
export function describeRollout({
  index,
  passed,
  outcome,
  reward,
  turns,
  failure,
}: RolloutRow): string {
  const came = passed ? "passed" : outcome === "finished" ? "finished, did not pass" : outcome;
  const paid = reward === undefined ? "" : `, reward ${formatDecimals(reward, 2)}`;
  const why = failure === undefined ? "" : `: ${failure}`;
  return `rollout ${index}: ${came}${paid}, ${turns} turn${turns === 1 ? "" : "s"}${why}`;
}
