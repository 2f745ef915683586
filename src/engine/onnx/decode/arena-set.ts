/**
 * The arenas of a cache: one for each length of past and room for segments, made when a row first needs it.
 *
 * Which one a row lies in follows from its length and its share of a root. The padding of a past takes part in the arithmetic,
 * so it is a function of the position; room for segments does not, and may be coarse.
 */
import type { ModelConfig } from "../model/index.ts";
import { Arena } from "./arena.ts";
import type { CacheRow } from "./cache-row.ts";
import { BLOCK_LENGTH } from "./decode-graphs.ts";
import { SEGMENT_LENGTH } from "./segmented-attention.ts";

/** A finer ladder would waste less on padding and more on passes over fewer rows. */
const MIN_PAST_LENGTH = 64;

/** From here on rows are long enough that a finer ladder pays. */
const LONG_PAST_LENGTH = 512;

/** The length to which a past of `past` positions is padded: 64, 128, 192, 256, 384, 512, 640, 768, 896, 1024, 1280, ... */
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

/** Own segments for which a slot has room: 1, 2, 3, 4, 6, 8, 12, 16, ... Empty ones are masked and change no bit. */
export function segmentCapacity(segments: number): number {
  let room = 1;
  while (room < segments) room += Math.max(1, 2 ** Math.floor(Math.log2(room)) / 2);
  return room;
}

export class ArenaSet {
  readonly #config: ModelConfig;
  readonly #minSlots: number;
  readonly #arenas = new Map<string, Arena<CacheRow>>();

  /** `smallest`: slots that an arena has at least. */
  constructor(config: ModelConfig, smallest: number) {
    this.#config = config;
    this.#minSlots = smallest;
  }

  get sizeBytes(): number {
    return [...this.#arenas.values()].reduce((sum, arena) => sum + arena.sizeBytes, 0);
  }

  /** For a past that is not cut into segments. */
  forUnsegmentedPast(past: number): Arena<CacheRow> {
    return this.#getOrCreate(paddedPastLength(past, this.#config.contextLength), 0);
  }

  /** For `own` segments and what is left behind them. */
  forSegmentedPast(own: number): Arena<CacheRow> {
    return this.#getOrCreate(SEGMENT_LENGTH - BLOCK_LENGTH, segmentCapacity(own));
  }

  /** Rows that grow together leave whole arenas behind. */
  dropEmpty(): void {
    for (const [key, arena] of this.#arenas) if (arena.isEmpty) this.#arenas.delete(key);
  }

  #getOrCreate(length: number, room: number): Arena<CacheRow> {
    const key = `${length} ${room}`;
    const known = this.#arenas.get(key);
    if (known) return known;
    const arena = new Arena<CacheRow>(this.#config, length, this.#minSlots, room);
    this.#arenas.set(key, arena);
    return arena;
  }
}
