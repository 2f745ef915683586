/** Tests the engine with long prompts that share a prefix: cached prefixes are dropped when the weights change. */
import { afterAll, expect, test } from "vitest";
import { Rng } from "../../../core/index.ts";
import type { Row, SampleRequest } from "../../../spec/index.ts";
import { createOnnxEngine } from "./onnx-engine.ts";

const engine = await createOnnxEngine({
  model: {
    vocabularySize: 32,
    hiddenSize: 24,
    layers: 2,
    heads: 4,
    kvHeads: 2,
    headSize: 8,
    intermediateSize: 32,
    contextLength: 800,
    ropeTheta: 10_000,
    rmsNormEpsilon: 1e-6,
    tieEmbeddings: true,
    qkNorm: false,
    qkvBias: true,
  },
  seed: 4,
  threads: 1,
});
afterAll(() => engine.close());

const rng = new Rng(8);
const randomTokens = (length: number) => Array.from({ length }, () => rng.integer(0, 31));
const common = randomTokens(600);
const requests = [0, 1, 2, 3].map(
  (stream): SampleRequest => ({
    tokens: [...common, ...randomTokens(5 + 20 * stream)],
    stream,
    maxTokens: 60,
    temperature: 1,
    stopIds: [],
    cacheKey: `row ${stream}`,
  }),
);
const optimizer = {
  learningRate: 0.05,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0,
  maxGradientNorm: 1,
};

/** Samples all requests, and returns how far their log-probs are from those of `evaluate`, which uses no cache. */
async function sampleAndCompare() {
  const samples = await engine.sample(requests);
  const rows = samples.map(({ tokens }, i): Row => {
    const before = requests[i]!.tokens;
    return { tokens: [...before, ...tokens], at: tokens.map((_, k) => before.length + k) };
  });
  const outputs = await engine.evaluate(rows);
  const gaps = samples.flatMap(({ logprobs }, i) =>
    logprobs.map((logprob, k) => Math.abs(logprob - outputs[i]!.logprobs[k]!)),
  );
  return { samples, rows, gap: Math.max(...gaps) };
}

test("after publish, sampling uses no cached prefix of the old weights", async () => {
  const before = await sampleAndCompare();
  expect(before.gap).toBeLessThan(1e-5);
  expect((await sampleAndCompare()).samples).toEqual(before.samples);
  const cotangents = before.rows.map(({ at }) => ({ logprobs: Array.from(at, () => -0.1) }));
  await engine.accumulate(before.rows, cotangents);
  await engine.update({ policy: optimizer });
  await engine.publish();
  const after = await sampleAndCompare();
  expect(after.gap).toBeLessThan(1e-5);
  expect(after.samples.map(({ tokens }) => tokens)).not.toEqual(
    before.samples.map(({ tokens }) => tokens),
  );
});
