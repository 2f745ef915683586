import { expect, test } from "vitest";
import { Rng } from "../core/index.ts";
import { sampledEntropy } from "./sampled-entropy.ts";

test("the sampled entropy counts sampled tokens of all rows alike", () => {
  const row = (mask: (0 | 1)[], logprobs: number[]) => ({ ids: mask.map(() => 1), mask, logprobs });
  const rollouts = [
    { tokens: row([0, 1, 1], [0, -1, -2]), segments: [row([1], [-6])] },
    { tokens: row([0], [0]) },
    {},
  ];
  expect(sampledEntropy(rollouts)).toBe(3);
  expect(sampledEntropy([{}])).toBeUndefined();
});

test("it estimates the entropy of the distribution from which tokens are sampled", () => {
  const shares = [0.5, 0.3, 0.2];
  const entropy = -shares.reduce((sum, p) => sum + p * Math.log(p), 0);
  const rng = new Rng(1);
  const logprobs = Array.from({ length: 40_000 }, () => {
    const u = rng.uniform();
    return Math.log(u < 0.5 ? 0.5 : u < 0.8 ? 0.3 : 0.2);
  });
  const mask = logprobs.map(() => 1 as const);
  const estimate = sampledEntropy([{ tokens: { ids: mask, mask, logprobs } }])!;
  // Four standard errors.
  expect(Math.abs(estimate - entropy)).toBeLessThan(0.008);
});
