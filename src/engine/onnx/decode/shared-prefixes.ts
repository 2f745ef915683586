/**
 * Which rows share which beginning: found by comparing tokens, never declared.
 *
 * A root is made when a second row begins like one that is there, and grows while all its rows agree on what comes
 * next. It ends where the first of them goes its own way: a row that leaves it after half of it or more makes it that short
 * for all (the others keep the rest themselves), so that rows which run together share the same segments; one that
 * leaves it earlier does not join. None of this changes a number (segmented-attention.ts), only memory and speed.
 */
import type { ModelConfig } from "../model/index.ts";
import { type CacheRow, listPieces, type RowPlace, rowBeginsWith } from "./cache-row.ts";
import { MIN_SEGMENTED_PAST, SEGMENT_LENGTH } from "./segmented-attention.ts";
import { SharedPrefix } from "./shared-prefix.ts";

/** The first `shared` segments of a root, or nothing of none. */
export interface PrefixShare {
  readonly prefix: SharedPrefix | undefined;
  readonly sharedSegments: number;
}

/** Segments that are worth a root. */
const MIN_SEGMENTS = MIN_SEGMENTED_PAST / SEGMENT_LENGTH;
const NO_SHARE: PrefixShare = { prefix: undefined, sharedSegments: 0 };

export class SharedPrefixes {
  readonly #config: ModelConfig;
  readonly #rows: ReadonlySet<CacheRow>;
  /** Takes segments from `shared` on to the row itself. */
  readonly #reduceShare: (row: CacheRow, shared: number) => void;
  readonly #prefixes = new Set<SharedPrefix>();

  constructor(
    config: ModelConfig,
    rows: ReadonlySet<CacheRow>,
    withdraw: (row: CacheRow, shared: number) => void,
  ) {
    this.#config = config;
    this.#rows = rows;
    this.#reduceShare = withdraw;
  }

  get sizeBytes(): number {
    return [...this.#prefixes].reduce((sum, root) => sum + root.sizeBytes, 0);
  }

  clear(): void {
    this.#prefixes.clear();
  }

  /** Lets go of roots without rows. */
  dropUnused(): void {
    for (const root of this.#prefixes)
      if (this.#rowsSharing(root).length === 0) this.#prefixes.delete(root);
  }

  /** The longest beginning of `tokens` before `end` that a root has. */
  findLongest(tokens: ArrayLike<number>, end: number): PrefixShare {
    let best = NO_SHARE;
    for (const root of this.#prefixes) {
      const shared = root.countMatchingSegments(tokens, end);
      if (shared > best.sharedSegments) best = { prefix: root, sharedSegments: shared };
    }
    return best;
  }

  /** What a row shares that has the first `shared` segments of a root and not the next one. */
  join({ prefix: root, sharedSegments: shared }: PrefixShare): PrefixShare {
    if (!root || shared === root.segments) return { prefix: root, sharedSegments: shared };
    if (shared < MIN_SEGMENTS || 2 * shared < root.segments) return NO_SHARE;
    for (const row of this.#rowsSharing(root))
      if (row.sharedSegments > shared) this.#reduceShare(row, shared);
    root.shortenTo(shared);
    return { prefix: root, sharedSegments: shared };
  }

  /** A root of the first `segments` segments at `place`. */
  create(tokens: Int32Array, place: RowPlace, segments: number): PrefixShare {
    this.dropUnused();
    const root = new SharedPrefix(this.#config);
    this.#prefixes.add(root);
    growPrefix(root, tokens, place, segments);
    return { prefix: root, sharedSegments: segments };
  }

  /** What a row shares now that it has `segments` segments, of which the last were just completed. */
  extend(row: CacheRow, segments: number): PrefixShare {
    const { prefix: root, sharedSegments: shared, ownSegments: own } = row;
    if (own > 0) return { prefix: root, sharedSegments: shared };
    return root ? this.#extendShared(row, root, segments) : this.#findOrCreate(row, segments);
  }

  #extendShared(row: CacheRow, root: SharedPrefix, segments: number): PrefixShare {
    const shared = root.countMatchingSegments(row.tokens, segments * SEGMENT_LENGTH);
    if (shared === segments) return { prefix: root, sharedSegments: shared };
    if (shared === root.segments && this.#canGrow(row, root, segments)) {
      growPrefix(root, row.tokens, row, segments);
      return { prefix: root, sharedSegments: segments };
    }
    const joined = this.join({ prefix: root, sharedSegments: shared });
    return joined.prefix ? joined : { prefix: root, sharedSegments: shared };
  }

  #findOrCreate(row: CacheRow, segments: number): PrefixShare {
    const { tokens } = row;
    const joined = this.join(this.findLongest(tokens, segments * SEGMENT_LENGTH));
    if (joined.prefix) return joined;
    return this.#hasSimilarRow(row, segments) ? this.create(tokens, row, segments) : NO_SHARE;
  }

  /** Whether every other row of the root is at its end and goes on like `row`; and there is one that does. */
  #canGrow(row: CacheRow, root: SharedPrefix, segments: number): boolean {
    const isAtEnd = ({ sharedSegments: shared, ownSegments: own }: CacheRow) =>
      own === 0 && shared === root.segments;
    const isLike = (other: CacheRow) => rowBeginsWith(other, row.tokens, segments * SEGMENT_LENGTH);
    const others = this.#rowsSharing(root).filter((other) => other !== row);
    return (
      others.every((other) => isAtEnd(other) && isLike(other)) && this.#hasSimilarRow(row, segments)
    );
  }

  /** Whether another row, computed so far or not, begins with the same segments. */
  #hasSimilarRow(row: CacheRow, segments: number): boolean {
    const length = segments * SEGMENT_LENGTH;
    return [...this.#rows].some(
      (other) => other !== row && rowBeginsWith(other, row.tokens, length),
    );
  }

  #rowsSharing(root: SharedPrefix): CacheRow[] {
    return [...this.#rows].filter((row) => row.prefix === root);
  }
}

function growPrefix(
  root: SharedPrefix,
  tokens: Int32Array,
  place: RowPlace,
  segments: number,
): void {
  for (const { position: at, source, sourceRow: from, sourcePosition: first } of listPieces(
    place,
    segments * SEGMENT_LENGTH,
  )) {
    if (at >= root.segments * SEGMENT_LENGTH)
      root.appendSegment(tokens.subarray(at), source, from, first);
  }
}
