/**
 * Implements the learning test with the functions that every engine has: an update calls `evaluate`, computes the
 * cotangents of the clipped objective, and calls `accumulate`, `update` and `publish`.
 */
import { createTinkerEngine } from "../../../src/engine/index.ts";
import type { Engine } from "../../../src/spec/index.ts";
import { type Learner, mean, PROMPT, type SampledTokens, VOCABULARY } from "./learner.ts";

const CLIP = 0.2;
const CONTEXT = 64;

export async function createEngineLearner(url: string, learningRate: number): Promise<Learner> {
  const apiKey = process.env["TINKER_API_KEY"];
  const engine = await createTinkerEngine({
    url,
    ...(apiKey && { apiKey }),
    rank: 8,
    seed: 1,
    vocabularySize: VOCABULARY,
    contextLength: CONTEXT,
  });
  return {
    what: "engine",
    async sample(iteration, count, maxTokens) {
      const requests = Array.from({ length: count }, (_, k) => ({
        tokens: PROMPT,
        stream: iteration * count + k,
        maxTokens,
        temperature: 1,
        stopIds: [],
      }));
      return engine.sample(requests);
    },
    update: (sampled, advantages) => takeStep(engine, sampled, advantages, learningRate),
    close: () => engine.close(),
  };
}

async function takeStep(
  engine: Engine,
  sampled: readonly SampledTokens[],
  advantages: readonly number[],
  learningRate: number,
): Promise<Readonly<Record<string, number>>> {
  const rows = sampled.map(({ tokens }) => ({
    tokens: [...PROMPT, ...tokens],
    at: tokens.map((_, t) => PROMPT.length + t),
  }));
  const current = await engine.evaluate(rows);
  const cotangents = current.map(({ logprobs }, k) => {
    const cotangentOf = (lp: number, t: number) =>
      clippedDerivative(lp - sampled[k]!.logprobs[t]!, advantages[k]!) /
      (sampled.length * logprobs.length);
    return { logprobs: Array.from(logprobs, cotangentOf) };
  });
  await engine.accumulate(rows, cotangents);
  const { gradientNorm } = await engine.update({
    learningRate,
    beta1: 0.9,
    beta2: 0.95,
    epsilon: 1e-8,
    weightDecay: 0,
    maxGradientNorm: engine.info.capabilities.gradientClip ? 1 : 1e9,
  });
  await engine.publish();
  const gaps = sampled.flatMap(({ logprobs }, k) =>
    logprobs.map((value, t) => Math.abs(value - current[k]!.logprobs[t]!)),
  );
  return { gap: mean(gaps), gradientNorm };
}

/**
 * Returns the derivative of -min(r A, clip(r) A) with respect to the log-prob. `logRatio` is log r, and `advantage` is
 * A.
 */
function clippedDerivative(logRatio: number, advantage: number): number {
  const ratio = Math.exp(logRatio);
  const clipped = advantage > 0 ? ratio > 1 + CLIP : ratio < 1 - CLIP;
  return clipped ? 0 : -ratio * advantage;
}
