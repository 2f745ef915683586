/**
 * Compares filtered draws with what transformers keeps (tests/golden/filters.json, made by make_filters.py), and with
 * the distribution that they are drawn from.
 */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Rng } from "../../../core/index.ts";
import type { SampleFilter } from "../../../spec/index.ts";
import { drawFiltered, effectiveFilter, keepTokens } from "./filtered-draw.ts";

interface FilterCase extends SampleFilter {
  readonly logits: readonly number[];
  readonly temperature: number;
  readonly kept: readonly number[];
  readonly logprobs: readonly number[];
}

const path = new URL("../../../../tests/golden/filters.json", import.meta.url);
const golden = JSON.parse(readFileSync(path, "utf8")) as { readonly cases: readonly FilterCase[] };

function listKept(scores: Float32Array, filter: SampleFilter): number[] {
  const largest = Math.max(...scores);
  return [...keepTokens(scores, largest, filter).kept];
}

/** Returns the tokens that draws with many uniform numbers give, with their log-probs. */
function listDraws(logits: readonly number[], temperature: number, filter: SampleFilter) {
  const row = Float32Array.from(logits);
  const draws = Array.from({ length: 4000 }, (_, i) =>
    drawFiltered(row, temperature, filter, i / 4000),
  );
  return new Map(draws.map(({ token, logprob }) => [token, logprob]));
}

const nameCase = ({ logits, temperature, topK, topP, minP }: FilterCase) =>
  `${logits.length} logits from ${logits[0]}, ${JSON.stringify({ temperature, topK, topP, minP })}`;
const cases = golden.cases.map((one) => [nameCase(one), one] as const);

describe("filters keep the tokens that transformers keeps, with its log-probs", () => {
  test.each(cases)("%s", (_, { logits, temperature, kept, logprobs, ...filter }) => {
    const scores = Float32Array.from(logits, (logit) => logit * Math.fround(1 / temperature));
    expect(listKept(scores, filter)).toEqual(kept);
    for (const [token, logprob] of listDraws(logits, temperature, filter)) {
      expect(kept).toContain(token);
      expect(logprob).toBeCloseTo(logprobs[kept.indexOf(token)]!, 4);
    }
  });
});

/** Returns the ids that a plain implementation by sorting keeps. It follows the definitions and not the shortcuts. */
function keepBySorting(
  scores: Float32Array,
  { topK = Infinity, topP = 1, minP = 0 }: SampleFilter,
): number[] {
  let ids = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]! || b - a);
  const least = scores[ids[Math.min(topK, ids.length) - 1]!]!;
  ids = ids.filter((id) => scores[id]! >= least);
  const weights = ids.map((id) => Math.exp(scores[id]! - scores[ids[0]!]!));
  const total = weights.reduce((a, b) => a + b, 0);
  const sumBefore = (index: number) => weights.slice(0, index).reduce((a, b) => a + b, 0);
  if (topP < 1) ids = ids.filter((_, i) => i === 0 || sumBefore(i) < topP * total);
  return ids.filter((id) => Math.exp(scores[id]! - scores[ids[0]!]!) >= minP).sort((a, b) => a - b);
}

test("the shortcuts keep the same tokens as sorting the whole vocabulary, for any spread of the logits", () => {
  const situation = fc.record({
    seed: fc.integer({ min: 0, max: 1e6 }),
    size: fc.integer({ min: 1, max: 300 }),
    spread: fc.constantFrom(0, 0.5, 3, 12, 60),
    filter: fc.record(
      {
        topK: fc.integer({ min: 1, max: 320 }),
        topP: fc.double({ min: 0, max: 0.99, noNaN: true }),
        minP: fc.double({ min: 0, max: 1, noNaN: true }),
      },
      { requiredKeys: [] },
    ),
  });
  const property = fc.property(situation, ({ seed, size, spread, filter }) => {
    const rng = new Rng(seed);
    // Rounded scores have ties.
    const scores = Float32Array.from(
      { length: size },
      () => Math.round(spread * (rng.uniform() - 0.5) * 8) / 8,
    );
    expect(listKept(scores, filter)).toEqual(keepBySorting(scores, filter));
  });
  fc.assert(property, { seed: 2611, numRuns: 300 });
});

test("the drawn token is where the uniform number falls among the kept tokens, in the order of their ids", () => {
  const logits = Float32Array.of(2, -1, 2, 1, 2);
  // The three largest logits are equal, so each has a third.
  const draws = [0, 0.33, 0.34, 0.66, 0.67, 1 - 2 ** -24].map((uniform) =>
    drawFiltered(logits, 1, { topK: 2 }, uniform),
  );
  expect(draws.map(({ token }) => token)).toEqual([0, 0, 2, 2, 4, 4]);
  for (const { logprob } of draws) expect(logprob).toBeCloseTo(Math.log(1 / 3), 6);
});

test("a filter that removes nothing, and any filter at temperature 0, is no filter", () => {
  const at = (filter: SampleFilter, temperature = 1) =>
    effectiveFilter({ filter, temperature }, 100);
  expect(at({})).toBeUndefined();
  expect(at({ topK: 100, topP: 1, minP: 0 })).toBeUndefined();
  expect(at({ topK: 1 }, 0)).toBeUndefined();
  expect(at({ topK: 99 })).toEqual({ topK: 99 });
  expect(at({ topP: 0.99 })).toEqual({ topP: 0.99 });
});

test("logits that are not finite give a log-prob of NaN", () => {
  for (const bad of [Number.NaN, Infinity]) {
    const draw = drawFiltered(Float32Array.of(0, bad, 1), 1, { topP: 0.5 }, 0.5);
    expect(draw.logprob).toBeNaN();
  }
});
