/**
 * Cached keys and values of all rows whose past is padded to one length, laid out so that any range of neighbouring
 * slots is an input of the graph without a copy.
 *
 * A slot holds, per layer as (key head, position, head size), a row's past (whole blocks, `length` positions) and
 * behind it the block being filled, and one mask for both; where the past is cut into segments it also holds the row's own
 * segments, (segment, key head, position, head size), with a mask for each, and the past is what follows them. Slots that
 * run together must be neighbours: `gather` swaps a few to make it so. Whatever is masked stays finite, because 0 times
 * it must be 0.
 */
import { assert } from "../../../core/index.ts";
import type { ModelConfig } from "../model/index.ts";
import { BLOCK_LENGTH, MASKED } from "./decode-graphs.ts";
import { SEGMENT_LENGTH } from "./segmented-attention.ts";

/** What a slot belongs to; the arena keeps `slot` right when it moves things. */
export interface SlotOwner {
  slot: number;
}

export interface LayerKeysValues {
  key: Float32Array;
  value: Float32Array;
}

/** Keys and values (rows, heads, positions, head size) of every layer: an arena, or what a graph gave. */
export interface KeyValueSource {
  readonly layers: readonly LayerKeysValues[];
  readonly positionsPerRow: number;
}

export interface SlotRange {
  readonly start: number;
  readonly width: number;
}

export class Arena<T extends SlotOwner> implements KeyValueSource {
  /** Positions of past that a slot has room for; the block being filled begins here. */
  readonly pastLength: number;
  /** Positions of a slot: past and one block. */
  readonly positionsPerRow: number;
  readonly layers: readonly LayerKeysValues[];
  /** A slot's own segments that there is room for, and their keys and values: row `slot * segments + i` is one. */
  readonly segmentsPerSlot: number;
  readonly ownSegments: KeyValueSource;
  /** (slots, segments) */
  segmentMask = new Float32Array(0);
  /** (slots, positions): 0 where a position is there, MASKED where not. */
  mask = new Float32Array(0);
  readonly #owners: (T | undefined)[] = [];
  readonly #heads: number;
  readonly #headSize: number;
  readonly #minSlots: number;

  constructor(config: ModelConfig, length: number, smallest: number, segments = 0) {
    this.pastLength = length;
    this.segmentsPerSlot = segments;
    this.positionsPerRow = length + BLOCK_LENGTH;
    this.#heads = config.kvHeads;
    this.#headSize = config.headSize;
    this.#minSlots = smallest;
    this.layers = emptyLayers(config.layers);
    this.ownSegments = {
      positionsPerRow: SEGMENT_LENGTH,
      layers: segments > 0 ? emptyLayers(config.layers) : [],
    };
  }

  get slotCount(): number {
    return this.#owners.length;
  }

  get sizeBytes(): number {
    return 4 * this.slotCount * this.#arrays().reduce((sum, { stride }) => sum + stride, 0);
  }

  get isEmpty(): boolean {
    return this.#owners.every((tenant) => tenant === undefined);
  }

  ownerAt(slot: number): T | undefined {
    return this.#owners[slot];
  }

  /** Gives `tenant` a slot with nothing in it. */
  assignSlot(tenant: T): void {
    let slot = this.#owners.indexOf(undefined);
    if (slot < 0) {
      slot = this.slotCount;
      this.#growTo(Math.max(this.#minSlots, slot * 2));
    }
    this.#owners[slot] = tenant;
    tenant.slot = slot;
    this.maskBeyond(slot, 0);
    this.maskSegmentsBeyond(slot, 0);
  }

  freeSlot(slot: number): void {
    assert(this.#owners[slot], "an empty slot is vacated");
    this.#owners[slot] = undefined;
  }

  /** Masks all but the first `past` positions. */
  maskBeyond(slot: number, past: number): void {
    const start = slot * this.positionsPerRow;
    this.mask.fill(0, start, start + past);
    this.mask.fill(MASKED, start + past, start + this.positionsPerRow);
  }

  /** Writes `count` positions from row `from`, position `first` of `source` to position `at`, and unmasks them. */
  writePositions(
    slot: number,
    at: number,
    source: KeyValueSource,
    from: number,
    first: number,
    count: number,
  ): void {
    this.#copy(source, from, first, this, slot, at, count);
    const start = slot * this.positionsPerRow + at;
    this.mask.fill(0, start, start + count);
  }

  /** Writes 128 positions from row `from`, position `first` of `source` as own segment `index`. */
  writeSegment(
    slot: number,
    index: number,
    source: KeyValueSource,
    from: number,
    first: number,
  ): void {
    assert(index < this.segmentsPerSlot, "a segment has a place");
    this.#copy(
      source,
      from,
      first,
      this.ownSegments,
      slot * this.segmentsPerSlot + index,
      0,
      SEGMENT_LENGTH,
    );
  }

  /** Masks all but the first `count` own segments. */
  maskSegmentsBeyond(slot: number, count: number): void {
    const start = slot * this.segmentsPerSlot;
    this.segmentMask.fill(0, start, start + count);
    this.segmentMask.fill(MASKED, start + count, start + this.segmentsPerSlot);
  }

