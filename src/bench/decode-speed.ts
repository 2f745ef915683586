/**
 * Measures decoding and prefill separately, at one batch size and context length.
 *
 * For decoding, two lengths are timed and the times are subtracted, so that only the steps between them count. All rows
 * share one prompt, which is computed once, but sample different tokens. For prefill, every row has a prompt of its
 * own.
 */
import { Rng } from "../core/index.ts";
import type { Engine, SampleRequest } from "../spec/index.ts";
import { elapsedMs, median, roundToThousandths } from "./quantiles.ts";

export interface DecodeSpeed {
  readonly params: number;
  readonly batch: number;
  readonly context: number;
  readonly tokensPerSecond: number;
  readonly msPerStep: number;
}

export type PrefillSpeed = Omit<DecodeSpeed, "msPerStep">;

export interface SpeedOptions {
  readonly batch: number;
  /** The number of tokens that a row has before it is continued. */
  readonly context: number;
  readonly rounds: number;
}

const SHORT_LENGTH = 4;
const LONG_LENGTH = 36;

/** Measures the decoding speed. The model's context must have room for 36 tokens after `context`. */
export async function measureDecode(
  engine: Engine,
  { batch, context, rounds }: SpeedOptions,
): Promise<DecodeSpeed> {
  const prompt = randomTokens(engine, context, 7);
  const timeSampling = (maxTokens: number, round: number) =>
    elapsedMs(() => engine.sample(createRequests(new Array(batch).fill(prompt), maxTokens, round)));
  await timeSampling(SHORT_LENGTH, 0);
  const steps: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const short = await timeSampling(SHORT_LENGTH, round);
    steps.push(((await timeSampling(LONG_LENGTH, round)) - short) / (LONG_LENGTH - SHORT_LENGTH));
  }
  const msPerStep = median(steps);
  return {
    params: engine.info.parameters,
    batch,
    context,
    tokensPerSecond: Math.round((1000 * batch) / msPerStep),
    msPerStep: roundToThousandths(msPerStep),
  };
}

export async function measurePrefill(
  engine: Engine,
  { batch, context, rounds }: SpeedOptions,
): Promise<PrefillSpeed> {
  const timePrefill = (round: number) => {
    const prompts = Array.from({ length: batch }, (_, i) =>
      randomTokens(engine, context, 1000 * (round + 1) + i),
    );
    return elapsedMs(() => engine.sample(createRequests(prompts, 1, round)));
  };
  await timePrefill(0);
  const times: number[] = [];
  for (let round = 1; round <= rounds; round++) times.push(await timePrefill(round));
  const tokensPerSecond = Math.round((1000 * batch * context) / median(times));
  return { params: engine.info.parameters, batch, context, tokensPerSecond };
}

function createRequests(
  prompts: readonly (readonly number[])[],
  maxTokens: number,
  round: number,
): SampleRequest[] {
  return prompts.map((tokens, i) => ({
    tokens,
    stream: 1000 * round + i,
    maxTokens,
    temperature: 1,
    stopIds: [],
  }));
}

function randomTokens({ info }: Engine, length: number, seed: number): number[] {
  const rng = new Rng(seed);
  return Array.from({ length }, () => rng.integer(0, info.vocabularySize - 1));
}
