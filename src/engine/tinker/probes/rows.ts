/** The few tokens that probes are made of, and the arithmetic on log-probs that they share. */
import { Rng } from "../../../core/index.ts";
import type { Example } from "./probed-model.ts";

/** Ids that nearly every vocabulary has, tiny ones of tests included. */
const LOW_ID = 4;
const HIGH_ID = 40;

/** `length` tokens, the same for the same seed, of a vocabulary of more than four ids. */
export function randomTokens(seed: number, length: number, vocabularySize = Infinity): number[] {
  const rng = new Rng(seed);
  return Array.from({ length }, () => rng.integer(LOW_ID, Math.min(HIGH_ID, vocabularySize - 1)));
}

/** Advantages of 1 on the last `actions` tokens; the old log-probs are there to be replaced. */
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

export function maxGap(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length || a.length === 0) return Number.NaN;
  return Math.max(...a.map((value, i) => Math.abs(value - b[i]!)));
}

export function meanGap(a: readonly number[], b: readonly number[]): number {
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

/** Within `tolerance` of `expected`, relative to it. */
export function isNear(value: number, expected: number, tolerance = 0.25): boolean {
  return Math.abs(value - expected) <= tolerance * Math.abs(expected);
}
