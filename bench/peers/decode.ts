/**
 * Compares decoding at batch 64 and context 512 with `generate` of transformers, on the same weights and prompt. The
 * time for a short continuation is subtracted from the time for a long one, so that neither prefill nor the fixed cost
 * of a call counts.
 */

import { createBenchModel, SIZES, type Size } from "../../src/bench/shapes.ts";
import type { Engine } from "../../src/spec/index.ts";
import { alternate, type SideBySide } from "./alternate.ts";
import { compareProducts, drawTokenRows, type PeerContext, withEngine } from "./peer-context.ts";

const CONTEXT = 512;
const VOCABULARY = 512;
const SHORT = 4;
const LONG = 36;

export interface DecodeComparison {
  readonly hiddenSize: number;
  readonly layers: number;
  readonly params: number;
  readonly batch: number;
  readonly context: number;
  /** Share of 32 greedy tokens on which both programs agree, which shows that they compute the same. */
  readonly greedyAgreement: number;
  /** Milliseconds of a decoding step, which samples one token for every row. */
  readonly step: SideBySide;
  readonly oursGflops: number;
  readonly theirsGflops: number;
  readonly productRatio: number;
}

export async function compareDecode(
  context: PeerContext,
  sizes: readonly Size[] = SIZES.slice(0, context.quick ? 1 : 4),
  batch = 64,
): Promise<DecodeComparison[]> {
  const found: DecodeComparison[] = [];
  for (const size of sizes) {
    context.onPhase(`decoding: d ${size[0]}, ${size[1]} layers`);
    const contextLength = CONTEXT + LONG + 1;
    const model = createBenchModel(size, { vocabularySize: VOCABULARY, contextLength });
    found.push(
      await withEngine(model, context, (engine) => compareSize(engine, size, context, batch)),
    );
  }
  return found;
}

async function compareSize(
  engine: Engine,
  [hiddenSize, layers]: Size,
  context: PeerContext,
  batch: number,
): Promise<DecodeComparison> {
  const { peer, quick } = context;
  const [prompt] = drawTokenRows(1, CONTEXT, VOCABULARY) as [number[]];
  const sampleOnEngine = (count: number, maxTokens: number, temperature: number) =>
    engine.sample(
      Array.from({ length: count }, (_, stream) => {
        return { tokens: prompt, stream, maxTokens, temperature, stopIds: [] };
      }),
    );
  const timeOurs = async (maxTokens: number) => {
    const start = performance.now();
    await sampleOnEngine(batch, maxTokens, 1);
    return performance.now() - start;
  };
  const generateOnPeer = (rows: number, maxTokens: number, greedy: boolean) =>
    peer.call<{ ms: number; tokens: number[][] }>("generate", { prompt, rows, maxTokens, greedy });
  const timeTheirs = async (maxTokens: number) =>
    (await generateOnPeer(batch, maxTokens, false)).ms;
  const timePerStep = (time: (maxTokens: number) => Promise<number>) => async () => {
    const short = await time(SHORT);
    return ((await time(LONG)) - short) / (LONG - SHORT);
  };
  const [greedy] = await sampleOnEngine(1, 32, 0);
  const [theirGreedy] = (await generateOnPeer(1, 32, true)).tokens;
  const equalTokens = greedy!.tokens.filter((token, i) => token === theirGreedy![i]).length;
  await timePerStep(timeOurs)();
  const step = await alternate(quick ? 2 : 9, timePerStep(timeOurs), timePerStep(timeTheirs));
  return {
    hiddenSize,
    layers,
    params: engine.info.parameters,
    batch,
    context: CONTEXT,
    greedyAgreement: equalTokens / 32,
    step,
    ...(await compareProducts(context)),
  };
}
