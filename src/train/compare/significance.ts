/**
 * Whether two methods differ by more than training runs differ by chance: a paired t test over runs.
 *
 * A pair is two runs from one warm start, one by each method; its value is the difference of their scores. What is
 * inside a run (tasks, scenarios) says how well that one policy does and nothing of the next run, so it adds no degrees
 * of freedom: taken as units, scenarios call two samples of one method different a third of the time (the tests show
 * it).
 */
import {
  type Interval,
  meanInterval,
  sampleStandardDeviation,
  twoSidedPValue,
} from "../../algo/index.ts";
import { assert } from "../../core/index.ts";
import { meanOrZero } from "../../methods/index.ts";

export interface PairedTest {
  readonly difference: number;
  /** 95%, uncorrected. */
  readonly interval: Interval;
  /** Two-sided. 1 where no pair differs. */
  readonly p: number;
}

/** Student's paired t test of the differences of at least two pairs. */
export function pairedTest(differences: readonly number[]): PairedTest {
  const n = differences.length;
  assert(n > 1, `a test over ${n} pair`);
  const difference = meanOrZero(differences);
  const error = sampleStandardDeviation(differences)! / Math.sqrt(n);
  const p = difference === 0 ? 1 : twoSidedPValue(difference / error, n - 1);
  return { difference, interval: meanInterval(differences)!, p };
}

/**
 * p-values under Holm's correction (1979), in the order given: the i-th smallest of m times m - i + 1, never falling.
 * `of`: how many tests were fixed, where fewer were done; a test that was not done counts as one with p = 1.
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
