/**
 * Between rows and microbatches: cotangents are gathered for the tokens that a microbatch asks for, and its outputs go
 * back to their rows.
 */
import { BowlineError } from "../../../core/index.ts";
import type { Cotangents, Row, TokenOutputs } from "../../../spec/index.ts";
import { type Feeds, floatOutput, type Session, tensor } from "../graph/index.ts";
import type { LayeredCotangents } from "./layered/index.ts";
import type { Microbatch } from "./microbatch.ts";

type Results = Awaited<ReturnType<Session["run"]>>;

export interface PassOutputs extends TokenOutputs {
  /** (asked, hidden): what the last block leaves. */
  readonly stream?: Float32Array;
}

export function requireMatchingCotangents(rows: readonly Row[], cotangents: readonly Cotangents[]): void {
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

export interface BatchCotangents extends LayeredCotangents {
  readonly values?: Float32Array;
}

/** Which outputs are wanted beside log-probs. */
export interface RequestedOutputs {
  readonly entropies: boolean;
  readonly values: boolean;
}

/** The cotangents of a microbatch's asked tokens; of padding they are zero. */
export function gatherCotangents(
  batch: Microbatch,
  cotangents: readonly Cotangents[],
  { entropies, values }: RequestedOutputs,
): BatchCotangents {
  const gathered = (pick: (cotangent: Cotangents) => ArrayLike<number> | undefined) => {
    const out = new Float32Array(batch.at.length);
    for (const { row, places } of batch.slices) {
      const list = pick(cotangents[row]!);
      if (list) for (const [i, place] of places.entries()) out[place] = out[place]! + list[i]!;
    }
    return out;
  };
  return {
    logprobs: gathered((cotangent) => cotangent.logprobs),
    ...(entropies ? { entropies: gathered((cotangent) => cotangent.entropies) } : {}),
    ...(values ? { values: gathered((cotangent) => cotangent.values) } : {}),
  };
}

export function isAllZero(list: Float32Array | undefined): boolean {
  return list?.every((value) => value === 0) ?? true;
}

export function cotangentFeeds({ logprobs, entropies }: LayeredCotangents): Feeds {
  return {
    cotangents: tensor(logprobs, [logprobs.length]),
    ...(entropies ? { entropyCotangents: tensor(entropies, [entropies.length]) } : {}),
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

/** Gives each row its part of a microbatch's outputs. */
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
