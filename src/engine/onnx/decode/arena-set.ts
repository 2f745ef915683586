/**
 * All arenas of a cache, one for each length of past and capacity of segments, created when a row first needs it.
 *
 * A row's arena follows from its length and its share of a prefix. The padding of a past takes part in the
 * arithmetic, so it depends only on the position. The capacity for segments does not, and may be coarse.
 */
import type { ModelConfig } from "../model/index.ts";
import { Arena } from "./arena.ts";
import type { CacheRow } from "./cache-row.ts";
import { BLOCK_LENGTH } from "./decode-graphs.ts";
import { SEGMENT_LENGTH } from "./segmented-attention.ts";

/** The shortest padded past. Smaller lengths would waste less on padding and more on passes over fewer rows. */
const MIN_PAST_LENGTH = 64;

/** The length of a row above which finer steps of padding are worthwhile. */
const LONG_PAST_LENGTH = 512;

/**
 * Returns the padded length of a past of `past` positions: 64, 128, 192, 256, 384, 512, 640, 768, ...
 */
export function paddedPastLength(past: number, contextLength: number): number {
  let length = MIN_PAST_LENGTH;
  while (length < past) {
    const power = 2 ** Math.floor(Math.log2(length));
    length += Math.max(MIN_PAST_LENGTH, power < LONG_PAST_LENGTH ? power / 2 : power / 4);
  }
  return Math.min(
    length,
    Math.max(BLOCK_LENGTH, Math.ceil(contextLength / BLOCK_LENGTH) * BLOCK_LENGTH),
  );
}

/** Returns for how many own segments a slot has room: 1, 2, 3, 4, 6, 8, 12, 16, ... Empty ones are masked. */
export function segmentCapacity(segments: number): number {
  let room = 1;
  while (room < segments) room += Math.max(1, 2 ** Math.floor(Math.log2(room)) / 2);
  return room;
}

/** The arenas of a cache. */
export class ArenaSet {
  readonly #config: ModelConfig;
  readonly #minSlots: number;
  readonly #arenas = new Map<string, Arena<CacheRow>>();

  /** `minSlots` is the smallest number of slots of an arena. */
  constructor(config: ModelConfig, minSlots: number) {
    this.#config = config;
    this.#minSlots = minSlots;
  }

  get sizeBytes(): number {
    return [...this.#arenas.values()].reduce((sum, arena) => sum + arena.sizeBytes, 0);
  }

  /** Returns the arena for a past that is not cut into segments. */
  forUnsegmentedPast(past: number): Arena<CacheRow> {
    return this.#getOrCreate(paddedPastLength(past, this.#config.contextLength), 0);
  }

  /** Returns the arena for `ownSegments` segments and the rest of the past after them. */
  forSegmentedPast(ownSegments: number): Arena<CacheRow> {
    return this.#getOrCreate(SEGMENT_LENGTH - BLOCK_LENGTH, segmentCapacity(ownSegments));
  }

  /** Drops arenas without rows. Rows that grow together leave whole arenas empty. */
  dropEmpty(): void {
    for (const [key, arena] of this.#arenas) if (arena.isEmpty) this.#arenas.delete(key);
  }

  #getOrCreate(pastLength: number, capacity: number): Arena<CacheRow> {
    const key = `${pastLength} ${capacity}`;
    const known = this.#arenas.get(key);
    if (known) return known;
    const arena = new Arena<CacheRow>(this.#config, pastLength, this.#minSlots, capacity);
    this.#arenas.set(key, arena);
    return arena;
  }
}
