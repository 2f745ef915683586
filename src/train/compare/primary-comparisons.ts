/**
 * The comparisons that were fixed before their runs were made, and the only ones that get a p-value.
 *
 * Why these: the paper's claim is that LOOP comes out before the other ways of learning from the same rollouts. Expert
 * iteration, RLOO and GRPO are the ones that it names beside LOOP and that need nothing but rewards. Both decodings
 * count: greedy is what a user runs, T = 1 is what training optimises, and a mixture of habits can flip its mode
 * without changing much. Six tests, corrected together by Holm's procedure; those whose runs are missing stay in the
 * count. How many seeds there are is decided before the first is looked at, and is at least eight.
 */
import type { Comparison, PrimaryResult } from "./comparison.ts";
import { differencesBySeed } from "./scores.ts";
import { adjustByHolm, pairedTest } from "./significance.ts";

export interface PrimaryComparison {
  /** Names of arms. */
  readonly a: string;
  readonly b: string;
  /** Split and decoding. */
  readonly on: string;
}

/** Where the comparisons below are made, and nowhere else. */
export const PRIMARY_CONDITIONS = { world: "everyday/starter", rollouts: 1920 } as const;

export const PRIMARY_COMPARISONS: readonly PrimaryComparison[] = ["ei", "rloo", "grpo"].flatMap(
  (b) => ["test-normal", "test-normal@T1"].map((on) => ({ a: "starter", b, on })),
);

/** With fewer pairs a t test hears little, and one odd run decides it. */
export const MIN_SEEDS = 8;

/** Two-sided, after correction. */
export const SIGNIFICANCE_LEVEL = 0.05;

/** Those of which both arms are there; without p below `LEAST_SEEDS`. `fixed`: another list, for tests. */
export function testPrimaryComparisons(
  comparison: Comparison,
  fixed: readonly PrimaryComparison[] = listPrimaryComparisons(comparison),
): PrimaryResult[] {
  const found = fixed.flatMap((primary) => comparePrimaryArms(comparison, primary) ?? []);
  const tested = found.filter(({ p }) => p !== undefined);
  const adjusted = adjustByHolm(
    tested.map(({ p }) => p!),
    fixed.length,
  );
  return found.map((result) =>
    result.p === undefined ? result : { ...result, adjusted: adjusted[tested.indexOf(result)]! },
  );
}

function listPrimaryComparisons({ world, rollouts }: Comparison): readonly PrimaryComparison[] {
  return world.name === PRIMARY_CONDITIONS.world && rollouts === PRIMARY_CONDITIONS.rollouts
    ? PRIMARY_COMPARISONS
    : [];
}

function comparePrimaryArms(
  comparison: Comparison,
  { a, b, on }: PrimaryComparison,
): PrimaryResult | undefined {
  const [first, second] = [a, b].map((name) => comparison.arms.find((arm) => arm.name === name));
  if (first === undefined || second === undefined) return undefined;
  const differences = differencesBySeed(comparison, first, second, on);
  const seeds = [...differences.keys()];
  if (seeds.length < 2) return { a, b, on, seeds };
  const { p, ...seen } = pairedTest([...differences.values()]);
  return { a, b, on, seeds, ...seen, ...(seeds.length >= MIN_SEEDS && { p }) };
}
