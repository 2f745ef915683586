/**
 * Compares the decoding of Bowline's engine with `generate` of transformers and with llama.cpp, with the same weights
 * in float32. The rows of a batch have different prompts, whose keys and values are already computed.
 */
import type { ModelConfig, OnnxEngine } from "../../src/engine/index.ts";
import { alternate, roundTo3Digits, type SideBySide } from "./alternate.ts";
import { type ContinueRows, type LlamaSide, startLlamaSteps } from "./llama-steps.ts";
import { drawTokenRows, type PeerContext } from "./peer-context.ts";

const CONTEXT = 300;
const [SHORT, LONG] = [4, 20];
const BATCHES = [1, 8, 32];

export interface StepComparison {
  readonly batch: number;
  readonly context: number;
  /** Share of greedy tokens on which Bowline agrees with each of the other two programs. */
  readonly agreement: { readonly transformers: number; readonly llamaCpp?: number };
  /** Milliseconds of a decoding step, which samples one token for every row. */
  readonly transformers: SideBySide;
  readonly llamaCpp?: SideBySide;
}

export async function compareSteps(
  engine: OnnxEngine,
  model: ModelConfig,
  context: PeerContext,
  llama?: LlamaSide,
): Promise<StepComparison[]> {
  const found: StepComparison[] = [];
  for (const batch of context.quick ? BATCHES.slice(0, 1) : BATCHES) {
    context.onPhase(`decoding: batch ${batch}`);
    const prompts = drawTokenRows(batch, CONTEXT, model.vocabularySize);
    const other = llama && (await startLlamaSteps(llama, prompts, context));
    const row = await compareBatch(engine, prompts, context, other);
    for (const line of formatSteps(row)) context.onPhase(line);
    found.push(row);
    await other?.close();
  }
  return found;
}

async function compareBatch(
  engine: OnnxEngine,
  prompts: readonly (readonly number[])[],
  { peer, quick }: PeerContext,
  llama?: { readonly next: ContinueRows },
): Promise<StepComparison> {
  const batch = prompts.length;
  const continueOurs: ContinueRows = async (maxTokens) => {
    const start = performance.now();
    const requests = prompts.map((tokens, stream) => {
      const cacheKey = `${batch}.${stream}`;
      return { tokens, stream, maxTokens, temperature: 0, stopIds: [], cacheKey };
    });
    const samples = await engine.sample(requests);
    return { ms: performance.now() - start, tokens: samples.map((sample) => sample.tokens) };
  };
  await peer.call("prefill", { prompts });
  const continueTheirs: ContinueRows = (maxTokens) =>
    peer.call("continue", { maxTokens, greedy: true });
  const ourTokens = (await continueOurs(LONG)).tokens;
  const agreementWith = async (next: ContinueRows) =>
    shareOfEqualTokens(ourTokens, (await next(LONG)).tokens);
  const rounds = quick ? 1 : 5;
  const compareWith = async (next: ContinueRows) => ({
    agreement: await agreementWith(next),
    sides: await alternate(rounds, timePerStep(continueOurs), timePerStep(next)),
  });
  const transformers = await compareWith(continueTheirs);
  const llamaCpp = llama && (await compareWith(llama.next));
  for (const stream of prompts.keys()) engine.release(`${batch}.${stream}`);
  return {
    batch,
    context: CONTEXT,
    agreement: {
      transformers: transformers.agreement,
      ...(llamaCpp && { llamaCpp: llamaCpp.agreement }),
    },
    transformers: transformers.sides,
    ...(llamaCpp && { llamaCpp: llamaCpp.sides }),
  };
}

/**
 * Measures the time for a short and for a long continuation, and returns the difference for each token, so that the
 * fixed cost of a call does not count.
 */
const timePerStep = (next: ContinueRows) => async () => {
  const short = (await next(SHORT)).ms;
  return ((await next(LONG)).ms - short) / (LONG - SHORT);
};

function shareOfEqualTokens(
  ours: readonly (readonly number[])[],
  theirs: readonly (readonly number[])[],
): number {
  const pairs = ours.flatMap((row, i) => row.map((token, at) => token === theirs[i]![at]));
  return roundTo3Digits(pairs.filter(Boolean).length / pairs.length);
}

function formatSteps({ batch, context, agreement, ...sides }: StepComparison): string[] {
  return (["transformers", "llamaCpp"] as const).flatMap((name) => {
    const side = sides[name];
    if (!side) return [];
    return `decoding, batch ${batch}, context ${context}: ${side.ratio} times ${name}, ${side.ours} against ${side.theirs} ms a step (${100 * agreement[name]!}% of greedy tokens agree)`;
  });
}
