/** Runs a graph that treats each token separately over chunks of all tokens, so that its activations stay bounded. */
import {
  type Feeds,
  floatOutput,
  type Session,
  type TensorData,
  tensor,
} from "../../graph/index.ts";
import { splitEvenly } from "./row-loops.ts";

/** A graph, its inputs for all tokens, and the outputs that are collected. */
export interface TokenRun {
  readonly session: Session;
  /** The feeds that are the same for every chunk: weights. */
  readonly fixedFeeds: Feeds;
  /** For each input its elements for all tokens, token by token, and the sizes after the first dimension. */
  readonly tokenInputs: Readonly<
    Record<string, readonly [data: TensorData, dims: readonly number[]]>
  >;
  readonly count: number;
  readonly tokensPerChunk: number;
  /** The outputs that have a row for each token, with the width of the row. */
  readonly outputs: Readonly<Record<string, number>>;
  /** Receives the results of each chunk, to read outputs that do not have a row for each token. */
  readonly onChunk?: (results: Readonly<Record<string, TensorData>>) => void;
}

/** Returns the outputs for all tokens, each (count, width). */
export async function runInChunks<T extends string>(
  run: TokenRun & { readonly outputs: Readonly<Record<T, number>> },
): Promise<Record<T, Float32Array>> {
  const out = Object.fromEntries(
    Object.entries<number>(run.outputs).map(([name, width]) => [
      name,
      new Float32Array(run.count * width),
    ]),
  ) as Record<T, Float32Array>;
  for (const [start, end] of splitEvenly(run.count, run.tokensPerChunk)) {
    const own = Object.entries(run.tokenInputs).map(([name, [data, dims]]) => {
      const width = dims.reduce((a, b) => a * b, 1);
      const part = data.subarray(start * width, end * width) as TensorData;
      return [name, tensor(part, [end - start, ...dims])] as const;
    });
    const results = await run.session.run({ ...run.fixedFeeds, ...Object.fromEntries(own) });
    for (const [name, width] of Object.entries<number>(run.outputs)) {
      out[name as T].set(floatOutput(results, name), start * width);
    }
    run.onChunk?.(results);
  }
  return out;
}
