/** Makes the short token rows that probes use, and compares log-probs. */
import { Rng } from "../../../core/index.ts";
import type { Example } from "./probed-model.ts";

/** The range of token ids used; nearly every vocabulary has them, also the tiny ones of tests. */
const LOW_ID = 4;
const HIGH_ID = 40;

/** Returns `length` random tokens, the same for the same seed. The vocabulary must have more than four ids. */
export function randomTokens(seed: number, length: number, vocabularySize = Infinity): number[] {
  const rng = new Rng(seed);
  return Array.from({ length }, () => rng.integer(LOW_ID, Math.min(HIGH_ID, vocabularySize - 1)));
}

/** Makes an example with advantages of 1 on the last `actions` tokens. Its log-probs are 0, to be replaced later. */
export function createExample(tokens: readonly number[], actions = tokens.length - 1): Example {
  const targets = tokens.slice(1);
  const mask = targets.map((_, i) => (i >= targets.length - actions ? 1 : 0));
  return {
    inputs: tokens.slice(0, -1),
    targets,
    advantages: mask,
    logprobs: targets.map(() => 0),
  };
}

export function withLogprobs(example: Example, logprobs: readonly number[]): Example {
  return { ...example, logprobs };
}

export function maxDifference(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length || a.length === 0) return Number.NaN;
  return Math.max(...a.map((value, i) => Math.abs(value - b[i]!)));
}

export function meanDifference(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length || a.length === 0) return Number.NaN;
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0) / a.length;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Returns whether the value is within the relative `tolerance` of `expected`. */
export function isNear(value: number, expected: number, tolerance = 0.25): boolean {
  return Math.abs(value - expected) <= tolerance * Math.abs(expected);
}
