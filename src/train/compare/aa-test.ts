/**
 * The test against itself: runs of one arm are dealt into two halves that differ by nothing, and the primary test is
 * asked.
 *
 * Of 24 or more independent runs, 16 are drawn, eight a side, and paired at random, thousands of times. A test at 5%
 * should call about one deal in twenty different. It is the test of the primary comparisons (`significance.ts`) on both
 * of their scores, at the least number of seeds that they are made with.
 */
import { BowlineError, Rng } from "../../core/index.ts";
import type { Results } from "./comparison.ts";
import { MIN_SEEDS, PRIMARY_COMPARISONS, SIGNIFICANCE_LEVEL } from "./primary-comparisons.ts";
import { sharesBySeed } from "./scores.ts";
import { pairedTest } from "./significance.ts";

/** Three times the runs of one side, so that deals are not all the same few runs. */
export const MIN_RUNS = 3 * MIN_SEEDS;

/** Within these a test at 5% is taken to hold its size. */
export const SIZE_BOUNDS = [0.02, 0.08] as const;

const DEFAULT_DEALS = 10_000;

/** What became of pairs of equal arms; `size` is the share that the test called different. */
export interface SizeCheck {
  readonly pairs: number;
  readonly rejected: number;
  readonly size: number;
}

export interface ArmSize extends SizeCheck {
  readonly arm: string;
  readonly world: string;
  /** Split and decoding. */
  readonly on: string;
  readonly runs: number;
}

/**
 * Of every arm with enough runs, on every primary score. Throws a `config` error where none has. `from`: what to call
 * the files.
 */
export function checkSizes({ comparisons }: Results, from: string): ArmSize[] {
  const arms = comparisons.flatMap((comparison) =>
    comparison.arms.map((arm) => ({ comparison, arm })),
  );
  const enough = arms.filter(({ arm }) => arm.runs.length >= MIN_RUNS);
  if (enough.length === 0) {
    const most = arms.toSorted((a, b) => b.arm.runs.length - a.arm.runs.length)[0]?.arm;
    const has = most ? `the most is ${most.runs.length}, of ${most.name}` : "it has no runs";
    const name = most?.recipe ?? "starter";
    throw new BowlineError(
      "config",
      `an A/A test needs ${MIN_RUNS} runs of one arm, and in ${from} ${has}; train them: bowline compare ${name} --seeds 1..${MIN_RUNS} --results FILE`,
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

/** All together. */
export function combineSizes(sizes: readonly SizeCheck[]): SizeCheck {
  const pairs = sizes.reduce((sum, one) => sum + one.pairs, 0);
  const rejected = sizes.reduce((sum, one) => sum + one.rejected, 0);
  return { pairs, rejected, size: rejected / pairs };
}

/** `values`: a score of each run. Equal values give equal deals. */
export function checkSize(values: readonly number[], deals = DEFAULT_DEALS): SizeCheck {
  const rng = new Rng(1);
  let rejected = 0;
  for (let deal = 0; deal < deals; deal++) {
    const drawn = rng.sample(values, 2 * MIN_SEEDS);
    const differences = drawn.slice(MIN_SEEDS).map((value, i) => value - drawn[i]!);
    if (pairedTest(differences).p < SIGNIFICANCE_LEVEL) rejected += 1;
  }
  return { pairs: deals, rejected, size: rejected / deals };
}
