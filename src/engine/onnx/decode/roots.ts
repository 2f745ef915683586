/**
 * Which rows share which beginning: found by comparing tokens, never declared.
 *
 * A root is made when a second row begins like one that is there, and grows while all its rows agree on what comes
 * next. It ends where the first of them goes its own way: a row that leaves it after half of it or more makes it that short
 * for all (the others keep the rest themselves), so that rows which run together share the same segments; one that
 * leaves it earlier does not join. None of this changes a number (segmented-attention.ts), only memory and speed.
 */
import type { ModelConfig } from "../model/index.ts";
import { beginsWith, type CacheRow, type Place, pieces } from "./cache-row.ts";
import { Root } from "./root.ts";
import { FIRST_SEGMENTED, SEGMENT } from "./segmented-attention.ts";

/** The first `shared` segments of a root, or nothing of none. */
export interface Share {
  readonly root: Root | undefined;
  readonly shared: number;
}

/** Segments that are worth a root. */
const FEWEST = FIRST_SEGMENTED / SEGMENT;
const NOTHING: Share = { root: undefined, shared: 0 };

export class Roots {
  readonly #config: ModelConfig;
  readonly #rows: ReadonlySet<CacheRow>;
  /** Takes segments from `shared` on to the row itself. */
  readonly #withdraw: (row: CacheRow, shared: number) => void;
  readonly #roots = new Set<Root>();

  constructor(
    config: ModelConfig,
    rows: ReadonlySet<CacheRow>,
    withdraw: (row: CacheRow, shared: number) => void,
  ) {
    this.#config = config;
    this.#rows = rows;
    this.#withdraw = withdraw;
  }

  get sizeBytes(): number {
    return [...this.#roots].reduce((sum, root) => sum + root.sizeBytes, 0);
  }

  clear(): void {
    this.#roots.clear();
  }

  /** Lets go of roots without rows. */
  dropUnused(): void {
    for (const root of this.#roots) if (this.#rowsOf(root).length === 0) this.#roots.delete(root);
  }

  /** The longest beginning of `tokens` before `end` that a root has. */
  longest(tokens: ArrayLike<number>, end: number): Share {
    let best = NOTHING;
    for (const root of this.#roots) {
      const shared = root.matching(tokens, end);
      if (shared > best.shared) best = { root, shared };
    }
    return best;
  }

  /** What a row shares that has the first `shared` segments of a root and not the next one. */
  join({ root, shared }: Share): Share {
    if (!root || shared === root.segments) return { root, shared };
    if (shared < FEWEST || 2 * shared < root.segments) return NOTHING;
    for (const row of this.#rowsOf(root)) if (row.shared > shared) this.#withdraw(row, shared);
    root.shorten(shared);
    return { root, shared };
  }

  /** A root of the first `segments` segments at `place`. */
  make(tokens: Int32Array, place: Place, segments: number): Share {
    this.dropUnused();
    const root = new Root(this.#config);
    this.#roots.add(root);
    grow(root, tokens, place, segments);
    return { root, shared: segments };
  }

  /** What a row shares now that it has `segments` segments, of which the last were just completed. */
  extend(row: CacheRow, segments: number): Share {
    const { root, shared, own } = row;
    if (own > 0) return { root, shared };
    return root ? this.#follow(row, root, segments) : this.#find(row, segments);
  }

  #follow(row: CacheRow, root: Root, segments: number): Share {
    const shared = root.matching(row.tokens, segments * SEGMENT);
    if (shared === segments) return { root, shared };
    if (shared === root.segments && this.#allAgree(row, root, segments)) {
      grow(root, row.tokens, row, segments);
      return { root, shared: segments };
    }
    const joined = this.join({ root, shared });
    return joined.root ? joined : { root, shared };
  }

  #find(row: CacheRow, segments: number): Share {
    const { tokens } = row;
    const joined = this.join(this.longest(tokens, segments * SEGMENT));
    if (joined.root) return joined;
    return this.#hasMate(row, segments) ? this.make(tokens, row, segments) : NOTHING;
  }

  /** Whether every other row of the root is at its end and goes on like `row`; and there is one that does. */
  #allAgree(row: CacheRow, root: Root, segments: number): boolean {
    const isAtEnd = ({ shared, own }: CacheRow) => own === 0 && shared === root.segments;
    const isLike = (other: CacheRow) => beginsWith(other, row.tokens, segments * SEGMENT);
    const others = this.#rowsOf(root).filter((other) => other !== row);
    return others.every((other) => isAtEnd(other) && isLike(other)) && this.#hasMate(row, segments);
  }

  /** Whether another row, computed so far or not, begins with the same segments. */
  #hasMate(row: CacheRow, segments: number): boolean {
    const length = segments * SEGMENT;
    return [...this.#rows].some((other) => other !== row && beginsWith(other, row.tokens, length));
  }

  #rowsOf(root: Root): CacheRow[] {
    return [...this.#rows].filter((row) => row.root === root);
  }
}

function grow(root: Root, tokens: Int32Array, place: Place, segments: number): void {
  for (const { at, source, from, first } of pieces(place, segments * SEGMENT)) {
    if (at >= root.segments * SEGMENT) root.append(tokens.subarray(at), source, from, first);
  }
}
