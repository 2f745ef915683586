/** Runs a graph that sees one token at a time over pieces of all tokens, so that its activations stay bounded. */
import {
  type Feeds,
  floatOutput,
  type Session,
  type TensorData,
  tensor,
} from "../../graph/index.ts";
import { splitEvenly } from "./row-loops.ts";

export interface TokenRun {
  readonly session: Session;
  /** What is the same for every piece: weights. */
  readonly fixedFeeds: Feeds;
  /** By input: its elements for all tokens, token by token, and the sizes behind the first dimension. */
  readonly tokenInputs: Readonly<Record<string, readonly [data: TensorData, dims: readonly number[]]>>;
  /** Number of tokens. */
  readonly count: number;
  readonly tokensPerPiece: number;
  /** Outputs that have a row for each token, with its width. */
  readonly outputs: Readonly<Record<string, number>>;
  /** Receives the results of each piece; outputs that have no row for each token are read here. */
  readonly onPiece?: (results: Readonly<Record<string, TensorData>>) => void;
}

/** The outputs for all tokens, each (count, width). */
export async function runInPieces<T extends string>(
  run: TokenRun & { readonly outputs: Readonly<Record<T, number>> },
): Promise<Record<T, Float32Array>> {
  const out = Object.fromEntries(
    Object.entries<number>(run.outputs).map(([name, width]) => [
      name,
      new Float32Array(run.count * width),
    ]),
  ) as Record<T, Float32Array>;
  for (const [start, end] of splitEvenly(run.count, run.tokensPerPiece)) {
    const own = Object.entries(run.tokenInputs).map(([name, [data, dims]]) => {
      const width = dims.reduce((a, b) => a * b, 1);
      const part = data.subarray(start * width, end * width) as TensorData;
      return [name, tensor(part, [end - start, ...dims])] as const;
    });
    const results = await run.session.run({ ...run.fixedFeeds, ...Object.fromEntries(own) });
    for (const [name, width] of Object.entries<number>(run.outputs)) {
      out[name as T].set(floatOutput(results, name), start * width);
    }
    run.onPiece?.(results);
  }
  return out;
}
