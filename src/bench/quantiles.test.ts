import { expect, test } from "vitest";
import { computeQuantiles, measureQuantiles } from "./quantiles.ts";

test("computeQuantiles interpolates between neighbouring times", () => {
  expect(computeQuantiles([4, 1, 3, 2])).toEqual({ p50: 2.5, p99: 3.97 });
  expect(computeQuantiles([7])).toEqual({ p50: 7, p99: 7 });
});

test("one slow round changes neither the median nor the 99th percentile", async () => {
  const seen: number[] = [];
  const result = await measureQuantiles(3, 2, async (index) => {
    seen.push(index);
    return index < 2 ? 1000 : 1 + (index % 2);
  });
  expect(seen).toEqual([0, 1, 2, 3, 4, 5]);
  expect(result).toEqual({ p50: 1.5, p99: 1.99 });
});
