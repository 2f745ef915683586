/**
 * Cached keys and values of all rows whose past is padded to one length, laid out so that any range of neighbouring
 * slots is an input of the graph without a copy.
 *
 * A slot holds a row's `past` (whole blocks), its `window` (the block being filled) and the masks of both, per layer
 * as (key head, position, head size). Slots that run together must be neighbours: `gather` swaps a few to make it so.
 * Whatever is masked stays finite, because 0 times it must be 0.
 */
import { assert } from "../../../core/index.ts";
import type { ModelConfig } from "../model/index.ts";
import { BLOCK, MASKED } from "./graphs.ts";

/** What a slot belongs to; the arena keeps `slot` right when it moves things. */
export interface Tenant {
  slot: number;
}

export interface LayerCache {
  key: Float32Array;
  value: Float32Array;
}

export class Arena<T extends Tenant> {
  /** Positions of past that a slot has room for. */
  readonly length: number;
  readonly past: readonly LayerCache[];
  readonly window: readonly LayerCache[];
  /** (slots, length) and (slots, BLOCK): 0 where a position is there, MASKED where not. */
  pastMask = new Float32Array(0);
  windowMask = new Float32Array(0);
  readonly #tenants: (T | undefined)[] = [];
  readonly #heads: number;
  readonly #headSize: number;
  readonly #smallest: number;

  constructor(config: ModelConfig, length: number, smallest: number) {
    this.length = length;
    this.#heads = config.kvHeads;
    this.#headSize = config.headSize;
    this.#smallest = smallest;
    const layers = () =>
      Array.from({ length: config.layers }, () => ({
        key: new Float32Array(0),
        value: new Float32Array(0),
      }));
    this.past = layers();
    this.window = layers();
  }

  get slots(): number {
    return this.#tenants.length;
  }

  get sizeBytes(): number {
    return 4 * this.slots * this.#strides().reduce((sum, { stride }) => sum + stride, 0);
  }

  tenant(slot: number): T | undefined {
    return this.#tenants[slot];
  }

  /** Gives `tenant` a slot with nothing in it. */
  enter(tenant: T): void {
    let slot = this.#tenants.indexOf(undefined);
    if (slot < 0) {
      slot = this.slots;
      this.#grow(Math.max(this.#smallest, Math.ceil(slot * 1.5)));
    }
    this.#tenants[slot] = tenant;
    tenant.slot = slot;
    this.clear(slot, 0);
  }

  vacate(slot: number): void {
    assert(this.#tenants[slot], "an empty slot is vacated");
    this.#tenants[slot] = undefined;
  }

  /** Masks all but the first `past` positions of past, and the whole window. */
  clear(slot: number, past: number): void {
    const start = slot * this.length;
    this.pastMask.fill(0, start, start + past);
    this.pastMask.fill(MASKED, start + past, start + this.length);
    this.windowMask.fill(MASKED, slot * BLOCK, (slot + 1) * BLOCK);
  }

  /**
   * Writes `count` (<= BLOCK) positions from `source` (rows, heads, sourceLength, headSize), row `from`, and unmasks
   * them. `part` "window" writes at window position `at`; "past" at past position `at`.
   */
  write(
    part: "past" | "window",
    slot: number,
    at: number,
    source: readonly LayerCache[],
    from: number,
    sourceLength: number,
    count: number,
  ): void {
    const size = this.#headSize;
    const length = part === "past" ? this.length : BLOCK;
    const layers = part === "past" ? this.past : this.window;
    for (let layer = 0; layer < layers.length; layer++) {
      const target = layers[layer]!;
      const given = source[layer]!;
      for (let head = 0; head < this.#heads; head++) {
        const start = (from * this.#heads + head) * sourceLength * size;
        const to = ((slot * this.#heads + head) * length + at) * size;
        copyFloats(given.key, start, target.key, to, count * size);
        copyFloats(given.value, start, target.value, to, count * size);
      }
    }
    const mask = part === "past" ? this.pastMask : this.windowMask;
    mask.fill(0, slot * length + at, slot * length + at + count);
  }

  /** Copies `past` positions of a slot of another arena. */
  copyPast(slot: number, other: Arena<T>, otherSlot: number, past: number): void {
    const size = this.#headSize;
    this.past.forEach((target, layer) => {
      const given = other.past[layer]!;
      for (let head = 0; head < this.#heads; head++) {
        const start = (otherSlot * this.#heads + head) * other.length * size;
        const to = (slot * this.#heads + head) * this.length * size;
        copyFloats(given.key, start, target.key, to, past * size);
        copyFloats(given.value, start, target.value, to, past * size);
      }
    });
    this.clear(slot, past);
  }

  /**
   * Moves `tenants` next to each other and returns their first slot; at least `width` slots follow it. Chooses the
   * range that holds most of them already.
   */
  gather(tenants: readonly T[], width: number): number {
    if (this.slots < width) this.#grow(width);
    const wanted = new Set(tenants);
    const start = this.#bestRange(wanted, width);
    const end = start + tenants.length;
    const outside = tenants.filter(({ slot }) => slot < start || slot >= end);
    let hole = start;
    for (const tenant of outside) {
      while (wanted.has(this.#tenants[hole]!)) hole++;
      this.#swap(tenant.slot, hole++);
    }
    return start;
  }

  #bestRange(wanted: ReadonlySet<T>, width: number): number {
    const inside = (slot: number) => (wanted.has(this.#tenants[slot]!) ? 1 : 0);
    let count = 0;
    for (let slot = 0; slot < width; slot++) count += inside(slot);
    let [best, bestCount] = [0, count];
    for (let start = 1; start + width <= this.slots; start++) {
      count += inside(start + width - 1) - inside(start - 1);
      if (count > bestCount) [best, bestCount] = [start, count];
    }
    return best;
  }

  #swap(a: number, b: number): void {
    const [first, second] = [this.#tenants[a], this.#tenants[b]];
    for (const { array, stride } of this.#strides()) {
      const kept = second ? array.slice(b * stride, (b + 1) * stride) : undefined;
      array.copyWithin(b * stride, a * stride, (a + 1) * stride);
      if (kept) array.set(kept, a * stride);
    }
    this.#tenants[a] = second;
    this.#tenants[b] = first;
    if (first) first.slot = b;
    if (second) second.slot = a;
  }

  #grow(slots: number): void {
    const grown = (array: Float32Array, stride: number) => {
      const out = new Float32Array(slots * stride);
      out.set(array);
      return out;
    };
    const position = this.#heads * this.#headSize;
    for (const [layers, length] of [
      [this.past, this.length],
      [this.window, BLOCK],
    ] as const) {
      for (const layer of layers) {
        layer.key = grown(layer.key, length * position);
        layer.value = grown(layer.value, length * position);
      }
    }
    this.pastMask = grown(this.pastMask, this.length);
    this.windowMask = grown(this.windowMask, BLOCK);
    for (let slot = this.slots; slot < slots; slot++) {
      this.#tenants.push(undefined);
      this.clear(slot, 0);
    }
  }

  #strides(): { array: Float32Array; stride: number }[] {
    const position = this.#heads * this.#headSize;
    const both = (layers: readonly LayerCache[], stride: number) =>
      layers.flatMap(({ key, value }) => [
        { array: key, stride },
        { array: value, stride },
      ]);
    return [
      ...both(this.past, this.length * position),
      ...both(this.window, BLOCK * position),
      { array: this.pastMask, stride: this.length },
      { array: this.windowMask, stride: BLOCK },
    ];
  }
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
