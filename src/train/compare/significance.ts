/**
 * Tests with a paired t test over runs whether two methods differ by more than chance differences between runs.
 *
 * A pair is two runs from one warm start, one by each method; its value is the difference of their scores. Tasks and
 * scenarios of a run tell about that one policy and not about the next run, so they add no degrees of freedom. If
 * scenarios were the units, the test would call two sets of runs of the same method different in a third of all cases,
 * as the unit tests show.
 */
import {
  areAllEqual,
  type Interval,
  meanInterval,
  sampleStandardDeviation,
  twoSidedPValue,
} from "../../algo/index.ts";
import { assert } from "../../core/index.ts";
import { meanOrZero } from "../../methods/index.ts";

/** The result of a paired t test. */
export interface PairedTest {
  readonly difference: number;
  /** The 95% interval, without correction for several tests; undefined if all pairs differ equally. */
  readonly interval: Interval | undefined;
  /**
   * The two-sided p-value; 1 if no pair differs, and undefined if all pairs differ equally: without a spread between
   * pairs there is no t test.
   */
  readonly p: number | undefined;
}

/** Runs Student's paired t test on the differences of pairs. It needs at least two pairs. */
export function pairedTest(differences: readonly number[]): PairedTest {
  const n = differences.length;
  assert(n > 1, `a test over ${n} pair`);
  const difference = meanOrZero(differences);
  if (areAllEqual(differences)) {
    const p = areAllEqual([0, ...differences]) ? 1 : undefined;
    return { difference, interval: undefined, p };
  }
  const error = sampleStandardDeviation(differences)! / Math.sqrt(n);
  const p = twoSidedPValue(difference / error, n - 1);
  return { difference, interval: meanInterval(differences), p };
}

/**
 * Corrects the p-values of several tests by Holm's procedure (1979) and returns them in the same order. The i-th
 * smallest of m p-values is multiplied by m - i + 1, and is at least as large as the corrected smaller ones. `of` is
 * the number of planned tests, if fewer were done; a planned test that was not done counts with p = 1.
 */
export function adjustByHolm(values: readonly number[], of = values.length): number[] {
  const order = [...values.keys()].sort((i, j) => values[i]! - values[j]!);
  const adjusted = new Array<number>(values.length);
  let largest = 0;
  order.forEach((index, rank) => {
    largest = Math.max(largest, Math.min(1, values[index]! * (of - rank)));
    adjusted[index] = largest;
  });
  return adjusted;
}
