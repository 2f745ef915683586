/**
 * Whether two methods differ by more than chance, on the same tasks and seeds.
 *
 * A block is one scenario under one seed: its tasks share a signature and its policies a warm start, so they are no
 * independent trials. Under the hypothesis that two methods are alike, the sign of each block's difference is a coin
 * (paired permutation test, two-sided). The p-values of all pairs are corrected by Holm's step-down procedure (1979).
 * What this cannot see: with few seeds, how much a method varies from training run to training run.
 */
import { assert, Rng } from "../../core/index.ts";

/** The outcome of one task under one seed. */
export interface Outcome {
  readonly seed: number;
  readonly scenario: string;
  readonly task: string;
  readonly passed: boolean;
}

export interface PairedDifference {
  /** Mean over tasks and seeds of a's passes minus b's; a share. */
  readonly difference: number;
  readonly p: number;
}

const PERMUTATIONS = 9999;

/** Throws a bug when the two were not scored on the same tasks and seeds. */
export function pairedTest(a: readonly Outcome[], b: readonly Outcome[]): PairedDifference {
  const passedByB = new Map(b.map((outcome) => [keyOf(outcome), outcome.passed]));
  assert(a.length === b.length && a.length > 0, `${a.length} outcomes against ${b.length}`);
  const blocks = new Map<string, number>();
  for (const outcome of a) {
    const other = passedByB.get(keyOf(outcome));
    assert(other !== undefined, `no second outcome of ${keyOf(outcome)}`);
    const block = `${outcome.seed} ${outcome.scenario}`;
    blocks.set(block, (blocks.get(block) ?? 0) + Number(outcome.passed) - Number(other));
  }
  const sums = [...blocks.values()].filter((sum) => sum !== 0);
  const total = sums.reduce((sum, value) => sum + value, 0);
  const rng = new Rng(1);
  let asExtreme = 0;
  for (let i = 0; i < PERMUTATIONS; i++) {
    let flipped = 0;
    for (const sum of sums) flipped += rng.chance(0.5) ? sum : -sum;
    if (Math.abs(flipped) >= Math.abs(total)) asExtreme += 1;
  }
  return { difference: total / a.length, p: (asExtreme + 1) / (PERMUTATIONS + 1) };
}

/** p-values under Holm's correction, in the order given: the i-th smallest of m times m - i + 1, never falling. */
export function holm(values: readonly number[]): number[] {
  const order = [...values.keys()].sort((i, j) => values[i]! - values[j]!);
  const adjusted = new Array<number>(values.length);
  let largest = 0;
  order.forEach((index, rank) => {
    largest = Math.max(largest, Math.min(1, values[index]! * (values.length - rank)));
    adjusted[index] = largest;
  });
  return adjusted;
}

const keyOf = ({ seed, task }: Outcome) => `${seed} ${task}`;
