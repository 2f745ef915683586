/**
 * Packs rows of different lengths into a few padded rectangles.
 *
 * Rows are sorted by length and cut into microbatches of about `tokensPerMicrobatch` tokens, so that there is little
 * padding and the activations of one microbatch stay near the processor's cache. The split depends only on the rows:
 * the same call gives the same bits, and `evaluate` and `accumulate` see the same rectangles.
 */
import { BowlineError } from "../../../core/index.ts";
import type { Row } from "../../../spec/index.ts";
import { type ModelConfig, ROW_LENGTH_MULTIPLE } from "../model/index.ts";
import type { PrefixGroup } from "./prefix-groups.ts";

/** Rows in one padded rectangle, and the tokens whose outputs they request. */
export interface Microbatch {
  readonly batch: number;
  readonly time: number;
  /** The tokens of the shared prefix before the rectangle, or 0 when the rows begin in the rectangle. */
  readonly past: number;
  /** The token ids, (batch, time), padded with 0. */
  readonly tokens: Int32Array;
  /** The flat index (row * time + token) before each requested token, once; then an entry whose cotangent is zero. */
  readonly at: Int32Array;
  readonly targets: Int32Array;
  /** For each row the place of its outputs, one for each requested index in its order. */
  readonly slices: readonly { readonly row: number; readonly places: Int32Array }[];
}

/** Returns how many tokens of each row the model must see, or 0. Throws an `engine` error for an invalid row. */
export function requiredLengths(rows: readonly Row[], config: ModelConfig): number[] {
  return rows.map((row, index) => requiredLength(row, index, config));
}

/** Packs the rows of a group into microbatches. Every row of the group must request something. */
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
 * Packs rows into microbatches that fit the whole graph. Microbatches are halved, and behind a shared prefix also
 * quartered, when that makes all of them fit, because one graph for all layers is half again as fast as layer by
 * layer and hardly slower at half the size. Returns full-size microbatches when smaller ones do not fit either.
 */
export function buildFittingMicrobatches(
  rows: readonly Row[],
  lengths: readonly number[],
  group: PrefixGroup,
  tokensPerMicrobatch: number,
  fitsWholeGraph: (batch: Microbatch) => boolean,
): Microbatch[] {
  const buildParts = (parts: number) =>
    buildMicrobatches(rows, lengths, group, tokensPerMicrobatch / parts);
  for (const parts of group.prefix > 0 ? [1, 2, 4] : [1, 2]) {
    const batches = buildParts(parts);
    if (batches.every(fitsWholeGraph)) return batches;
  }
  return buildParts(1);
}

/** Returns how many tokens the model must see: all before the last requested one, or 0 when nothing is requested. */
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
    const requested = at[i]!;
    if (!Number.isInteger(requested) || requested < 1 || requested >= tokens.length) {
      throw new BowlineError(
        "engine",
        `row ${index} asks for token ${requested}; it must be an index from 1 to ${tokens.length - 1}`,
      );
    }
    last = Math.max(last, requested);
  }
  return last;
}

/** Packs what `members` have after their first `past` tokens into one rectangle. */
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
    const { tokens: own, at: requested } = rows[row]!;
    const length = Math.min(time, own.length - past);
    for (let i = 0; i < length; i++) tokens[place * time + i] = own[past + i]!;
    const known = new Map<number, number>();
    const places = Int32Array.from(requested, (index) => {
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
 * Returns the position of each token in its row, (batch * time). Padding after a row that fills the context would
 * exceed the rotary tables, so it gets the last position; nothing reads its result.
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
 * Inverts `at`: returns for every token (batch * time) its place in `at`, or the last place when no row requests it.
 * Gathering cotangents by it sends each cotangent to its token and zeros to the others.
 */
export function outputPlaces({ batch, time, at }: Microbatch): Int32Array {
  const last = at.length - 1;
  const places = new Int32Array(batch * time).fill(last);
  for (let i = 0; i < last; i++) places[at[i]!] = i;
  return places;
}
