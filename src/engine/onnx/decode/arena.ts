/**
 * Cached keys and values of all rows whose past is padded to the same length, laid out so that any range of adjacent
 * slots is an input of the graph without a copy.
 *
 * A slot holds, per layer as (key head, position, head size), a row's past (whole blocks, `pastLength` positions) and
 * after it the block that is being filled, with one mask for both. Where the past is cut into segments, the slot also
 * holds the row's own segments, (segment, key head, position, head size), with a mask for each, and the past is what
 * follows them. Slots that run together must be adjacent: `gatherSlots` swaps a few to achieve this. Masked numbers
 * stay finite, because 0 times them must be 0.
 *
 * On a device the numbers lie in a pool (device-key-values.ts), which a graph reads from its first slot on. There are
 * no segments there.
 */
import { assert } from "../../../core/index.ts";
import type { ModelConfig } from "../model/index.ts";
import { BLOCK_LENGTH, MASKED } from "./decode-graphs.ts";
import { type DeviceKeyValues, DevicePool } from "./device-key-values.ts";
import { SEGMENT_LENGTH } from "./segmented-attention.ts";

/** The row that occupies a slot. The arena updates `slot` when it moves rows. */
export interface SlotOwner {
  slot: number;
}

/** The keys and values of one layer. */
export interface LayerKeysValues {
  key: Float32Array;
  value: Float32Array;
}

/** Keys and values (rows, heads, positions, head size) of every layer: an arena, or the output of a graph. */
export interface KeyValueSource {
  readonly layers: readonly LayerKeysValues[];
  /** The same on a device. The layers are then empty. */
  readonly pool?: DevicePool | undefined;
  readonly positionsPerRow: number;
}

/** A range of adjacent slots. */
export interface SlotRange {
  readonly start: number;
  readonly width: number;
}

/** Stores keys and values in slots of equal size. */
export class Arena<T extends SlotOwner> implements KeyValueSource {
  /** The positions of past for which a slot has room. The block that is being filled begins here. */
  readonly pastLength: number;
  /** The positions of a slot: its past and one block. */
  readonly positionsPerRow: number;
  readonly layers: readonly LayerKeysValues[];
  readonly pool: DevicePool | undefined;
  /** The own segments of a slot. Segment i of a slot is row `slot * segmentsPerSlot + i` of `ownSegments`. */
  readonly segmentsPerSlot: number;
  readonly ownSegments: KeyValueSource;
  /** The mask of own segments, (slots, segments): 0 where a segment exists, MASKED where it does not. */
  segmentMask = new Float32Array(0);
  /** The mask of positions, (slots, positions): 0 where a position exists, MASKED where it does not. */
  mask = new Float32Array(0);
  readonly #owners: (T | undefined)[] = [];
  readonly #heads: number;
  readonly #headSize: number;
  readonly #minSlots: number;
  readonly #device: DeviceKeyValues | undefined;

  constructor(
    config: ModelConfig,
    pastLength: number,
    minSlots: number,
    segmentsPerSlot = 0,
    device?: DeviceKeyValues,
  ) {
    this.pastLength = pastLength;
    this.segmentsPerSlot = segmentsPerSlot;
    this.positionsPerRow = pastLength + BLOCK_LENGTH;
    this.#heads = config.kvHeads;
    this.#headSize = config.headSize;
    this.#minSlots = minSlots;
    this.layers = emptyLayers(config.layers);
    this.#device = device;
    this.pool = device && new DevicePool(this.positionsPerRow);
    this.ownSegments = {
      positionsPerRow: SEGMENT_LENGTH,
      layers: segmentsPerSlot > 0 ? emptyLayers(config.layers) : [],
    };
  }

  /** Returns where the block begins that is being filled after `past` positions: on a device just after them. */
  blockStart(past: number): number {
    return this.pool ? past : this.pastLength;
  }

  get slotCount(): number {
    return this.#owners.length;
  }

  get sizeBytes(): number {
    const onDevice = this.pool
      ? 2 * this.layers.length * this.#heads * this.positionsPerRow * this.#headSize
      : 0;
    return (
      4 *
      this.slotCount *
      this.#arrays().reduce((sum, { elementsPerSlot }) => sum + elementsPerSlot, onDevice)
    );
  }

