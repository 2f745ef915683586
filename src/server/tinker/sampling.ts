/**
 * Runs a sampling job on an engine: random streams, stop strings, log-probs at temperature 1, log-probs of the prompt.
 *
 * A sampled token depends only on (weights, tokens, stream, position), so a row can be sampled in pieces with the same
 * result. Stop strings use this: after each piece its text is searched for a stop string, and the row ends with the
 * token that completes one.
 */
import type { Engine, SampleRequest } from "../../spec/index.ts";
import type { BaseModel, SampleResult, SamplingJob } from "./backend.ts";

type Sequence = SampleResult["sequences"][number];
type SampleRow = Pick<SampleRequest, "tokens" | "stream" | "temperature" | "stopIds" | "filter">;

/** How many tokens are sampled before the text is searched for a stop string. */
const PIECE_TOKENS = 16;

export async function runSamplingJob(
  engine: Engine,
  base: BaseModel,
  job: SamplingJob,
  signal: AbortSignal,
): Promise<SampleResult> {
  const { prompt, streams, temperature, filter, stopTexts } = job;
  const stopIds = [...job.stopIds, ...(job.endsAtModelStop ? base.stopIds : [])];
  const draws = streams.map((stream) => ({
    ...{ tokens: prompt, stream, temperature, stopIds },
    ...(filter && { filter }),
  }));
  const [drawn, promptLogprobs] = await Promise.all([
    stopTexts.length === 0
      ? sampleAll(engine, draws, job.maxTokens, signal)
      : Promise.all(draws.map((draw) => sampleUntilStopText(engine, base, draw, job, signal))),
    job.promptLogprobs > 0 ? computePromptLogprobs(engine, job) : undefined,
  ]);
  // The engine returns log-probs of the distribution that it sampled from. At temperature 0, and at 1 without a filter,
  // that is the model's own.
  const isOwn = temperature === 0 || (temperature === 1 && filter === undefined);
  const sequences =
    isOwn || job.temperedLogprobs ? drawn : await withUntemperedLogprobs(engine, prompt, drawn);
  return { sequences, ...(promptLogprobs && { promptLogprobs }) };
}

async function sampleAll(
  engine: Engine,
  sampleRows: readonly SampleRow[],
  maxTokens: number,
  signal: AbortSignal,
): Promise<Sequence[]> {
  const samples = await engine.sample(
    sampleRows.map((draw) => ({ ...draw, maxTokens })),
    signal,
  );
  return samples.map(({ tokens, logprobs, stop }) => {
    return { tokens, logprobs, stop: stop === "stop" ? "stop" : "length" };
  });
}

async function sampleUntilStopText(
  engine: Engine,
  base: BaseModel,
  sampleRow: SampleRow,
  { maxTokens, stopTexts }: SamplingJob,
  signal: AbortSignal,
): Promise<Sequence> {
  const tokens: number[] = [];
  const logprobs: number[] = [];
  const hasStopText = (count: number) => {
    const text = base.tokenizer?.decode(tokens.slice(0, count)) ?? "";
    return stopTexts.some((stop) => text.includes(stop));
  };
  for (;;) {
    const row = { ...sampleRow, tokens: [...sampleRow.tokens, ...tokens] };
    const [piece] = await sampleAll(
      engine,
      [row],
      Math.min(PIECE_TOKENS, maxTokens - tokens.length),
      signal,
    );
    const start = tokens.length;
    tokens.push(...piece!.tokens);
    logprobs.push(...piece!.logprobs);
    for (let count = start + 1; count <= tokens.length; count++) {
      if (!hasStopText(count)) continue;
      return { stop: "stop", tokens: tokens.slice(0, count), logprobs: logprobs.slice(0, count) };
    }
    const full = row.tokens.length + piece!.tokens.length >= base.contextLength;
    const done = full || tokens.length >= maxTokens || signal.aborted;
    if (piece!.stop === "stop" || done) return { stop: piece!.stop, tokens, logprobs };
  }
}

async function withUntemperedLogprobs(
  engine: Engine,
  prompt: readonly number[],
  sequences: readonly Sequence[],
): Promise<Sequence[]> {
  const rows = sequences.map(({ tokens }) => ({
    tokens: [...prompt, ...tokens],
    at: tokens.map((_, i) => prompt.length + i),
  }));
  const outputs = await engine.evaluate(rows);
  return sequences.map((sequence, i) => ({ ...sequence, logprobs: [...outputs[i]!.logprobs] }));
}

/** Returns log-probs aligned with the prompt. The first token has none. */
async function computePromptLogprobs(
  engine: Engine,
  { prompt, promptLogprobs: count }: SamplingJob,
): Promise<(number | null)[]> {
  const start = Math.max(1, prompt.length - count);
  const at = Array.from({ length: Math.max(0, prompt.length - start) }, (_, i) => start + i);
  const out = new Array<number | null>(prompt.length).fill(null);
  if (at.length === 0) return out;
  const [outputs] = await engine.evaluate([{ tokens: prompt, at }]);
  for (const [i, t] of at.entries()) out[t] = outputs!.logprobs[i]!;
  return out;
}
