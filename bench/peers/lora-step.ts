/**
 * Compares a LoRA training step of Bowline's engine with one of PEFT on PyTorch, on the same rows: log-probs of the
 * agent's tokens, the adapter's gradient and clipped AdamW. In both programs, the output layer runs only at scored
 * tokens. PyTorch gets the rows sorted by length, in microbatches of the size with which it is fastest.
 */
import { countLoraFlops } from "../../src/bench/flops.ts";
import { Rng } from "../../src/core/index.ts";
import type { ModelConfig, OnnxEngine } from "../../src/engine/index.ts";
import { alternate, fastestMicrobatch, roundTo3Digits, type SideBySide } from "./alternate.ts";
import { compareProducts, type PeerContext } from "./peer-context.ts";

export const LORA_OPTIONS = { rank: 16, alpha: 32, targetModules: "all-linear" } as const;

const ROWS = 16;
const COTANGENT = -1e-4;
const STEP = { learningRate: 1e-6, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0.01 };

/** The lengths of the shortest and the longest row of each comparison, in tokens. */
const LENGTHS = [
  [160, 160],
  [160, 600],
] as const;
/** The share of a row's tokens, at its end, that is scored. */
const SCORED_SHARE = 99 / 160;

export interface LoraComparison {
  readonly lengths: readonly [number, number];
  /** Largest difference between the two programs' log-probs of two rows, which shows that they compute the same. */
  readonly logprobGap: number;
  /** Tokens of the rows that are trained on in a second. */
  readonly tokensPerSecond: SideBySide;
  readonly peerMicrobatch: number;
  /**
   * How fast Bowline computes the floating-point operations that LoRA needs, as a share of the speed of its raw matrix
   * product in the same run.
   */
  readonly shareOfPeak: number;
  readonly oursGflops: number;
  readonly productRatio: number;
}

interface ScoredRow {
  readonly tokens: readonly number[];
  readonly at: readonly number[];
}

/** Compares LoRA steps. The peer must have loaded the engine's base model, without an adapter. */
export async function compareLora(
  engine: OnnxEngine,
  model: ModelConfig,
  context: PeerContext,
): Promise<LoraComparison[]> {
  const { peer } = context;
  await peer.call("adapt", { rank: LORA_OPTIONS.rank, alpha: LORA_OPTIONS.alpha });
  const found: LoraComparison[] = [];
  for (const lengths of context.quick ? LENGTHS.slice(0, 1) : LENGTHS) {
    context.onPhase(`LoRA: ${ROWS} rows of ${lengths.join(" to ")} tokens`);
    const row = await compareRows(engine, model, lengths, context);
    context.onPhase(formatLora(row));
    found.push(row);
  }
  return found;
}

async function compareRows(
  engine: OnnxEngine,
  model: ModelConfig,
  lengths: readonly [number, number],
  context: PeerContext,
): Promise<LoraComparison> {
  const { peer, quick } = context;
  const rows = drawRows(lengths, model.vocabularySize);
  const tokens = rows.reduce((sum, row) => sum + row.tokens.length, 0);
  const cotangents = rows.map(({ at }) => ({ logprobs: at.map(() => COTANGENT) }));
  const logprobGap = await measureLogprobGap(engine, rows.slice(0, 2), context);
  const sorted = rows.toSorted((a, b) => b.tokens.length - a.tokens.length);
  const asked = { rows: sorted.map((row) => row.tokens), asked: sorted.map(({ at }) => at) };
  const timePeerStep = async (microbatch: number) => {
    const given = { ...asked, cotangent: COTANGENT, microbatch };
    return (await peer.call<{ ms: number }>("adapter_step", given)).ms;
  };
  const tokensPerSecondAt = (ms: number) => (1000 * tokens) / ms;
  const measureOurs = async () => {
    const start = performance.now();
    await engine.accumulate(rows, cotangents);
    await engine.update({ ...STEP, maxGradientNorm: 1 });
    return tokensPerSecondAt(performance.now() - start);
  };
  const peerMicrobatch = await fastestMicrobatch(quick ? [8] : [16, 8, 4], timePeerStep);
  await measureOurs();
  const measureTheirs = async () => tokensPerSecondAt(await timePeerStep(peerMicrobatch));
  const { ratio: _, ...sides } = await alternate(quick ? 1 : 3, measureOurs, measureTheirs);
  const products = await compareProducts(context);
  const rowLength = tokens / ROWS;
  const batch = { tokens, rowLength, headTokens: rows.reduce((sum, { at }) => sum + at.length, 0) };
  const gflops = (countLoraFlops(model, batch, LORA_OPTIONS.rank) * sides.ours) / tokens / 1e9;
  return {
    lengths,
    logprobGap,
    tokensPerSecond: { ...sides, ratio: roundTo3Digits(sides.ours / sides.theirs) },
    peerMicrobatch,
    shareOfPeak: roundTo3Digits(gflops / products.oursGflops),
    oursGflops: products.oursGflops,
    productRatio: products.productRatio,
  };
}

/** Draws rows with random tokens. Their lengths are spread evenly between `from` and `to`, in random order. */
function drawRows([from, to]: readonly [number, number], vocabularySize: number): ScoredRow[] {
  const rng = new Rng(7);
  const lengths = Array.from({ length: ROWS }, (_, i) =>
    Math.round(from + ((to - from) * i) / (ROWS - 1)),
  );
  return rng.shuffle(lengths).map((length) => {
    const count = Math.round(SCORED_SHARE * length);
    return {
      tokens: Array.from({ length }, () => rng.integer(1, vocabularySize - 1)),
      at: Array.from({ length: count }, (_, i) => length - count + i),
    };
  });
}

async function measureLogprobGap(
  engine: OnnxEngine,
  rows: readonly ScoredRow[],
  { peer }: PeerContext,
): Promise<number> {
  const ours = (await engine.evaluate(rows)).flatMap(({ logprobs }) => Array.from(logprobs));
  const asked = { rows: rows.map(({ tokens }) => tokens), asked: rows.map(({ at }) => at) };
  const theirs = await peer.call<{ logprobs: number[] }>("asked", asked);
  return roundTo3Digits(Math.max(...ours.map((value, i) => Math.abs(value - theirs.logprobs[i]!))));
}

function formatLora(row: LoraComparison): string {
  const { ours, theirs, ratio } = row.tokensPerSecond;
  return `LoRA, rows of ${row.lengths.join(" to ")}: ${ratio} times PEFT, ${ours} against ${theirs} tokens/s (${Math.round(100 * row.shareOfPeak)}% of our own matrix product, which is ${row.productRatio} times theirs; log-probs ${row.logprobGap} apart)`;
}
