/**
 * An A/A test: it compares runs of one arm with other runs of the same arm, to see how often the test of the primary
 * comparisons (`significance.ts`) calls equal arms different.
 *
 * An arm needs at least 24 independent runs. Thousands of times, the test draws 16 of them at random, deals them into
 * eight pairs, and tests the pairs. A test at the 5% level should call about one draw in twenty different. The tests
 * confirm this for both scores of the primary comparisons with eight seeds, the least number that they allow.
 */
import { BowlineError, Rng } from "../../core/index.ts";
import type { Results } from "./comparison.ts";
import { MIN_SEEDS, PRIMARY_COMPARISONS, SIGNIFICANCE_LEVEL } from "./primary-comparisons.ts";
import { sharesBySeed } from "./scores.ts";
import { pairedTest } from "./significance.ts";

/** The least number of runs for an A/A test: three times the runs of one side, so that the draws differ enough. */
export const MIN_RUNS = 3 * MIN_SEEDS;

/** A test at the 5% level counts as correct when the share of pairs that it rejects lies within these bounds. */
export const SIZE_BOUNDS = [0.02, 0.08] as const;

const DEFAULT_DEALS = 10_000;

/** Counts how often the test called equal arms different. `size` is the share of draws in which it did. */
export interface SizeCheck {
  readonly pairs: number;
  readonly rejected: number;
  readonly size: number;
}

/** The result of the A/A test of one arm on one score. */
export interface ArmSize extends SizeCheck {
  readonly arm: string;
  readonly world: string;
  /** The name of the score, made of split and decoding, such as `dev@T1`. */
  readonly on: string;
  readonly runs: number;
}

/**
 * Runs A/A tests of every arm with enough runs, on every primary score. Throws a `config` error when no arm has enough.
 * `from` names the results files in that error.
 */
export function checkSizes({ comparisons }: Results, from: string): ArmSize[] {
  const arms = comparisons.flatMap((comparison) =>
    comparison.arms.map((arm) => ({ comparison, arm })),
  );
  const enough = arms.filter(({ arm }) => arm.runs.length >= MIN_RUNS);
  if (enough.length === 0) {
    const most = arms.toSorted((a, b) => b.arm.runs.length - a.arm.runs.length)[0]?.arm;
    const has = most ? `${most.name} has the most, ${most.runs.length}` : "there are no runs";
    const name = most?.recipe ?? "starter";
    throw new BowlineError(
      "config",
      `an A/A test needs ${MIN_RUNS} runs of one arm, but in ${from} ${has}; train more: bowline compare ${name} --seeds 1..${MIN_RUNS} --results FILE`,
    );
  }
  const scores = [...new Set(PRIMARY_COMPARISONS.map(({ on }) => on))];
  return enough.flatMap(({ comparison, arm }) =>
    scores.flatMap((on) => {
      const shares = [...sharesBySeed(comparison, arm, on).values()];
      if (shares.length < MIN_RUNS) return [];
      const about = { arm: arm.name, world: comparison.world.name, on, runs: shares.length };
      return [{ ...about, ...checkSize(shares) }];
    }),
  );
}

/** Adds up the results of several A/A tests. */
export function combineSizes(sizes: readonly SizeCheck[]): SizeCheck {
  const pairs = sizes.reduce((sum, one) => sum + one.pairs, 0);
  const rejected = sizes.reduce((sum, one) => sum + one.rejected, 0);
  return { pairs, rejected, size: rejected / pairs };
}

/** Runs an A/A test on the scores of an arm's runs. The same values always give the same result. */
export function checkSize(values: readonly number[], deals = DEFAULT_DEALS): SizeCheck {
  const rng = new Rng(1);
  let rejected = 0;
  for (let deal = 0; deal < deals; deal++) {
    const drawn = rng.sample(values, 2 * MIN_SEEDS);
    const differences = drawn.slice(MIN_SEEDS).map((value, i) => value - drawn[i]!);
    const { p = 1 } = pairedTest(differences);
    if (p < SIGNIFICANCE_LEVEL) rejected += 1;
  }
  return { pairs: deals, rejected, size: rejected / deals };
}
