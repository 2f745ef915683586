/**
 * Rows of different lengths to a few padded rectangles.
 *
 * Rows are sorted by length and cut into microbatches of about `tokensPerMicrobatch` tokens, so little is padding
 * and the activations of one microbatch stay near the cache. The split depends on the rows alone: the same call
 * gives the same bits, and `evaluate` and `accumulate` see the same rectangles.
 */
import { BowlineError } from "../../../core/index.ts";
import type { Row } from "../../../spec/index.ts";
import { type ModelConfig, ROW_LENGTH_MULTIPLE } from "../model/index.ts";
import type { PrefixGroup } from "./prefix-groups.ts";

export interface Microbatch {
  readonly batch: number;
  readonly time: number;
  /** Tokens before the rectangle that all of its rows share and that are not in it; 0: rows begin in it. */
  readonly past: number;
  /** (batch, time), padded with 0. */
  readonly tokens: Int32Array;
  /**
   * Flat index (row * time + token) of the token before each asked one, each once, and then of any token: the last
   * entry is nobody's, its cotangent is zero.
   */
  readonly at: Int32Array;
  readonly targets: Int32Array;
  /** For each asked index of a row, in its order, the place of its output. */
  readonly slices: readonly { readonly row: number; readonly places: Int32Array }[];
}

/** Tokens that the model must see of each row; 0: it asks for nothing. Throws an `engine` error on a row that does not fit. */
export function requiredLengths(rows: readonly Row[], config: ModelConfig): number[] {
  return rows.map((row, index) => requiredLength(row, index, config));
}

/** `group`: of rows of which something is needed. */
export function buildMicrobatches(
  rows: readonly Row[],
  lengths: readonly number[],
  group: PrefixGroup,
  tokensPerMicrobatch: number,
): Microbatch[] {
  const { prefix } = group;
  const order = [...group.rows].sort((a, b) => lengths[b]! - lengths[a]! || a - b);
  const out: Microbatch[] = [];
  for (let start = 0; start < order.length; ) {
    const time =
      Math.ceil((lengths[order[start]!]! - prefix) / ROW_LENGTH_MULTIPLE) * ROW_LENGTH_MULTIPLE;
    const count = Math.max(1, Math.floor(tokensPerMicrobatch / time));
    out.push(buildMicrobatch(rows, order.slice(start, start + count), prefix, time));
    start += count;
  }
  return out;
}

/**
 * Microbatches, halved where that makes all of them fit, and quartered behind a shared prefix: one graph for all layers is half
 * again as fast as layer by layer, and hardly slower at half the size. Where parts do not fit either, they are whole.
 */
export function buildFittingMicrobatches(
  rows: readonly Row[],
  lengths: readonly number[],
  group: PrefixGroup,
  tokensPerMicrobatch: number,
  fits: (batch: Microbatch) => boolean,
): Microbatch[] {
  const cut = (parts: number) => buildMicrobatches(rows, lengths, group, tokensPerMicrobatch / parts);
  for (const parts of group.prefix > 0 ? [1, 2, 4] : [1, 2]) {
    const batches = cut(parts);
    if (batches.every(fits)) return batches;
  }
  return cut(1);
}

/** Tokens that the model must see: all before the last asked one. Zero when nothing is asked. */
function requiredLength(row: Row, index: number, config: ModelConfig): number {
  const { tokens, at } = row;
  if (tokens.length > config.contextLength) {
    throw new BowlineError(
      "engine",
      `row ${index} has ${tokens.length} tokens, but the model's context is ${config.contextLength}`,
    );
  }
  for (let i = 0; i < tokens.length; i++) {
    const id = tokens[i]!;
    if (Number.isInteger(id) && id >= 0 && id < config.vocabularySize) continue;
    throw new BowlineError(
      "engine",
      `row ${index} has token ${id} at ${i}; ids are integers from 0 to ${config.vocabularySize - 1}`,
    );
  }
  let last = 0;
  for (let i = 0; i < at.length; i++) {
    const asked = at[i]!;
    if (!Number.isInteger(asked) || asked < 1 || asked >= tokens.length) {
      throw new BowlineError(
        "engine",
        `row ${index} asks for token ${asked}; it must be an index from 1 to ${tokens.length - 1}`,
      );
    }
    last = Math.max(last, asked);
  }
  return last;
}

/** What `members` have after their first `past` tokens. */
function buildMicrobatch(
  rows: readonly Row[],
  members: readonly number[],
  past: number,
  time: number,
): Microbatch {
  const tokens = new Int32Array(members.length * time);
  const at: number[] = [];
  const targets: number[] = [];
  const slices = members.map((row, place) => {
    const { tokens: own, at: asked } = rows[row]!;
    const length = Math.min(time, own.length - past);
    for (let i = 0; i < length; i++) tokens[place * time + i] = own[past + i]!;
    const known = new Map<number, number>();
    const places = Int32Array.from(asked, (index) => {
      const old = known.get(index);
      if (old !== undefined) return old;
      known.set(index, at.length);
      targets.push(own[index]!);
      return at.push(place * time + index - 1 - past) - 1;
    });
    return { row, places };
  });
  return {
    batch: members.length,
    time,
    past,
    tokens,
    at: Int32Array.from([...at, 0]),
    targets: Int32Array.from([...targets, 0]),
    slices,
  };
}

/**
 * Of each token in its row, (batch * time). Padding behind a row that fills the context would lie outside of the rotary tables;
 * what it computes is nobody's, so it has the last position.
 */
export function tokenPositions(
  { batch, time, past }: Pick<Microbatch, "batch" | "time" | "past">,
  { contextLength }: ModelConfig,
): BigInt64Array {
  return BigInt64Array.from({ length: batch * time }, (_, i) =>
    BigInt(Math.min(past + (i % time), contextLength - 1)),
  );
}

/**
 * The inverse of `at`: for every token (batch * time) its place there, or where nobody asks, the last one. Gathering
 * cotangents by it sends each to its token and zeros to the others.
 */
export function outputPlaces({ batch, time, at }: Microbatch): Int32Array {
  const last = at.length - 1;
  const places = new Int32Array(batch * time).fill(last);
  for (let i = 0; i < last; i++) places[at[i]!] = i;
  return places;
}
