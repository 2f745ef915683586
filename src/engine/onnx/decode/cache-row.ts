/**
 * One row of the cache: which tokens have keys and values, and where these lie.
 *
 * Its positions are, in order: segments of a root that it shares with others, segments of its own, the rest of its past in
 * whole blocks, and the block being filled. How many segments and how long a rest follows from the length alone.
 */
import type { Arena, KeyValueSource, SlotOwner } from "./arena.ts";
import { MIN_SEGMENTED_PAST, SEGMENT_LENGTH } from "./segmented-attention.ts";
import type { SharedPrefix } from "./shared-prefix.ts";

/** Where a row's positions lie. */
export interface RowPlace extends SlotOwner {
  arena: Arena<CacheRow>;
  prefix: SharedPrefix | undefined;
  /** Segments of `root` that the row begins with. */
  sharedSegments: number;
  /** Segments after those, in the row's slot. */
  ownSegments: number;
}

export interface CacheRow extends RowPlace {
  /** Ids at 0 .. cached - 1 have keys and values. */
  readonly tokens: Int32Array;
  cachedLength: number;
  /** Tokens of the request that it is for; what was sampled is not counted. */
  requestLength: number;
  /** The most tokens that it may come to have. */
  maxLength: number;
  readonly key: string | undefined;
  /** Someone is continuing it: it may not be evicted. */
  isBusy: boolean;
  lastUse: number;
}

/** `count` positions of a row from `at` on: row `from`, position `first` of `source`. */
export interface CachedPiece {
  readonly position: number;
  readonly count: number;
  readonly source: KeyValueSource;
  readonly sourceRow: number;
  readonly sourcePosition: number;
}

/** The first `end` positions at `place` (whole blocks), cut where segments end. */
export function listPieces(place: RowPlace, end: number): CachedPiece[] {
  const { arena, slot, prefix: root, sharedSegments: shared, ownSegments: own } = place;
  return Array.from({ length: Math.ceil(end / SEGMENT_LENGTH) }, (_, index): CachedPiece => {
    const at = index * SEGMENT_LENGTH;
    const piece = { at, count: Math.min(SEGMENT_LENGTH, end - at), first: 0 };
    if (root && index < shared) return { ...piece, source: root, sourceRow: index };
    const mine = index - shared;
    if (mine < own)
      return {
        ...piece,
        source: arena.ownSegments,
        sourceRow: slot * arena.segmentsPerSlot + mine,
      };
    return {
      ...piece,
      source: arena,
      sourceRow: slot,
      sourcePosition: at - (shared + own) * SEGMENT_LENGTH,
    };
  });
}

/** Leading tokens that are cached in `row`, the last of `tokens` not counted. */
export function commonPrefixLength(row: CacheRow, tokens: ArrayLike<number>): number {
  const end = Math.min(row.cachedLength, tokens.length - 1);
  let i = 0;
  while (i < end && row.tokens[i] === tokens[i]) i++;
  return i;
}

/**
 * Whether `row`, of which nothing is computed, should wait for `leader`, which is about to be: it computes what they have in
 * common, when that is long enough to be held once.
 */
export function shouldWaitFor(row: CacheRow, leader: CacheRow): boolean {
  if (row.cachedLength > 0) return false;
  const end = Math.min(row.requestLength, leader.requestLength) - 1;
  let common = 0;
  while (common < end && row.tokens[common] === leader.tokens[common]) common++;
  const segments = Math.floor(common / SEGMENT_LENGTH) * SEGMENT_LENGTH;
  return segments >= MIN_SEGMENTED_PAST && leader.cachedLength < segments;
}

/** Whether what is known of `row` begins with the first `length` of `tokens`. */
export function rowBeginsWith(row: CacheRow, tokens: Int32Array, length: number): boolean {
  if (Math.max(row.requestLength, row.cachedLength) < length) return false;
  for (let i = length - 1; i >= 0; i--) if (row.tokens[i] !== tokens[i]) return false;
  return true;
}
