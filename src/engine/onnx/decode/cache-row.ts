/**
 * One row of the cache: which tokens have keys and values, and where these lie.
 *
 * Its positions are, in order: segments of a root that it shares with others, segments of its own, the rest of its past in
 * whole blocks, and the block being filled. How many segments and how long a rest follows from the length alone.
 */
import type { Arena, Source, Tenant } from "./arena.ts";
import type { Root } from "./root.ts";
import { FIRST_SEGMENTED, SEGMENT } from "./segmented-attention.ts";

/** Where a row's positions lie. */
export interface Place extends Tenant {
  arena: Arena<CacheRow>;
  root: Root | undefined;
  /** Segments of `root` that the row begins with. */
  shared: number;
  /** Segments after those, in the row's slot. */
  own: number;
}

export interface CacheRow extends Place {
  /** Ids at 0 .. cached - 1 have keys and values. */
  readonly tokens: Int32Array;
  cached: number;
  /** Tokens of the request that it is for; what was sampled is not counted. */
  asked: number;
  /** The most tokens that it may come to have. */
  end: number;
  readonly key: string | undefined;
  /** Someone is continuing it: it may not be evicted. */
  busy: boolean;
  lastUse: number;
}

/** `count` positions of a row from `at` on: row `from`, position `first` of `source`. */
export interface Piece {
  readonly at: number;
  readonly count: number;
  readonly source: Source;
  readonly from: number;
  readonly first: number;
}

/** The first `end` positions at `place` (whole blocks), cut where segments end. */
export function pieces(place: Place, end: number): Piece[] {
  const { arena, slot, root, shared, own } = place;
  return Array.from({ length: Math.ceil(end / SEGMENT) }, (_, index): Piece => {
    const at = index * SEGMENT;
    const piece = { at, count: Math.min(SEGMENT, end - at), first: 0 };
    if (root && index < shared) return { ...piece, source: root, from: index };
    const mine = index - shared;
    if (mine < own) return { ...piece, source: arena.own, from: slot * arena.segments + mine };
    return { ...piece, source: arena, from: slot, first: at - (shared + own) * SEGMENT };
  });
}

/** Leading tokens that are cached in `row`, the last of `tokens` not counted. */
export function commonPrefix(row: CacheRow, tokens: ArrayLike<number>): number {
  const end = Math.min(row.cached, tokens.length - 1);
  let i = 0;
  while (i < end && row.tokens[i] === tokens[i]) i++;
  return i;
}

/**
 * Whether `row`, of which nothing is computed, should wait for `leader`, which is about to be: it computes what they have in
 * common, when that is long enough to be held once.
 */
export function follows(row: CacheRow, leader: CacheRow): boolean {
  if (row.cached > 0) return false;
  const end = Math.min(row.asked, leader.asked) - 1;
  let common = 0;
  while (common < end && row.tokens[common] === leader.tokens[common]) common++;
  const segments = Math.floor(common / SEGMENT) * SEGMENT;
  return segments >= FIRST_SEGMENTED && leader.cached < segments;
}

/** Whether what is known of `row` begins with the first `length` of `tokens`. */
export function beginsWith(row: CacheRow, tokens: Int32Array, length: number): boolean {
  if (Math.max(row.asked, row.cached) < length) return false;
  for (let i = length - 1; i >= 0; i--) if (row.tokens[i] !== tokens[i]) return false;
  return true;
}
