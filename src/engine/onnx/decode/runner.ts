/**
 * Runs the two decoding graphs over rows of the cache: groups rows by arena, makes them neighbours, feeds the arenas'
 * own buffers, and hands each row its new keys and values.
 */
import { type Feeds, floats, Session, type TensorData, tensor } from "../graph/index.ts";
import {
  type AdapterStore,
  type LoraConfig,
  type ModelConfig,
  type ParameterStore,
  rotaryFeeds,
} from "../model/index.ts";
import type { Arena, Source } from "./arena.ts";
import type { CacheRow } from "./cache.ts";
import { BLOCK, blockGraph, stepGraph } from "./graphs.ts";
import { PADDING_INPUT, type RowStableGraph } from "./row-stable-graph.ts";

/** Rows of one block pass: more would push the activations out of the cache. */
const ROWS_PER_FILL = 64;

/** Rows that a step computes for nothing, per wanted row, before it is worth while to move rows. */
const STRANGERS = 1 / 4;

export interface Fill {
  readonly row: CacheRow;
}

export interface Step {
  /** Continues after its token at position `cached`. */
  readonly row: CacheRow;
  readonly temperature: number;
  readonly uniform: number;
}

/** Receives row `place`'s keys and values, which are row `from` of `source`. */
export type OnFilled = (place: number, source: Source, from: number) => void;
export type OnStepped = (
  place: number,
  source: Source,
  from: number,
  token: number,
  logprob: number,
) => void;

interface Built {
  readonly session: Session;
  readonly stableRows: number;
}

export class Runner {
  readonly #config: ModelConfig;
  readonly #lora: LoraConfig | undefined;
  readonly #threads: number;
  readonly #fixed: Feeds;
  #steps: Promise<Built> | undefined;
  #blocks: Promise<Built> | undefined;