  get isEmpty(): boolean {
    return this.#owners.every((owner) => owner === undefined);
  }

  ownerAt(slot: number): T | undefined {
    return this.#owners[slot];
  }

  /** Gives `owner` an empty slot. */
  assignSlot(owner: T): void {
    let slot = this.#owners.indexOf(undefined);
    if (slot < 0) {
      slot = this.slotCount;
      this.#growTo(Math.max(this.#minSlots, slot * 2));
    }
    this.#owners[slot] = owner;
    owner.slot = slot;
    this.maskBeyond(slot, 0);
    this.maskSegmentsBeyond(slot, 0);
  }

  freeSlot(slot: number): void {
    assert(this.#owners[slot], "an empty slot cannot be freed");
    this.#owners[slot] = undefined;
  }

  /** Masks all but the first `past` positions of a slot. */
  maskBeyond(slot: number, past: number): void {
    const start = slot * this.positionsPerRow;
    this.mask.fill(0, start, start + past);
    this.mask.fill(MASKED, start + past, start + this.positionsPerRow);
  }

  /** Copies `count` positions from `source` to a slot, beginning at `position`, and unmasks them. */
  writePositions(
    slot: number,
    position: number,
    source: KeyValueSource,
    sourceRow: number,
    sourcePosition: number,
    count: number,
  ): void {
    this.#copy(source, sourceRow, sourcePosition, this, slot, position, count);
    const start = slot * this.positionsPerRow + position;
    this.mask.fill(0, start, start + count);
  }

  /** Copies a segment from `source` to own segment `index` of a slot. */
  writeSegment(
    slot: number,
    index: number,
    source: KeyValueSource,
    sourceRow: number,
    sourcePosition: number,
  ): void {
    assert(index < this.segmentsPerSlot, "the slot has no room for this segment");
    this.#copy(
      source,
      sourceRow,
      sourcePosition,
      this.ownSegments,
      slot * this.segmentsPerSlot + index,
      0,
      SEGMENT_LENGTH,
    );
  }

  /** Masks all but the first `count` own segments of a slot. */
  maskSegmentsBeyond(slot: number, count: number): void {
    const start = slot * this.segmentsPerSlot;
    this.segmentMask.fill(0, start, start + count);
    this.segmentMask.fill(MASKED, start + count, start + this.segmentsPerSlot);
  }

