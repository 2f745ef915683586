/**
 * The primary comparisons were fixed before their runs were made, and only they get a p-value.
 *
 * The paper claims that LOOP is better than other ways of learning from the same rollouts. Of those, expert iteration,
 * RLOO and GRPO need only rewards. Policies are compared with greedy decoding, because users run them so, and with
 * sampling at T = 1, because training optimises that. This makes six tests. They are corrected together by Holm's
 * procedure, which also counts tests that have no runs yet. The number of seeds, at least eight, is decided before any
 * result is known.
 */
import type { Comparison, PrimaryResult } from "./comparison.ts";
import { differencesBySeed } from "./scores.ts";
import { adjustByHolm, pairedTest } from "./significance.ts";

/** Two arms and the score on which they are compared. */
export interface PrimaryComparison {
  readonly a: string;
  readonly b: string;
  /** The name of the score, made of split and decoding, such as `dev@T1`. */
  readonly on: string;
}

/** The world and budget of the primary comparisons. */
export const PRIMARY_CONDITIONS = { world: "everyday/starter", rollouts: 1920 } as const;

export const PRIMARY_COMPARISONS: readonly PrimaryComparison[] = ["ei", "rloo", "grpo"].flatMap(
  (b) => ["test-normal", "test-normal@T1"].map((on) => ({ a: "starter", b, on })),
);

/**
 * The least number of pairs for a test. With fewer pairs, a t test detects little, and one unusual run decides its
 * result.
 */
export const MIN_SEEDS = 8;

/** The level of significance of the two-sided tests after Holm's correction. */
export const SIGNIFICANCE_LEVEL = 0.05;

/**
 * Tests the primary comparisons whose arms exist. A p-value needs at least `MIN_SEEDS` pairs. Unit tests pass their own
 * `fixed`.
 */
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
  const { difference, interval, p } = pairedTest([...differences.values()]);
  return {
    ...{ a, b, on, seeds, difference },
    ...(interval && { interval }),
    ...(p !== undefined && seeds.length >= MIN_SEEDS && { p }),
  };
}
