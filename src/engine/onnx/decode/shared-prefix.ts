/**
 * A beginning that rows have in common: whole segments of keys and values, held once.
 *
 * Segments lie one behind the other, so the first few of them are an input of the graph without a copy.
 */
import { assert } from "../../../core/index.ts";
import type { ModelConfig } from "../model/index.ts";
import { emptyLayers, type KeyValueSource, type LayerKeysValues } from "./arena.ts";
import { SEGMENT_LENGTH } from "./segmented-attention.ts";

export class SharedPrefix implements KeyValueSource {
  readonly positionsPerRow = SEGMENT_LENGTH;
  readonly layers: readonly LayerKeysValues[];
  #tokens = new Int32Array(0);
  #segments = 0;
  readonly #heads: number;
  readonly #headSize: number;

  constructor({ layers, kvHeads, headSize }: ModelConfig) {
    this.layers = emptyLayers(layers);
    this.#heads = kvHeads;
    this.#headSize = headSize;
  }

  get segments(): number {
    return this.#segments;
  }

  get sizeBytes(): number {
    return 2 * 4 * this.layers.length * (this.layers[0]?.key.length ?? 0);
  }

  /** Elements of one segment of one layer's keys. */
  get segmentElements(): number {
    return this.#heads * SEGMENT_LENGTH * this.#headSize;
  }

  /** How many of its segments `tokens` begins with, none of them beyond `end`. */
  countMatchingSegments(tokens: ArrayLike<number>, end: number): number {
    const most = Math.min(this.#segments * SEGMENT_LENGTH, end);
    let at = 0;
    while (at < most && tokens[at] === this.#tokens[at]) at++;
    return Math.floor(at / SEGMENT_LENGTH);
  }

  /** The next segment: `tokens` from it on, and 128 positions from row `from`, position `first` of `source`. */
  appendSegment(tokens: Int32Array, source: KeyValueSource, from: number, first: number): void {
    const index = this.#segments++;
    this.#makeRoom();
    this.#tokens.set(tokens.subarray(0, SEGMENT_LENGTH), index * SEGMENT_LENGTH);
    const run = SEGMENT_LENGTH * this.#headSize;
    this.layers.forEach((layer, i) => {
      const given = source.layers[i]!;
      for (let head = 0; head < this.#heads; head++) {
        const start =
          ((from * this.#heads + head) * source.positionsPerRow + first) * this.#headSize;
        const to = index * this.segmentElements + head * run;
        layer.key.set(given.key.subarray(start, start + run), to);
        layer.value.set(given.value.subarray(start, start + run), to);
      }
    });
  }

  /** Forgets the segments from `segments` on. */
  shortenTo(segments: number): void {
    assert(segments <= this.#segments, "a root is made shorter");
    this.#segments = segments;
  }

  #makeRoom(): void {
    const room = this.#tokens.length / SEGMENT_LENGTH;
    if (this.#segments <= room) return;
    const segments = Math.max(4, Math.ceil(1.5 * room));
    const grown = (array: Float32Array) => {
      const out = new Float32Array(segments * this.segmentElements);
      out.set(array);
      return out;
    };
    for (const layer of this.layers) {
      layer.key = grown(layer.key);
      layer.value = grown(layer.value);
    }
    const tokens = new Int32Array(segments * SEGMENT_LENGTH);
    tokens.set(this.#tokens);
    this.#tokens = tokens;
  }
}
