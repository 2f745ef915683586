/**
 * A prefix that rows share: whole segments of keys and values that are stored once.
 *
 * Segments are adjacent in memory, so the first few of them are an input of the graph without a copy.
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

  /** The number of elements in one segment of one layer's keys. */
  get segmentElements(): number {
    return this.#heads * SEGMENT_LENGTH * this.#headSize;
  }

  /** Returns how many of the prefix's segments `tokens` begins with before position `end`. */
  countMatchingSegments(tokens: ArrayLike<number>, end: number): number {
    const maxPositions = Math.min(this.#segments * SEGMENT_LENGTH, end);
    let at = 0;
    while (at < maxPositions && tokens[at] === this.#tokens[at]) at++;
    return Math.floor(at / SEGMENT_LENGTH);
  }

  /** Appends a segment: its tokens, and its positions from row `sourceRow`, position `sourcePosition` of `source`. */
  appendSegment(
    tokens: Int32Array,
    source: KeyValueSource,
    sourceRow: number,
    sourcePosition: number,
  ): void {
    const index = this.#segments++;
    this.#makeRoom();
    this.#tokens.set(tokens.subarray(0, SEGMENT_LENGTH), index * SEGMENT_LENGTH);
    const headElements = SEGMENT_LENGTH * this.#headSize;
    this.layers.forEach((layer, i) => {
      const sourceLayer = source.layers[i]!;
      for (let head = 0; head < this.#heads; head++) {
        const start =
          ((sourceRow * this.#heads + head) * source.positionsPerRow + sourcePosition) *
          this.#headSize;
        const to = index * this.segmentElements + head * headElements;
        layer.key.set(sourceLayer.key.subarray(start, start + headElements), to);
        layer.value.set(sourceLayer.value.subarray(start, start + headElements), to);
      }
    });
  }

  /** Drops all segments after the first `segments` ones. */
  shortenTo(segments: number): void {
    assert(segments <= this.#segments, "a prefix can only be made shorter");
    this.#segments = segments;
  }

  #makeRoom(): void {
    const room = this.#tokens.length / SEGMENT_LENGTH;
    if (this.#segments <= room) return;
    const segments = Math.max(4, Math.ceil(1.5 * room));
    const growArray = (array: Float32Array) => {
      const out = new Float32Array(segments * this.segmentElements);
      out.set(array);
      return out;
    };
    for (const layer of this.layers) {
      layer.key = growArray(layer.key);
      layer.value = growArray(layer.value);
    }
    const tokens = new Int32Array(segments * SEGMENT_LENGTH);
    tokens.set(this.#tokens);
    this.#tokens = tokens;
  }
}
