/**
 * Finds which rows share which prefix, by comparing their tokens. Callers never declare it.
 *
 * A shared prefix is made when a second row begins like an existing one, and it grows while all its rows agree on
 * what comes next. It ends where the first row differs. A row that differs in its second half shortens it for all
 * rows (the others keep the rest in their own slots), so that rows which run together share the same segments. A row
 * that differs earlier does not join. This changes only memory and speed and no number (segmented-attention.ts).
 */
import type { ModelConfig } from "../model/index.ts";
import { type CacheRow, listPieces, type RowPlace, rowBeginsWith } from "./cache-row.ts";
import { MIN_SEGMENTED_PAST, SEGMENT_LENGTH } from "./segmented-attention.ts";
import { SharedPrefix } from "./shared-prefix.ts";

/** A share of a prefix: its first `sharedSegments` segments, or none. */
export interface PrefixShare {
  readonly prefix: SharedPrefix | undefined;
  readonly sharedSegments: number;
}

/** The smallest number of segments for which a shared prefix is made. */
const MIN_SEGMENTS = MIN_SEGMENTED_PAST / SEGMENT_LENGTH;
const NO_SHARE: PrefixShare = { prefix: undefined, sharedSegments: 0 };

/** The prefixes that rows of a cache share. */
export class SharedPrefixes {
  readonly #config: ModelConfig;
  readonly #rows: ReadonlySet<CacheRow>;
  /** Moves a row's segments, beginning at index `sharedSegments`, into the row's own slot. */
  readonly #reduceShare: (row: CacheRow, sharedSegments: number) => void;
  readonly #prefixes = new Set<SharedPrefix>();

  constructor(
    config: ModelConfig,
    rows: ReadonlySet<CacheRow>,
    reduceShare: (row: CacheRow, sharedSegments: number) => void,
  ) {
    this.#config = config;
    this.#rows = rows;
    this.#reduceShare = reduceShare;
  }

  get sizeBytes(): number {
    return [...this.#prefixes].reduce((sum, prefix) => sum + prefix.sizeBytes, 0);
  }

  clear(): void {
    this.#prefixes.clear();
  }

  /** Drops prefixes that no row shares. */
  dropUnused(): void {
    for (const prefix of this.#prefixes)
      if (this.#rowsSharing(prefix).length === 0) this.#prefixes.delete(prefix);
  }

  /** Returns the longest prefix that `tokens` begin with before position `end`. */
  findLongest(tokens: ArrayLike<number>, end: number): PrefixShare {
    let best = NO_SHARE;
    for (const prefix of this.#prefixes) {
      const sharedSegments = prefix.countMatchingSegments(tokens, end);
      if (sharedSegments > best.sharedSegments) best = { prefix, sharedSegments };
    }
    return best;
  }

  /** Returns the share of a row that differs after `sharedSegments` segments of a prefix. May shorten the prefix. */
  join({ prefix, sharedSegments }: PrefixShare): PrefixShare {
    if (!prefix || sharedSegments === prefix.segments) return { prefix, sharedSegments };
    if (sharedSegments < MIN_SEGMENTS || 2 * sharedSegments < prefix.segments) return NO_SHARE;
    for (const row of this.#rowsSharing(prefix))
      if (row.sharedSegments > sharedSegments) this.#reduceShare(row, sharedSegments);
    prefix.shortenTo(sharedSegments);
    return { prefix, sharedSegments };
  }

  /** Creates a prefix from the first `segments` segments at `place`. */
  create(tokens: Int32Array, place: RowPlace, segments: number): PrefixShare {
    this.dropUnused();
    const prefix = new SharedPrefix(this.#config);
    this.#prefixes.add(prefix);
    growPrefix(prefix, tokens, place, segments);
    return { prefix, sharedSegments: segments };
  }

  /** Returns a row's share now that it has `segments` segments, the last of which were just completed. */
  extend(row: CacheRow, segments: number): PrefixShare {
    const { prefix, sharedSegments, ownSegments } = row;
    if (ownSegments > 0) return { prefix, sharedSegments };
    return prefix ? this.#extendShared(row, prefix, segments) : this.#findOrCreate(row, segments);
  }

  #extendShared(row: CacheRow, prefix: SharedPrefix, segments: number): PrefixShare {
    const sharedSegments = prefix.countMatchingSegments(row.tokens, segments * SEGMENT_LENGTH);
    if (sharedSegments === segments) return { prefix, sharedSegments };
    if (sharedSegments === prefix.segments && this.#canGrow(row, prefix, segments)) {
      growPrefix(prefix, row.tokens, row, segments);
      return { prefix, sharedSegments: segments };
    }
    const joined = this.join({ prefix, sharedSegments });
    return joined.prefix ? joined : { prefix, sharedSegments };
  }

  #findOrCreate(row: CacheRow, segments: number): PrefixShare {
    const { tokens } = row;
    const joined = this.join(this.findLongest(tokens, segments * SEGMENT_LENGTH));
    if (joined.prefix) return joined;
    return this.#hasSimilarRow(row, segments) ? this.create(tokens, row, segments) : NO_SHARE;
  }

  /** Returns whether every other row of the prefix is at its end and continues like `row`, and at least one does. */
  #canGrow(row: CacheRow, prefix: SharedPrefix, segments: number): boolean {
    const isAtEnd = ({ sharedSegments, ownSegments }: CacheRow) =>
      ownSegments === 0 && sharedSegments === prefix.segments;
    const continuesLikeRow = (other: CacheRow) =>
      rowBeginsWith(other, row.tokens, segments * SEGMENT_LENGTH);
    const others = this.#rowsSharing(prefix).filter((other) => other !== row);
    return (
      others.every((other) => isAtEnd(other) && continuesLikeRow(other)) &&
      this.#hasSimilarRow(row, segments)
    );
  }

  /** Returns whether another row, computed yet or not, begins with the same segments. */
  #hasSimilarRow(row: CacheRow, segments: number): boolean {
    const length = segments * SEGMENT_LENGTH;
    return [...this.#rows].some(
      (other) => other !== row && rowBeginsWith(other, row.tokens, length),
    );
  }

  #rowsSharing(prefix: SharedPrefix): CacheRow[] {
    return [...this.#rows].filter((row) => row.prefix === prefix);
  }
}

function growPrefix(
  prefix: SharedPrefix,
  tokens: Int32Array,
  place: RowPlace,
  segments: number,
): void {
  for (const { position, source, sourceRow, sourcePosition } of listPieces(
    place,
    segments * SEGMENT_LENGTH,
  )) {
    if (position >= prefix.segments * SEGMENT_LENGTH)
      prefix.appendSegment(tokens.subarray(position), source, sourceRow, sourcePosition);
  }
}
