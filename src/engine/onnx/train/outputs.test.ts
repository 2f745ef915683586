import { expect, test } from "vitest";
import { isPolicyZero, multiplyByRatios } from "./outputs.ts";

const vector = (...values: number[]) => Float32Array.from(values);

test("the policy has no gradient only where every cotangent of log-probs and entropies is zero", () => {
  expect(isPolicyZero({ logprobs: vector(0, -0) })).toBe(true);
  expect(isPolicyZero({ logprobs: vector(1, 1) })).toBe(false);
  expect(isPolicyZero({ logprobs: vector(0, -1) })).toBe(false);
  expect(isPolicyZero({ logprobs: vector(0), entropies: vector(0) })).toBe(true);
  expect(isPolicyZero({ logprobs: vector(0), entropies: vector(1) })).toBe(false);
});

test("derivatives are multiplied by the ratio, up to and including its bounds, and are zero beyond them", async () => {
  const logprobs = vector(0, 0, 0, 0, 0);
  const cotangents = {
    logprobs: vector(9, 9, 9, 9, 9),
    ratio: {
      slopes: Float64Array.of(2, 2, 2, 2, 2),
      oldLogprobs: Float64Array.of(0, 0, 0, Math.log(2), -Math.log(2)),
      lowest: Float64Array.of(0, 1, 1.5, 0, 0),
      highest: Float64Array.of(1, 9, 9, 9, 1.5),
    },
  };
  const multiplied = await multiplyByRatios(cotangents, async () => ({ logprobs }));
  expect([...multiplied.logprobs]).toEqual([2, 2, 0, 1, 0]);
  const without = { logprobs: vector(3) };
  expect(await multiplyByRatios(without, () => expect.unreachable())).toBe(without);
});
