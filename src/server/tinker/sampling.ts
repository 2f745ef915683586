/**
 * A sample order on an engine: streams, stop strings, log-probs at temperature 1, log-probs of the prompt.
 *
 * A drawn token depends on (weights, tokens, stream, position) alone, so a row may be continued in pieces without
 * changing what is drawn. That is how stop strings work: a piece is drawn, its text is looked at, and if a stop string is
 * complete the row ends with the token that completed it.
 */
import type { Engine, SampleRequest } from "../../spec/index.ts";
import type { BaseModel, SampleOrder, SampleResult } from "./backend.ts";

type Sequence = SampleResult["sequences"][number];
type Draw = Pick<SampleRequest, "tokens" | "stream" | "temperature" | "stopIds">;

/** Tokens drawn before the text is looked at for a stop string. */
const PIECE = 16;

export async function sampleOn(
  engine: Engine,
  base: BaseModel,
  order: SampleOrder,
  signal: AbortSignal,
): Promise<SampleResult> {
  const { prompt, streams, temperature, stopTexts } = order;
  const stopIds = [...order.stopIds, ...(order.endsAtModelStop ? base.stopIds : [])];
  const draws = streams.map((stream) => ({ tokens: prompt, stream, temperature, stopIds }));
  const [drawn, promptLogprobs] = await Promise.all([
    stopTexts.length === 0
      ? drawAll(engine, draws, order.maxTokens, signal)
      : Promise.all(draws.map((draw) => drawUntilText(engine, base, draw, order, signal))),
    order.promptLogprobs > 0 ? promptLogprobsOf(engine, order) : undefined,
  ]);
  // The engine tells log-probs of what it drew from; at 0 and 1 that is the model's own distribution.
  const own = order.temperedLogprobs || temperature === 0 || temperature === 1;
  const sequences = own ? drawn : await untempered(engine, prompt, drawn);
  return { sequences, ...(promptLogprobs && { promptLogprobs }) };
}

async function drawAll(
  engine: Engine,
  draws: readonly Draw[],
  maxTokens: number,
  signal: AbortSignal,
): Promise<Sequence[]> {
  const samples = await engine.sample(
    draws.map((draw) => ({ ...draw, maxTokens })),
    signal,
  );
  return samples.map(({ tokens, logprobs, stop }) => {
    return { tokens, logprobs, stop: stop === "stop" ? "stop" : "length" };
  });
}

async function drawUntilText(
  engine: Engine,
  base: BaseModel,
  draw: Draw,
  { maxTokens, stopTexts }: SampleOrder,
  signal: AbortSignal,
): Promise<Sequence> {
  const tokens: number[] = [];
  const logprobs: number[] = [];
  const ends = (count: number) => {
    const text = base.tokenizer?.decode(tokens.slice(0, count)) ?? "";
    return stopTexts.some((stop) => text.includes(stop));
  };
  for (;;) {
    const row = { ...draw, tokens: [...draw.tokens, ...tokens] };
    const [piece] = await drawAll(
      engine,
      [row],
      Math.min(PIECE, maxTokens - tokens.length),
      signal,
    );
    const start = tokens.length;
    tokens.push(...piece!.tokens);
    logprobs.push(...piece!.logprobs);
    for (let count = start + 1; count <= tokens.length; count++) {
      if (!ends(count)) continue;
      return { stop: "stop", tokens: tokens.slice(0, count), logprobs: logprobs.slice(0, count) };
    }
    const full = row.tokens.length + piece!.tokens.length >= base.contextLength;
    const done = full || tokens.length >= maxTokens || signal.aborted;
    if (piece!.stop === "stop" || done) return { stop: piece!.stop, tokens, logprobs };
  }
}

async function untempered(
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

/** Aligned with the prompt; the first token follows nothing and has none. */
async function promptLogprobsOf(
  engine: Engine,
  { prompt, promptLogprobs: count }: SampleOrder,
): Promise<(number | null)[]> {
  const start = Math.max(1, prompt.length - count);
  const at = Array.from({ length: Math.max(0, prompt.length - start) }, (_, i) => start + i);
  const out = new Array<number | null>(prompt.length).fill(null);
  if (at.length === 0) return out;
  const [outputs] = await engine.evaluate([{ tokens: prompt, at }]);
  for (const [i, t] of at.entries()) out[t] = outputs!.logprobs[i]!;
  return out;
}
