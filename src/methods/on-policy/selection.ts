/** Which graded rollouts are learned from: LOOP's threshold, and the predicates of `src/algo/filter.ts`. */
import {
  dropNearZero,
  type Graded,
  groupBy,
  hasVoidTurn,
  isOverLong,
  isOverTurn,
  isPositive,
  isSaturated,
} from "../../algo/index.ts";
import { keptByFilters } from "../extensions.ts";
import type { Iteration } from "../method.ts";
import type { OnPolicyConfig } from "./config.ts";

export interface Selection {
  readonly kept: readonly Graded[];
  /** `filter/<name>`: rollouts that each predicate left out, in their order; empty for LOOP. */
  readonly metrics: Record<string, number>;
}

/** A rollout that is left out was graded: its return stays in its siblings' baseline. */
export function selectRollouts(
  graded: readonly Graded[],
  { config, extensions }: Pick<Iteration<OnPolicyConfig>, "config" | "extensions">,
): Selection {
  const own = keptByFilters(graded, extensions);
  let { kept } = own;
  const metrics: Record<string, number> = { ...own.metrics };
  for (const [name, keeps] of predicates(graded, config)) {
    const left = kept.filter(keeps);
    metrics[`filter/${name}`] = kept.length - left.length;
    kept = left;
  }
  return { kept: dropNearZero(kept, config.algo.advantageThreshold), metrics };
}

type Predicate = (item: Graded) => boolean;

function predicates(graded: readonly Graded[], { filter }: OnPolicyConfig): [string, Predicate][] {
  const all: [boolean, string, () => Predicate][] = [
    [filter.voidTurns, "void_turns", () => (item) => !hasVoidTurn(item.rollout)],
    [filter.overTurn, "over_turn", () => (item) => !isOverTurn(item.rollout)],
    [filter.overLong, "over_long", () => (item) => !isOverLong(item.rollout)],
    [filter.saturatedAbove !== null, "saturated", () => unsaturated(graded, filter.saturatedAbove)],
    [filter.positiveOnly, "not_positive", () => isPositive],
  ];
  return all.flatMap(([on, name, make]) => (on ? [[name, make()] as [string, Predicate]] : []));
}

function unsaturated(graded: readonly Graded[], threshold: number | null): Predicate {
  const groups = [...groupBy(graded, ({ rollout }) => rollout.task.id)];
  const full = new Set(
    groups.flatMap(([task, group]) =>
      threshold !== null &&
      isSaturated(
        group.map(({ reward }) => reward),
        threshold,
      )
        ? [task]
        : [],
    ),
  );
  return ({ rollout }) => !full.has(rollout.task.id);
}
