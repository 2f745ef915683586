/**
 * The arenas of a cache: one for each length of past and room for segments, made when a row first needs it.
 *
 * Which one a row lies in follows from its length and its share of a root. The padding of a past takes part in the arithmetic,
 * so it is a function of the position; room for segments does not, and may be coarse.
 */
import type { ModelConfig } from "../model/index.ts";
import { Arena } from "./arena.ts";
import type { CacheRow } from "./cache-row.ts";
import { BLOCK } from "./graphs.ts";
import { SEGMENT } from "./segmented-attention.ts";

/** A finer ladder would waste less on padding and more on passes over fewer rows. */
const SMALLEST_PAST = 64;

/** From here on rows are long enough that a finer ladder pays. */
const LONG_PAST = 512;

/** The length to which a past of `past` positions is padded: 64, 128, 192, 256, 384, 512, 640, 768, 896, 1024, 1280, ... */
export function paddedPast(past: number, contextLength: number): number {
  let length = SMALLEST_PAST;
  while (length < past) {
    const power = 2 ** Math.floor(Math.log2(length));
    length += Math.max(SMALLEST_PAST, power < LONG_PAST ? power / 2 : power / 4);
  }
  return Math.min(length, Math.max(BLOCK, Math.ceil(contextLength / BLOCK) * BLOCK));
}

/** Own segments for which a slot has room: 1, 2, 3, 4, 6, 8, 12, 16, ... Empty ones are masked and change no bit. */
export function segmentRoom(segments: number): number {
  let room = 1;
  while (room < segments) room += Math.max(1, 2 ** Math.floor(Math.log2(room)) / 2);
  return room;
}

export class Arenas {
  readonly #config: ModelConfig;
  readonly #smallest: number;
  readonly #arenas = new Map<string, Arena<CacheRow>>();

  /** `smallest`: slots that an arena has at least. */
  constructor(config: ModelConfig, smallest: number) {
    this.#config = config;
    this.#smallest = smallest;
  }

  get sizeBytes(): number {
    return [...this.#arenas.values()].reduce((sum, arena) => sum + arena.sizeBytes, 0);
  }

  /** For a past that is not cut into segments. */
  whole(past: number): Arena<CacheRow> {
    return this.#get(paddedPast(past, this.#config.contextLength), 0);
  }

  /** For `own` segments and what is left behind them. */
  cut(own: number): Arena<CacheRow> {
    return this.#get(SEGMENT - BLOCK, segmentRoom(own));
  }

  /** Rows that grow together leave whole arenas behind. */
  dropEmpty(): void {
    for (const [key, arena] of this.#arenas) if (arena.empty) this.#arenas.delete(key);
  }

  #get(length: number, room: number): Arena<CacheRow> {
    const key = `${length} ${room}`;
    const known = this.#arenas.get(key);
    if (known) return known;
    const arena = new Arena<CacheRow>(this.#config, length, this.#smallest, room);
    this.#arenas.set(key, arena);
    return arena;
  }
}
