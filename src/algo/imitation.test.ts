import { expect, test } from "vitest";
import { centralDifference } from "../testing/finite-differences.ts";
import { imitationCotangents, imitationLoss, weightsFromReturns } from "./index.ts";

const rows = [{ logprobs: [-1, -2, -0.5] }, { logprobs: [-4] }];

test("the imitation loss is the mean over all action tokens, not the mean over rows", () => {
  expect(imitationLoss(rows)).toBeCloseTo(7.5 / 4, 12);
});

test("imitation cotangents equal the loss's central differences", () => {
  const cotangents = imitationCotangents(rows.map(({ logprobs }) => logprobs.length));
  const h = 1e-6;
  rows.forEach((row, i) => {
    row.logprobs.forEach((value, t) => {
      const lossAt = (p: number) =>
        imitationLoss(rows.with(i, { logprobs: row.logprobs.with(t, p) }));
      const slope = (lossAt(value + h) - lossAt(value - h)) / (2 * h);
      expect(cotangents[i]!.logprobs[t]!).toBeCloseTo(slope, 8);
    });
  });
});

test("derivatives of a part of a batch are divided by the number of tokens in the whole batch", () => {
  expect(imitationCotangents([2], 8)).toEqual([{ logprobs: Float64Array.of(-0.125, -0.125) }]);
});

test("imitation without any action token fails an assertion", () => {
  expect(() => imitationLoss([])).toThrow(/action token/);
  expect(() => imitationCotangents([0])).toThrow(/action token/);
});

test("row weights scale the cotangents but do not change the divisor", () => {
  const weights = [1.5, 0.5];
  const weighted = rows.map((row, i) => ({ ...row, weight: weights[i]! }));
  expect(imitationLoss(weighted)).toBeCloseTo((1.5 * 3.5 + 0.5 * 4) / 4, 12);
  const cotangents = imitationCotangents([3, 1], 4, weights);
  weighted.forEach((row, i) => {
    row.logprobs.forEach((value, t) => {
      const lossAt = (p: number) =>
        imitationLoss(weighted.with(i, { ...row, logprobs: row.logprobs.with(t, p) }));
      expect(cotangents[i]!.logprobs[t]!).toBeCloseTo(centralDifference(lossAt, value), 8);
    });
  });
});

test("weights from returns grow exponentially and have mean 1, however large the returns are", () => {
  const [low, high] = weightsFromReturns([0, 1], 0.5);
  expect(high! / low!).toBeCloseTo(Math.exp(2), 10);
  expect(low! + high!).toBeCloseTo(2, 12);
  expect(weightsFromReturns([1000, 1000], 0.1)).toEqual([1, 1]);
});