  #copy(
    source: KeyValueSource,
    from: number,
    first: number,
    target: KeyValueSource,
    row: number,
    at: number,
    count: number,
  ): void {
    const size = this.#headSize;
    for (let layer = 0; layer < this.layers.length; layer++) {
      const [given, taken] = [source.layers[layer]!, target.layers[layer]!];
      for (let head = 0; head < this.#heads; head++) {
        const start = ((from * this.#heads + head) * source.positionsPerRow + first) * size;
        const to = ((row * this.#heads + head) * target.positionsPerRow + at) * size;
        copyFloats(given.key, start, taken.key, to, count * size);
        copyFloats(given.value, start, taken.value, to, count * size);
      }
    }
  }

  /**
   * Moves `tenants` next to each other, with at most `strangers` others per tenant between them, and returns the range
   * of slots that holds them all, `least` or more of them. What lies there already stays where it is.
   */
  gatherSlots(tenants: readonly T[], least: number, strangers: number): SlotRange {
    const slots = tenants.map(({ slot }) => slot);
    const [first, last] = [Math.min(...slots), Math.max(...slots)];
    if (last - first + 1 <= tenants.length * (1 + strangers)) {
      return this.#slotRange(first, last - first + 1, least);
    }
    const { start, width } = this.#slotRange(
      this.#findDensestStart(tenants),
      tenants.length,
      least,
    );
    const wanted = new Set(tenants);
    let hole = start;
    for (const tenant of tenants) {
      if (tenant.slot >= start && tenant.slot < start + tenants.length) continue;
      while (wanted.has(this.#owners[hole]!)) hole++;
      this.#swapSlots(tenant.slot, hole++);
    }
    return { start, width };
  }

  /** At least `least` slots from `start` on, or before it where the arena ends. */
  #slotRange(start: number, width: number, least: number): SlotRange {
    const wide = Math.max(width, least);
    if (this.slotCount < wide) this.#growTo(wide);
    return { start: Math.min(start, this.slotCount - wide), width: wide };
  }

  /** Where as many neighbouring slots as there are tenants hold most of them. */
  #findDensestStart(tenants: readonly T[]): number {
    const wanted = new Set(tenants);
    const inside = (slot: number) => (wanted.has(this.#owners[slot]!) ? 1 : 0);
    const width = tenants.length;
    let count = 0;
    for (let slot = 0; slot < width; slot++) count += inside(slot);
    let [best, bestCount] = [0, count];
    for (let start = 1; start + width <= this.slotCount; start++) {
      count += inside(start + width - 1) - inside(start - 1);
      if (count > bestCount) [best, bestCount] = [start, count];
    }
    return best;
  }

  #swapSlots(a: number, b: number): void {
    const [first, second] = [this.#owners[a], this.#owners[b]];
    for (const { array, stride } of this.#arrays()) {
      const kept = second ? array.slice(b * stride, (b + 1) * stride) : undefined;
      array.copyWithin(b * stride, a * stride, (a + 1) * stride);
      if (kept) array.set(kept, a * stride);
    }
    this.#owners[a] = second;
    this.#owners[b] = first;
    if (first) first.slot = b;
    if (second) second.slot = a;
  }

  #growTo(slots: number): void {
    const grown = (array: Float32Array, stride: number) => {
      const out = new Float32Array(slots * stride);
      out.set(array);
      return out;
    };
    for (const { layers, stride } of this.#pools()) {
      for (const layer of layers) {
        layer.key = grown(layer.key, stride);
        layer.value = grown(layer.value, stride);
      }
    }
    this.mask = grown(this.mask, this.positionsPerRow);
    this.segmentMask = grown(this.segmentMask, this.segmentsPerSlot);
    for (let slot = this.slotCount; slot < slots; slot++) {
      this.#owners.push(undefined);
      this.maskBeyond(slot, 0);
      this.maskSegmentsBeyond(slot, 0);
    }
  }

  /** Keys and values, and what a slot takes of each. */
  #pools(): { layers: readonly LayerKeysValues[]; stride: number }[] {
    const stride = (positionsPerRow: number) => this.#heads * positionsPerRow * this.#headSize;
    return [
      { layers: this.layers, stride: stride(this.positionsPerRow) },
      { layers: this.ownSegments.layers, stride: stride(this.segmentsPerSlot * SEGMENT_LENGTH) },
    ];
  }

  #arrays(): { array: Float32Array; stride: number }[] {
    return [
      { array: this.mask, stride: this.positionsPerRow },
      { array: this.segmentMask, stride: this.segmentsPerSlot },
      ...this.#pools().flatMap(({ layers, stride }) =>
        layers.flatMap(({ key, value }) => [
          { array: key, stride },
          { array: value, stride },
        ]),
      ),
    ];
  }
}

export function emptyLayers(count: number): LayerKeysValues[] {
  return Array.from({ length: count }, () => ({
    key: new Float32Array(0),
    value: new Float32Array(0),
  }));
}

/** Short copies in a loop, long ones by the engine's memmove. */
function copyFloats(
  source: Float32Array,
  from: number,
  target: Float32Array,
  to: number,
  count: number,
): void {
  if (count > 64) {
    target.set(source.subarray(from, from + count), to);
    return;
  }
  for (let i = 0; i < count; i++) target[to + i] = source[from + i]!;
}