  #copy(
    source: KeyValueSource,
    sourceRow: number,
    sourcePosition: number,
    target: KeyValueSource,
    targetRow: number,
    targetPosition: number,
    count: number,
  ): void {
    if (this.#device) {
      const from = { pool: source.pool!, row: sourceRow, position: sourcePosition };
      const to = { pool: target.pool!, row: targetRow, position: targetPosition };
      this.#device.planCopy(from, to, count);
      return;
    }
    const size = this.#headSize;
    for (let layer = 0; layer < this.layers.length; layer++) {
      const [sourceLayer, targetLayer] = [source.layers[layer]!, target.layers[layer]!];
      for (let head = 0; head < this.#heads; head++) {
        const start =
          ((sourceRow * this.#heads + head) * source.positionsPerRow + sourcePosition) * size;
        const to =
          ((targetRow * this.#heads + head) * target.positionsPerRow + targetPosition) * size;
        copyFloats(sourceLayer.key, start, targetLayer.key, to, count * size);
        copyFloats(sourceLayer.value, start, targetLayer.value, to, count * size);
      }
    }
  }

  /**
   * Moves rows to adjacent slots and returns a range of at least `minWidth` slots that holds them all. Rows that
   * already lie close together stay: up to `maxIdleShare` other slots per row may lie between them.
   */
  gatherSlots(owners: readonly T[], minWidth: number, maxIdleShare: number): SlotRange {
    const slots = owners.map(({ slot }) => slot);
    const [first, last] = [this.pool ? 0 : Math.min(...slots), Math.max(...slots)];
    if (last - first + 1 <= owners.length * (1 + maxIdleShare)) {
      return this.#slotRange(first, last - first + 1, minWidth);
    }
    const { start, width } = this.#slotRange(
      this.pool ? 0 : this.#findDensestStart(owners),
      owners.length,
      minWidth,
    );
    const wanted = new Set(owners);
    let hole = start;
    for (const owner of owners) {
      if (owner.slot >= start && owner.slot < start + owners.length) continue;
      while (wanted.has(this.#owners[hole]!)) hole++;
      this.#swapSlots(owner.slot, hole++);
    }
    return { start, width };
  }

  /**
   * Returns a range of at least `minWidth` slots that begins at `start`, or earlier where the arena would end before
   * the range.
   */
  #slotRange(start: number, width: number, minWidth: number): SlotRange {
    const wide = Math.max(width, minWidth);
    if (this.slotCount < wide) this.#growTo(wide);
    return { start: Math.min(start, this.slotCount - wide), width: wide };
  }

  /** Returns the start of the adjacent slots, as many as there are rows, that already hold most of the rows. */
  #findDensestStart(owners: readonly T[]): number {
    const wanted = new Set(owners);
    const countIfWanted = (slot: number) => (wanted.has(this.#owners[slot]!) ? 1 : 0);
    const width = owners.length;
    let count = 0;
    for (let slot = 0; slot < width; slot++) count += countIfWanted(slot);
    let [best, bestCount] = [0, count];
    for (let start = 1; start + width <= this.slotCount; start++) {
      count += countIfWanted(start + width - 1) - countIfWanted(start - 1);
      if (count > bestCount) [best, bestCount] = [start, count];
    }
    return best;
  }

  #swapSlots(a: number, b: number): void {
    const [first, second] = [this.#owners[a], this.#owners[b]];
    if (this.pool) this.#device!.planSwap(this.pool, a, b, second !== undefined);
    for (const { array, elementsPerSlot } of this.#arrays()) {
      const kept = second ? array.slice(b * elementsPerSlot, (b + 1) * elementsPerSlot) : undefined;
      array.copyWithin(b * elementsPerSlot, a * elementsPerSlot, (a + 1) * elementsPerSlot);
      if (kept) array.set(kept, a * elementsPerSlot);
    }
    this.#owners[a] = second;
    this.#owners[b] = first;
    if (first) first.slot = b;
    if (second) second.slot = a;
  }

  #growTo(slots: number): void {
    if (this.pool) this.#device!.planResize(this.pool, this.slotCount, slots);
    const growArray = (array: Float32Array, elementsPerSlot: number) => {
      const out = new Float32Array(slots * elementsPerSlot);
      out.set(array);
      return out;
    };
    for (const { layers, elementsPerSlot } of this.#pools()) {
      for (const layer of layers) {
        layer.key = growArray(layer.key, elementsPerSlot);
        layer.value = growArray(layer.value, elementsPerSlot);
      }
    }
    this.mask = growArray(this.mask, this.positionsPerRow);
    this.segmentMask = growArray(this.segmentMask, this.segmentsPerSlot);
    for (let slot = this.slotCount; slot < slots; slot++) {
      this.#owners.push(undefined);
      this.maskBeyond(slot, 0);
      this.maskSegmentsBeyond(slot, 0);
    }
  }

  /** Frees what lies on a device. The arena must be empty, and is not used again. */
  close(): void {
    if (this.pool) this.#device!.planFree(this.pool);
  }

  /**
   * Returns the arrays of keys and values in this thread's memory, and the number of elements of each that belong to
   * one slot.
   */
  #pools(): { layers: readonly LayerKeysValues[]; elementsPerSlot: number }[] {
    if (this.pool) return [];
    const elementsOf = (positions: number) => this.#heads * positions * this.#headSize;
    return [
      { layers: this.layers, elementsPerSlot: elementsOf(this.positionsPerRow) },
      {
        layers: this.ownSegments.layers,
        elementsPerSlot: elementsOf(this.segmentsPerSlot * SEGMENT_LENGTH),
      },
    ];
  }

  #arrays(): { array: Float32Array; elementsPerSlot: number }[] {
    return [
      { array: this.mask, elementsPerSlot: this.positionsPerRow },
      { array: this.segmentMask, elementsPerSlot: this.segmentsPerSlot },
      ...this.#pools().flatMap(({ layers, elementsPerSlot }) =>
        layers.flatMap(({ key, value }) => [
          { array: key, elementsPerSlot },
          { array: value, elementsPerSlot },
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

/** Copies short runs in a loop and long ones by the JavaScript engine's memmove. */
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
