/**
 * Wraps an engine for learners that join several rows of a rollout into one. Such a row is split again into its pieces,
 * and the engine's results for the pieces are joined. Other rows are passed on unchanged.
 */
import { type ActionRow, cutRowIntoSegments } from "../../algo/index.ts";
import type { Cotangents, Engine, Row, TokenOutputs } from "../../spec/index.ts";
import { createForwardingEngine } from "./forwarding-engine.ts";

type OutputArrays = { readonly [name in keyof TokenOutputs]?: ArrayLike<number> };

/** Creates an engine that accepts joined rows and otherwise behaves like the wrapped engine. */
export function createSegmentedEngine(engine: Engine): Engine {
  return {
    ...createForwardingEngine(engine),
    evaluate: async (rows, options) => {
      if (!rows.some(isSegmented)) return engine.evaluate(rows, options);
      const pieces = rows.map(cutIntoPieces);
      return joinOutputs(await engine.evaluate(pieces.flat(), options), pieces);
    },
    accumulate: async (rows, cotangents, options) => {
      if (!rows.some(isSegmented)) return engine.accumulate(rows, cotangents, options);
      const pieces = rows.map(cutIntoPieces);
      const parts = pieces.flatMap((cut, i) => splitCotangents(cotangents[i]!, cut));
      return joinOutputs(await engine.accumulate(pieces.flat(), parts, options), pieces);
    },
  };
}

function isSegmented(row: Row & Pick<ActionRow, "starts">): boolean {
  return row.starts !== undefined && row.starts.length > 0;
}

/**
 * Splits a joined row into its pieces. Pieces without action tokens are left out, because nothing has to be computed
 * for them.
 */
function cutIntoPieces(row: Row): Row[] {
  return isSegmented(row) ? cutRowIntoSegments(row).filter(({ at }) => at.length > 0) : [row];
}

function splitCotangents(cotangents: Cotangents, pieces: readonly Row[]): Cotangents[] {
  let from = 0;
  return pieces.map(({ at }) => {
    const to = from + at.length;
    const cut = (values: ArrayLike<number>) => Array.from(values).slice(from, to);
    const part = mapArrays(cotangents, cut) as Cotangents;
    const { ratio } = cotangents;
    const own = ratio && { ratio: { ...ratio, oldLogprobs: cut(ratio.oldLogprobs) } };
    from = to;
    return { ...part, ...own };
  });
}

function joinOutputs(
  outputs: readonly TokenOutputs[],
  pieces: readonly (readonly Row[])[],
): TokenOutputs[] {
  let next = 0;
  return pieces.map((cut) => {
    const own = outputs.slice(next, next + cut.length);
    next += cut.length;
    if (own.length === 1) return own[0]!;
    const empty: TokenOutputs = { logprobs: new Float32Array(0) };
    return mapArrays(own[0] ?? empty, (_, name) =>
      Float32Array.from(own.flatMap((output) => Array.from(output[name]!))),
    ) as TokenOutputs;
  });
}

/** Applies a function to each array that is present. */
function mapArrays(
  arrays: OutputArrays,
  change: (values: ArrayLike<number>, name: keyof TokenOutputs) => ArrayLike<number>,
): OutputArrays {
  const names = ["logprobs", "entropies", "values"] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const values = arrays[name];
      return values === undefined ? [] : [[name, change(values, name)]];
    }),
  );
}
