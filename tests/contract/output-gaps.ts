/** Measures how far the log-probs of samples and of evaluations are apart. */
import { expect } from "vitest";
import type { Sample, TokenOutputs } from "../../src/spec/index.ts";

/** What two samples are compared by. */
type Compared = Pick<Sample, "tokens" | "logprobs">;

/** Expects equal samples. With a `rounding` above 0, log-probs may differ by less than it. */
export function expectSameSamples<S extends Compared>(
  found: readonly S[],
  expected: readonly S[],
  rounding: number,
): void {
  if (rounding === 0) {
    expect(found).toEqual(expected);
    return;
  }
  const withoutLogprobs = (samples: readonly S[]) =>
    samples.map((sample) => ({ ...sample, logprobs: [] }));
  expect(withoutLogprobs(found)).toEqual(withoutLogprobs(expected));
  const gaps = found.flatMap(({ logprobs }, i) =>
    logprobs.map((value, j) => Math.abs(value - expected[i]!.logprobs[j]!)),
  );
  expect(Math.max(...gaps)).toBeLessThan(rounding);
}

export function largestSampleGap(
  samples: readonly Sample[],
  outputs: readonly TokenOutputs[],
): number {
  const gaps = samples.flatMap(({ logprobs }, i) =>
    logprobs.map((value, j) => Math.abs(value - outputs[i]!.logprobs[j]!)),
  );
  expect(gaps.length).toBeGreaterThan(0);
  return Math.max(...gaps);
}

export function largestOutputGap(a: readonly TokenOutputs[], b: readonly TokenOutputs[]): number {
  return Math.max(
    ...a.flatMap(({ logprobs }, i) =>
      [...logprobs].map((value, j) => Math.abs(value - b[i]!.logprobs[j]!)),
    ),
  );
}

export function meanLogprob(outputs: readonly TokenOutputs[]): number {
  const all = outputs.flatMap(({ logprobs }) => [...logprobs]);
  return all.reduce((a, b) => a + b, 0) / all.length;
}
