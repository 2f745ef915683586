import { expect, test } from "vitest";
import { benchPrefix } from "../../src/bench/prefix/prefix-bench.ts";

test("the prefix benchmark computes the same gradient and log-probs with and without shared prefixes", async () => {
  const phases: string[] = [];
  const { train, sample, work } = await benchPrefix({
    layers: 1,
    rows: 3,
    shared: 700,
    own: 8,
    threads: 1,
    rounds: 1,
    onPhase: (what) => phases.push(what),
  });
  expect(phases).toHaveLength(4);
  expect(work.rows).toBe(3);
  expect(train.gradientError).toBeGreaterThan(0);
  expect(train.gradientError).toBeLessThan(1e-5);
  expect(sample.rollouts).toBe(6);
  expect(sample.logprobError).toBeGreaterThan(0);
  expect(sample.logprobError).toBeLessThan(1e-5);
  expect(sample.compared).toBeGreaterThan(0.5);
  for (const { seconds, peakMb, tokensPerSecond } of [train, sample].flatMap(({ once, apart }) => [
    once,
    apart,
  ])) {
    expect(seconds).toBeGreaterThan(0);
    expect(peakMb).toBeGreaterThan(0);
    expect(tokensPerSecond).toBeGreaterThan(0);
  }
  expect(train.speedup).toBeCloseTo(train.apart.seconds / train.once.seconds, 1);
});

test("when a process of the prefix benchmark fails, the benchmark reports its error", async () => {
  const work = { layers: 1, rows: 2, shared: 9000, own: 8, threads: 1, rounds: 1 };
  await expect(benchPrefix(work)).rejects.toThrow("context is 8192");
});
