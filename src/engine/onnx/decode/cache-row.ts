/**
 * One row of the cache: which of its tokens have keys and values, and where these lie.
 *
 * The positions of a row are, in order: segments of a prefix that it shares with other rows, segments of its own, the
 * remaining past in whole blocks, and the block that is being filled. The numbers of segments and the length of the
 * remaining past follow from the row's length and its share of the prefix.
 */
import type { Arena, KeyValueSource, SlotOwner } from "./arena.ts";
import { MIN_SEGMENTED_PAST, SEGMENT_LENGTH } from "./segmented-attention.ts";
import type { SharedPrefix } from "./shared-prefix.ts";

/** Where the positions of a row lie. */
export interface RowPlace extends SlotOwner {
  arena: Arena<CacheRow>;
  prefix: SharedPrefix | undefined;
  /** The number of segments of `prefix` that the row begins with. */
  sharedSegments: number;
  /** The number of segments after the shared ones, in the row's own slot. */
  ownSegments: number;
}

/** A row of tokens in the cache. */
export interface CacheRow extends RowPlace {
  /** The row's token ids. Those at 0 .. cachedLength - 1 have keys and values. */
  readonly tokens: Int32Array;
  cachedLength: number;
  /** The number of tokens in the request that the row serves, without sampled tokens. */
  requestLength: number;
  /** The largest number of tokens that the row may reach. */
  maxLength: number;
  readonly key: string | undefined;
  /** A request is using the row, so it must not be evicted. */
  isBusy: boolean;
  lastUse: number;
}

/** A run of positions of a row, and where they lie: in row `sourceRow` of `source`, beginning at `sourcePosition`. */
export interface CachedPiece {
  readonly position: number;
  readonly count: number;
  readonly source: KeyValueSource;
  readonly sourceRow: number;
  readonly sourcePosition: number;
}

/** Lists where the first `end` positions of a row lie (whole blocks), cut where segments end. */
export function listPieces(place: RowPlace, end: number): CachedPiece[] {
  const { arena, slot, prefix, sharedSegments, ownSegments } = place;
  return Array.from({ length: Math.ceil(end / SEGMENT_LENGTH) }, (_, index): CachedPiece => {
    const position = index * SEGMENT_LENGTH;
    const count = Math.min(SEGMENT_LENGTH, end - position);
    const piece = { position, count, sourcePosition: 0 };
    if (prefix && index < sharedSegments) return { ...piece, source: prefix, sourceRow: index };
    const ownIndex = index - sharedSegments;
    if (ownIndex < ownSegments)
      return {
        ...piece,
        source: arena.ownSegments,
        sourceRow: slot * arena.segmentsPerSlot + ownIndex,
      };
    return {
      ...piece,
      source: arena,
      sourceRow: slot,
      sourcePosition: position - (sharedSegments + ownSegments) * SEGMENT_LENGTH,
    };
  });
}

/** Returns how many leading tokens are cached in `row`. The last of `tokens` is not counted. */
export function commonPrefixLength(row: CacheRow, tokens: ArrayLike<number>): number {
  const end = Math.min(row.cachedLength, tokens.length - 1);
  let i = 0;
  while (i < end && row.tokens[i] === tokens[i]) i++;
  return i;
}

/**
 * Returns whether `row`, of which nothing is computed yet, should wait for `leader`, which is about to be computed.
 * It should when their common beginning is long enough to be stored once.
 */
export function shouldWaitFor(row: CacheRow, leader: CacheRow): boolean {
  if (row.cachedLength > 0) return false;
  const end = Math.min(row.requestLength, leader.requestLength) - 1;
  let common = 0;
  while (common < end && row.tokens[common] === leader.tokens[common]) common++;
  const segments = Math.floor(common / SEGMENT_LENGTH) * SEGMENT_LENGTH;
  return segments >= MIN_SEGMENTED_PAST && leader.cachedLength < segments;
}

/** Returns whether the known tokens of `row` begin with the first `length` of `tokens`. */
export function rowBeginsWith(row: CacheRow, tokens: Int32Array, length: number): boolean {
  if (Math.max(row.requestLength, row.cachedLength) < length) return false;
  for (let i = length - 1; i >= 0; i--) if (row.tokens[i] !== tokens[i]) return false;
  return true;
}
