/**
 * Aligns rollouts of one task: first the turns that are equal in all rollouts, then one row for each further turn.
 * Equal turns in a row have the same variant number, which shows which rollouts did the same.
 */
import type { Turn } from "../../../src/spec/rollout.ts";
import type { GroupView } from "../../../src/spec/studio/index.ts";

export interface AlignedRow {
  /** The number of the turn, from 0. */
  readonly turn: number;
  /** One cell for each rollout; undefined for a rollout that has already ended. */
  readonly cells: readonly ({ readonly turn: Turn; readonly variant: number } | undefined)[];
}

export interface AlignedRollouts {
  readonly shared: readonly Turn[];
  readonly rows: readonly AlignedRow[];
}

export function alignRollouts({
  rollouts,
  differAt,
}: Pick<GroupView, "rollouts" | "differAt">): AlignedRollouts {
  const all = rollouts.map(({ rollout }) => rollout.turns);
  // The longest rollout is used, because a rollout that was cancelled early has fewer turns.
  const longest = all.reduce((most, turns) => (turns.length > most.length ? turns : most), []);
  const from = Math.min(differAt ?? longest.length, longest.length);
  const rows = Array.from({ length: longest.length - from }, (_, i) => alignTurn(all, from + i));
  return { shared: longest.slice(0, from), rows };
}

function alignTurn(all: readonly (readonly Turn[])[], turn: number): AlignedRow {
  const kinds = new Map<string, number>();
  const cells = all.map((turns) => {
    const there = turns[turn];
    if (!there) return undefined;
    const key = JSON.stringify([there.part, there.message, there.observation]);
    const variant = kinds.get(key) ?? kinds.size;
    kinds.set(key, variant);
    return { turn: there, variant };
  });
  return { turn, cells };
}

export interface CheckRow {
  readonly name: string;
  readonly label: "progress" | "guard";
  /** One result for each rollout; undefined for a rollout without this check. */
  readonly passed: readonly (boolean | undefined)[];
}

/** Builds a row for every check of any rollout, in the order of first occurrence. */
export function buildCheckMatrix(rollouts: GroupView["rollouts"]): readonly CheckRow[] {
  const names = new Map<string, "progress" | "guard">();
  const results = rollouts.map(({ rollout }) => rollout.evaluation?.checks ?? []);
  for (const { name, label } of results.flat()) if (!names.has(name)) names.set(name, label);
  return Array.from(names, ([name, label]) => ({
    name,
    label,
    passed: results.map((checks) => checks.find((check) => check.name === name)?.passed),
  }));
}