  constructor(parameters: ParameterStore, threads: number, adapter?: AdapterStore) {
    this.#config = parameters.config;
    this.#lora = adapter?.lora;
    this.#threads = threads;
    this.#fixed = {
      ...parameters.feeds(),
      ...adapter?.feeds(),
      ...rotaryFeeds(parameters.config),
    };
  }

  /**
   * Rows that a pass has at least. One-row products take another path in the kernels, and with fewer attention
   * products than threads a product is cut differently.
   */
  get smallestBatch(): number {
    return Math.max(2, Math.ceil(this.#threads / this.#config.kvHeads));
  }

  async fill(fills: readonly Fill[], done: OnFilled): Promise<void> {
    this.#blocks ??= this.#build(blockGraph(this.#config, this.#threads, this.#lora));
    const { session, stableRows } = await this.#blocks;
    for (const [arena, places] of byArena(fills)) {
      for (let at = 0; at < places.length; at += ROWS_PER_FILL) {
        const chunk = places.slice(at, at + ROWS_PER_FILL);
        const rows = chunk.map((place) => fills[place]!.row);
        const { start, width } = arena.gather(rows, this.smallestBatch, 0);
        const results = await session.run({
          ...this.#fixed,
          ...this.#cacheFeeds(arena, start, width),
          ...blockFeeds(rows, start, width),
          ...paddingFeeds(stableRows, width * BLOCK),
        });
        const source = this.#source(results, BLOCK);
        const slots = rows.map((row) => row.slot - start);
        chunk.forEach((place, i) => {
          done(place, source, slots[i]!);
        });
      }
    }
  }

  async step(steps: readonly Step[], done: OnStepped): Promise<void> {
    this.#steps ??= this.#build(stepGraph(this.#config, this.#threads, this.#lora));
    const { session, stableRows } = await this.#steps;
    for (const [arena, places] of byArena(steps)) {
      const batch = places.map((place) => steps[place]!);
      const rows = batch.map(({ row }) => row);
      const { start, width } = arena.gather(rows, this.smallestBatch, STRANGERS);
      const results = await session.run({
        ...this.#fixed,
        ...this.#cacheFeeds(arena, start, width),
        ...stepFeeds(batch, start, width),
        ...paddingFeeds(stableRows, width),
      });
      const source = this.#source(results, 1);
      const tokens = results["next"] as BigInt64Array;
      const probabilities = floats(results, "probability");
      const slots = rows.map((row) => row.slot - start);
      places.forEach((place, i) => {
        const slot = slots[i]!;
        const logprob = Math.fround(Math.log(probabilities[slot]!));
        done(place, source, slot, Number(tokens[slot]!), logprob);
      });
    }
  }

  async close(): Promise<void> {
    for (const built of [this.#steps, this.#blocks]) await (await built)?.session.close();
  }

  async #build(graph: RowStableGraph): Promise<Built> {
    // Episodes run on the same cores while rows are sampled: waiting threads must not spin.
    const session = await Session.create(graph, { threads: this.#threads, spin: false });
    return { session, stableRows: graph.stableRows };
  }

  #source(results: Readonly<Record<string, TensorData>>, positions: number): Source {
    const layers = Array.from({ length: this.#config.layers }, (_, layer) => ({
      key: floats(results, `key.${layer}`),
      value: floats(results, `value.${layer}`),
    }));
    return { layers, positions };
  }

  /** Slots `start` to `start + width` of an arena, in place. */
  #cacheFeeds(arena: Arena<CacheRow>, start: number, width: number): Feeds {
    const { kvHeads, headSize } = this.#config;
    const { positions, mask, layers } = arena;
    const part = (array: Float32Array, dims: readonly number[]) => {
      const stride = dims.reduce((a, b) => a * b, 1);
      return tensor(array.subarray(start * stride, (start + width) * stride), [width, ...dims]);
    };
    const dims = [1, kvHeads, 1, positions, headSize];
    return {
      mask: part(mask, [1, 1, 1, 1, positions]),
      ...Object.fromEntries(
        layers.flatMap(({ key, value }, layer) => [
          [`cachedKey.${layer}`, part(key, dims)],
          [`cachedValue.${layer}`, part(value, dims)],
        ]),
      ),
    };
  }
}

function byArena(items: readonly { readonly row: CacheRow }[]): Map<Arena<CacheRow>, number[]> {
  const places = new Map<Arena<CacheRow>, number[]>();
  items.forEach(({ row }, place) => {
    const known = places.get(row.arena);
    if (known) known.push(place);
    else places.set(row.arena, [place]);
  });
  return places;
}

/** The tokens and positions of each row's block. */
function blockFeeds(rows: readonly CacheRow[], start: number, width: number): Feeds {
  const token = new Int32Array(width * BLOCK);
  const position = new BigInt64Array(width * BLOCK);
  for (const row of rows) {
    const first = row.cached - (row.cached % BLOCK);
    const place = (row.slot - start) * BLOCK;
    const last = row.tokens.length - 1;
    for (let i = 0; i < BLOCK; i++) {
      token[place + i] = row.tokens[Math.min(first + i, last)]!;
      position[place + i] = BigInt(Math.min(first + i, last));
    }
  }
  return {
    token: tensor(token, [width * BLOCK]),
    position: tensor(position, [width, BLOCK]),
  };
}

function stepFeeds(steps: readonly Step[], start: number, width: number): Feeds {
  const token = new Int32Array(width);
  const position = new BigInt64Array(width);
  const uniform = new Float32Array(width);
  const inverse = new Float32Array(width).fill(1);
  const greedy = new Uint8Array(width).fill(1);
  for (const { row, temperature, uniform: draw } of steps) {
    const place = row.slot - start;
    token[place] = row.tokens[row.cached]!;
    position[place] = BigInt(row.cached);
    uniform[place] = draw;
    if (temperature === 0) continue;
    greedy[place] = 0;
    inverse[place] = 1 / temperature;
  }
  return {
    token: tensor(token, [width]),
    position: tensor(position, [width, 1]),
    uniform: tensor(uniform, [width, 1]),
    inverseTemperature: tensor(inverse, [width, 1]),
    greedy: tensor(greedy, [width, 1]),
  };
}

function paddingFeeds(stableRows: number, rows: number): Feeds {
  if (stableRows === 0) return {};
  const missing = Math.max(0, stableRows - rows);
  return { [PADDING_INPUT]: tensor(new Int32Array(missing), [missing]) };
}
