/** Selects the graded rollouts to learn from, by LOOP's threshold and the filters in `src/algo/rollout-filters.ts`. */
import {
  dropNearZero,
  type GradedRollout,
  groupBy,
  hasPositiveAdvantage,
  hasVoidTurn,
  isSaturatedGroup,
  reachedTokenLimit,
  reachedTurnLimit,
} from "../../algo/index.ts";
import { applyFilters } from "../extensions.ts";
import type { Iteration } from "../method.ts";
import type { OnPolicyConfig } from "./config.ts";

/** The selected rollouts, with the number of rollouts that each filter left out. */
export interface Selection {
  readonly kept: readonly GradedRollout[];
  /** Number of rollouts that each filter left out, as `filter/<name>`, in the order of the filters. Empty for LOOP. */
  readonly metrics: Record<string, number>;
}

/**
 * Selects the rollouts to learn from. A rollout that is left out was graded before, so its return still counts in the
 * baseline of its group.
 */
export function selectRollouts(
  graded: readonly GradedRollout[],
  { config, extensions }: Pick<Iteration<OnPolicyConfig>, "config" | "extensions">,
): Selection {
  const own = applyFilters(graded, extensions);
  let { kept } = own;
  const metrics: Record<string, number> = { ...own.metrics };
  for (const [name, keeps] of listEnabledFilters(graded, config)) {
    const left = kept.filter(keeps);
    metrics[`filter/${name}`] = kept.length - left.length;
    kept = left;
  }
  return { kept: dropNearZero(kept, config.algo.advantageThreshold), metrics };
}

type KeepsRollout = (item: GradedRollout) => boolean;

function listEnabledFilters(
  graded: readonly GradedRollout[],
  { filter }: OnPolicyConfig,
): [string, KeepsRollout][] {
  const all: [boolean, string, () => KeepsRollout][] = [
    [filter.voidTurns, "void_turns", () => (item) => !hasVoidTurn(item.rollout)],
    [filter.overTurn, "over_turn", () => (item) => !reachedTurnLimit(item.rollout)],
    [filter.overLong, "over_long", () => (item) => !reachedTokenLimit(item.rollout)],
    [
      filter.saturatedAbove !== null,
      "saturated",
      () => createSaturationFilter(graded, filter.saturatedAbove),
    ],
    [filter.positiveOnly, "not_positive", () => hasPositiveAdvantage],
  ];
  return all.flatMap(([on, name, make]) => (on ? [[name, make()] as [string, KeepsRollout]] : []));
}

function createSaturationFilter(
  graded: readonly GradedRollout[],
  threshold: number | null,
): KeepsRollout {
  const groups = [...groupBy(graded, ({ rollout }) => rollout.task.id)];
  const full = new Set(
    groups.flatMap(([task, group]) =>
      threshold !== null &&
      isSaturatedGroup(
        group.map(({ reward }) => reward),
        threshold,
      )
        ? [task]
        : [],
    ),
  );
  return ({ rollout }) => !full.has(rollout.task.id);
}
