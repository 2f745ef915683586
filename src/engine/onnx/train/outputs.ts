/** Gathers cotangents of rows for a microbatch, and writes a microbatch's outputs back to the rows. */
import { BowlineError } from "../../../core/index.ts";
import type { Cotangents, Row, TokenOutputs } from "../../../spec/index.ts";
import { type Feeds, floatOutput, type Session, type Tensor, tensor } from "../graph/index.ts";
import type { LayeredCotangents } from "./layered/index.ts";
import type { Microbatch } from "./microbatch.ts";
import { RATIO_INPUTS } from "./training-graph.ts";

type Results = Awaited<ReturnType<Session["run"]>>;

/** The outputs of one microbatch. */
export interface PassOutputs extends TokenOutputs {
  /** The residual stream after the last block at the requested tokens: (asked, hidden). */
  readonly stream?: Float32Array | Tensor;
}

/** Throws an `engine` error unless every row has one cotangent for each requested token. */
export function requireMatchingCotangents(
  rows: readonly Row[],
  cotangents: readonly Cotangents[],
): void {
  if (rows.length !== cotangents.length) {
    throw new BowlineError(
      "engine",
      `${rows.length} rows came with ${cotangents.length} cotangents`,
    );
  }
  rows.forEach((row, i) => {
    const { logprobs, entropies, values } = cotangents[i]!;
    for (const list of [logprobs, entropies ?? row.at, values ?? row.at]) {
      if (list.length === row.at.length) continue;
      throw new BowlineError(
        "engine",
        `row ${i} asks for ${row.at.length} tokens, but has ${list.length} cotangents`,
      );
    }
  });
}

/** The cotangents of one microbatch. */
export interface BatchCotangents extends LayeredCotangents {
  readonly values?: Float32Array;
  /** What multiplies the cotangents of log-probs, if anything does. */
  readonly ratio?: BatchRatio;
}

/** Derivatives that a ratio multiplies, one for each entry of the microbatch's `at`, in double precision. */
export interface BatchRatio {
  readonly slopes: Float64Array;
  readonly oldLogprobs: Float64Array;
  readonly lowest: Float64Array;
  readonly highest: Float64Array;
}

/** Which outputs are computed in addition to log-probs. */
export interface RequestedOutputs {
  readonly entropies: boolean;
  readonly values: boolean;
}

/** Returns the cotangents of a microbatch's requested tokens. Those of padding are zero. */
export function gatherCotangents(
  batch: Microbatch,
  cotangents: readonly Cotangents[],
  { entropies, values }: RequestedOutputs,
): BatchCotangents {
  const gatherValues = (pick: (cotangent: Cotangents) => ArrayLike<number> | undefined) => {
    const out = new Float32Array(batch.at.length);
    for (const { row, places } of batch.slices) {
      const list = pick(cotangents[row]!);
      if (list) for (const [i, place] of places.entries()) out[place] = out[place]! + list[i]!;
    }
    return out;
  };
  return {
    logprobs: gatherValues((cotangent) => cotangent.logprobs),
    ...(cotangents.some(({ ratio }) => ratio) && { ratio: gatherRatio(batch, cotangents) }),
    ...(entropies ? { entropies: gatherValues((cotangent) => cotangent.entropies) } : {}),
    ...(values ? { values: gatherValues((cotangent) => cotangent.values) } : {}),
  };
}

/** Gathers the ratios of a microbatch. Padding has slopes of zero. */
function gatherRatio(batch: Microbatch, cotangents: readonly Cotangents[]): BatchRatio {
  const size = batch.at.length;
  const gathered = {
    slopes: new Float64Array(size),
    oldLogprobs: new Float64Array(size),
    lowest: new Float64Array(size),
    highest: new Float64Array(size).fill(Number.POSITIVE_INFINITY),
  };
  for (const { row, places } of batch.slices) {
    const { logprobs, ratio } = cotangents[row]!;
    for (const [i, place] of places.entries()) {
      gathered.slopes[place] = logprobs[i]!;
      gathered.oldLogprobs[place] = ratio!.oldLogprobs[i]!;
      gathered.lowest[place] = ratio!.lowest;
      gathered.highest[place] = ratio!.highest;
    }
  }
  return gathered;
}

/**
 * Multiplies derivatives by their ratios, where there are any, as the whole graph does by itself. `evaluate` computes the
 * current log-probs of the microbatch.
 */
export async function multiplyByRatios(
  cotangents: BatchCotangents,
  evaluate: () => Promise<Pick<TokenOutputs, "logprobs">>,
): Promise<BatchCotangents> {
  if (!cotangents.ratio) return cotangents;
  const { slopes, oldLogprobs, lowest, highest } = cotangents.ratio;
  const current = await evaluate();
  const logprobs = Float32Array.from(slopes, (slope, i) => {
    const ratio = Math.exp(current.logprobs[i]! - oldLogprobs[i]!);
    return ratio < lowest[i]! || ratio > highest[i]! ? 0 : slope * ratio;
  });
  return { ...cotangents, logprobs };
}

/** Whether the policy has no gradient, because all of its cotangents are zero. */
export function isPolicyZero({ logprobs, entropies }: BatchCotangents): boolean {
  const isAllZero = (list: Float32Array | undefined) => list?.every((value) => value === 0) ?? true;
  return isAllZero(logprobs) && isAllZero(entropies);
}

export function cotangentFeeds({ logprobs, ratio, entropies }: BatchCotangents): Feeds {
  const toVector = (data: Float32Array | Float64Array) => tensor(data, [data.length]);
  return {
    ...(ratio
      ? Object.fromEntries(RATIO_INPUTS.map((name) => [name, toVector(ratio[name])]))
      : { cotangents: toVector(logprobs) }),
    ...(entropies ? { entropyCotangents: toVector(entropies) } : {}),
  };
}

type WritableOutputs = {
  logprobs: Float32Array;
  entropies?: Float32Array;
  values?: Float32Array;
};

export function allocateOutputs(
  rows: readonly Row[],
  { entropies, values }: RequestedOutputs,
): WritableOutputs[] {
  return rows.map(({ at }) => ({
    logprobs: new Float32Array(at.length),
    ...(entropies ? { entropies: new Float32Array(at.length) } : {}),
    ...(values ? { values: new Float32Array(at.length) } : {}),
  }));
}

export function readPassOutputs(results: Results): PassOutputs {
  const logprobs = floatOutput(results, "logprobs");
  return {
    logprobs,
    ...(results["entropies"] ? { entropies: floatOutput(results, "entropies") } : {}),
    ...(results["stream"] ? { stream: floatOutput(results, "stream") } : {}),
  };
}

/** Writes each row's part of a microbatch's outputs to `outputs`. */
export function writeRowOutputs(
  batch: Microbatch,
  outputs: readonly WritableOutputs[],
  { logprobs, entropies, values }: TokenOutputs,
): void {
  for (const { row, places } of batch.slices) {
    const own = outputs[row]!;
    for (const [i, place] of places.entries()) {
      own.logprobs[i] = logprobs[place]!;
      if (entropies) own.entropies![i] = entropies[place]!;
      if (values) own.values![i] = values[place]!;
    }
  }
}
