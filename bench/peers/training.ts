/**
 * Compares a training step of Bowline's engine with one of PyTorch, with the same weights and rows: log-probs of all
 * tokens, gradients and clipped AdamW. PyTorch gets microbatches of the size with which it is fastest, which is
 * measured first.
 */

import { createBenchModel, SIZES, type Size } from "../../src/bench/shapes.ts";
import type { Engine } from "../../src/spec/index.ts";
import {
  alternate,
  compareMedians,
  fastestMicrobatch,
  roundTo3Digits,
  type SideBySide,
} from "./alternate.ts";
import { compareProducts, drawTokenRows, type PeerContext, withEngine } from "./peer-context.ts";

const ROWS = 16;
const LENGTH = 256;
const VOCABULARY = 512;
const COTANGENT = -1e-4;
const STEP = {
  learningRate: 1e-6,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0.01,
  maxGradientNorm: 1,
};

export interface TrainingComparison {
  readonly hiddenSize: number;
  readonly layers: number;
  readonly params: number;
  /** Largest difference between the two programs' log-probs, which shows that they compute the same. */
  readonly logprobGap: number;
  /** Milliseconds of the forward and backward pass. */
  readonly gradients: SideBySide;
  /** Milliseconds of the forward and backward pass, clipping and AdamW. */
  readonly step: SideBySide;
  readonly peerMicrobatch: number;
  readonly oursGflops: number;
  readonly theirsGflops: number;
  readonly productRatio: number;
}

export async function compareTraining(
  context: PeerContext,
  sizes: readonly Size[] = SIZES.slice(0, context.quick ? 1 : 5),
): Promise<TrainingComparison[]> {
  const found: TrainingComparison[] = [];
  for (const size of sizes) {
    context.onPhase(`training: d ${size[0]}, ${size[1]} layers`);
    const model = createBenchModel(size, { vocabularySize: VOCABULARY, contextLength: LENGTH });
    found.push(await withEngine(model, context, (engine) => compareSize(engine, size, context)));
  }
  return found;
}

interface PeerStep {
  readonly gradientMs: number;
  readonly updateMs: number;
}

async function compareSize(
  engine: Engine,
  [hiddenSize, layers]: Size,
  context: PeerContext,
): Promise<TrainingComparison> {
  const { peer, quick } = context;
  const tokens = drawTokenRows(ROWS, LENGTH, VOCABULARY);
  const at = Array.from({ length: LENGTH - 1 }, (_, i) => i + 1);
  const rows = tokens.map((row) => ({ tokens: row, at }));
  const cotangents = rows.map(() => ({ logprobs: new Float32Array(at.length).fill(COTANGENT) }));
  const logprobGap = await measureLogprobGap(engine, rows.slice(0, 2), context);
  const runPeerStep = (microbatch: number) =>
    peer.call<PeerStep>("train", { rows: tokens, cotangent: COTANGENT, microbatch, step: true });
  const peerMicrobatch = await fastestMicrobatch(
    [16, 8, 4, 2],
    async (microbatch) => (await runPeerStep(microbatch)).gradientMs,
  );
  const gradients: [number[], number[]] = [[], []];
  const timeOurs = async () => {
    const start = performance.now();
    await engine.accumulate(rows, cotangents);
    gradients[0].push(performance.now() - start);
    await engine.update(STEP);
    return performance.now() - start;
  };
  const timeTheirs = async () => {
    const { gradientMs, updateMs } = await runPeerStep(peerMicrobatch);
    gradients[1].push(gradientMs);
    return gradientMs + updateMs;
  };
  await timeOurs();
  gradients[0].pop();
  const step = await alternate(quick ? 2 : 9, timeOurs, timeTheirs);
  return {
    hiddenSize,
    layers,
    params: engine.info.parameters,
    logprobGap,
    gradients: compareMedians(...gradients),
    step,
    peerMicrobatch,
    ...(await compareProducts(context)),
  };
}

async function measureLogprobGap(
  engine: Engine,
  rows: readonly { readonly tokens: readonly number[]; readonly at: readonly number[] }[],
  { peer }: PeerContext,
): Promise<number> {
  const ours = await engine.evaluate(rows);
  const tokens = rows.map((row) => row.tokens);
  const theirs = await peer.call<{ logprobs: number[][] }>("evaluate", { rows: tokens });
  const gaps = ours.flatMap(({ logprobs }, i) =>
    Array.from(logprobs, (value, t) => Math.abs(value - theirs.logprobs[i]![t]!)),
  );
  return roundTo3Digits(Math.max(...gaps));
}
