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
import type { DeviceKeyValues } from "./device-key-values.ts";
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

/**
 * Returns the padded length of a past on a device: 256, 512, 1024, ... Kernels there round by the batch anyway, and a
 * pass over more rows reads the weights less often.
 */
export function devicePastLength(past: number, contextLength: number): number {
  const length = Math.max(MIN_DEVICE_PAST_LENGTH, 2 ** Math.ceil(Math.log2(Math.max(1, past))));
  return Math.min(length, paddedPastLength(contextLength, contextLength));
}

const MIN_DEVICE_PAST_LENGTH = 256;

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
  readonly #device: DeviceKeyValues | undefined;
  readonly #arenas = new Map<string, Arena<CacheRow>>();

  /** `minSlots` is the smallest number of slots of an arena. With `device`, arenas lie there. */
  constructor(config: ModelConfig, minSlots: number, device?: DeviceKeyValues) {
    this.#config = config;
    this.#minSlots = minSlots;
    this.#device = device;
  }

  get sizeBytes(): number {
    return [...this.#arenas.values()].reduce((sum, arena) => sum + arena.sizeBytes, 0);
  }

  /** Returns the arena for a past that is not cut into segments. */
  forUnsegmentedPast(past: number): Arena<CacheRow> {
    const lengthFor = this.#device ? devicePastLength : paddedPastLength;
    return this.#getOrCreate(lengthFor(past, this.#config.contextLength), 0);
  }

  /** Returns the arena for `ownSegments` segments and the rest of the past after them. */
  forSegmentedPast(ownSegments: number): Arena<CacheRow> {
    return this.#getOrCreate(SEGMENT_LENGTH - BLOCK_LENGTH, segmentCapacity(ownSegments));
  }

  /** Drops arenas without rows. Rows that grow together leave whole arenas empty. */
  dropEmpty(): void {
    for (const [key, arena] of this.#arenas) {
      if (!arena.isEmpty) continue;
      this.#arenas.delete(key);
      arena.close();
    }
  }

  #getOrCreate(pastLength: number, capacity: number): Arena<CacheRow> {
    const key = `${pastLength} ${capacity}`;
    const known = this.#arenas.get(key);
    if (known) return known;
    const sizes = [pastLength, this.#minSlots, capacity] as const;
    const arena = new Arena<CacheRow>(this.#config, ...sizes, this.#device);
    this.#arenas.set(key, arena);
    return arena;
  }
}
