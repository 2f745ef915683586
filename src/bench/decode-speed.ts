/**
 * Decoding and prefill by themselves, at one batch and context.
 *
 * Decoding: two lengths are timed and subtracted, so that nothing counts but the steps between; all rows share one
 * prompt, which is computed once, and differ in what they sample. Prefill: every row has a prompt of its own.
 */
import { Rng } from "../core/index.ts";
import type { Engine, SampleRequest } from "../spec/index.ts";
import { elapsedMs, median, rounded } from "./quantiles.ts";

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
  /** Tokens of a row before it is continued. */
  readonly context: number;
  readonly rounds: number;
}

const SHORT = 4;
const LONG = 36;

/** The model's context must have room for 36 tokens after `context`. */
export async function measureDecode(
  engine: Engine,
  { batch, context, rounds }: SpeedOptions,
): Promise<DecodeSpeed> {
  const prompt = randomTokens(engine, context, 7);
  const time = (maxTokens: number, round: number) =>
    elapsedMs(() => engine.sample(requests(new Array(batch).fill(prompt), maxTokens, round)));
  await time(SHORT, 0);
  const steps: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const short = await time(SHORT, round);
    steps.push(((await time(LONG, round)) - short) / (LONG - SHORT));
  }
  const msPerStep = median(steps);
  return {
    params: engine.info.parameters,
    batch,
    context,
    tokensPerSecond: Math.round((1000 * batch) / msPerStep),
    msPerStep: rounded(msPerStep),
  };
}

export async function measurePrefill(
  engine: Engine,
  { batch, context, rounds }: SpeedOptions,
): Promise<PrefillSpeed> {
  const time = (round: number) => {
    const prompts = Array.from({ length: batch }, (_, i) =>
      randomTokens(engine, context, 1000 * (round + 1) + i),
    );
    return elapsedMs(() => engine.sample(requests(prompts, 1, round)));
  };
  await time(0);
  const times: number[] = [];
  for (let round = 1; round <= rounds; round++) times.push(await time(round));
  const tokensPerSecond = Math.round((1000 * batch * context) / median(times));
  return { params: engine.info.parameters, batch, context, tokensPerSecond };
}

function requests(
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
