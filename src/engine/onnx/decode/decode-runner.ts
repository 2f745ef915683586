/**
 * Runs the two decoding graphs over rows of the cache: groups rows by arena and by what they share, makes them neighbours,
 * feeds the buffers in which keys and values lie, and hands each row its new keys and values.
 */
import {
  type Feeds,
  floatOutput,
  Session,
  type Tensor,
  type TensorData,
  tensor,
} from "../graph/index.ts";
import {
  type AdapterStore,
  type LoraConfig,
  type ModelConfig,
  type ParameterStore,
  rotaryFeeds,
} from "../model/index.ts";
import type { KeyValueSource, LayerKeysValues } from "./arena.ts";
import { BLOCK_LENGTH, buildBlockGraph, buildStepGraph, MASKED } from "./decode-graphs.ts";
import type { CacheRow } from "./prefix-cache.ts";
import { PADDING_INPUT, type RowStableGraph } from "./row-stable-graph.ts";
import { SEGMENT_LENGTH } from "./segmented-attention.ts";

/** Rows of one block pass: more would push the activations out of the cache. */
const MAX_ROWS_PER_FILL = 64;

/** Rows that a step computes for nothing, per wanted row, before it is worth while to move rows. */
const MAX_IDLE_SHARE = 1 / 4;

export interface BlockFill {
  readonly row: CacheRow;
  /** Behind the last position that is wanted, in the block of the first that lacks keys and values. */
  readonly end: number;
}

export interface TokenStep {
  /** Continues after its token at position `cached`. */
  readonly row: CacheRow;
  readonly temperature: number;
  readonly uniform: number;
}

/** Receives row `place`'s keys and values, which are row `from` of `source`. */
export type OnBlockFilled = (place: number, source: KeyValueSource, from: number) => void;
export type OnTokenStepped = (
  place: number,
  source: KeyValueSource,
  from: number,
  token: number,
  logprob: number,
) => void;

interface BuiltGraph {
  readonly session: Session;
  readonly stableRows: number;
}

export class DecodeRunner {
  readonly #config: ModelConfig;
  readonly #lora: LoraConfig | undefined;
  readonly #threads: number;
  readonly #fixedFeeds: Feeds;
  readonly #built = new Map<string, Promise<BuiltGraph>>();
  /** One masked segment, for rows that share none. */
  readonly #emptySegment: Float32Array;

  constructor(parameters: ParameterStore, threads: number, adapter?: AdapterStore) {
    const { config } = parameters;
    this.#config = config;
    this.#lora = adapter?.lora;
    this.#threads = threads;
    this.#fixedFeeds = { ...parameters.feeds(), ...adapter?.feeds(), ...rotaryFeeds(config) };
    this.#emptySegment = new Float32Array(config.kvHeads * SEGMENT_LENGTH * config.headSize);
  }

  /**
   * Rows that a pass has at least. One-row products take another path in the kernels, and with fewer attention
   * products than threads a product is cut differently.
   */
  get smallestBatch(): number {
    return Math.max(2, Math.ceil(this.#threads / this.#config.kvHeads));
  }

  async fillBlocks(fills: readonly BlockFill[], done: OnBlockFilled): Promise<void> {
    await runInPasses(fills, MAX_ROWS_PER_FILL, async (places, together) => {
      const batch = places.map((place) => fills[place]!);
      const rows = batch.map(({ row }) => row);
      const { session, stableRows } = await this.#getGraph("block", together);
      const { start, width } = together.arena.gatherSlots(rows, this.smallestBatch, 0);
      const { count, feeds } = blockFeeds(batch, start, width);
      const results = await session.run({
        ...this.#fixedFeeds,
        ...this.#cacheFeeds(together, start, width),
        ...feeds,
        ...paddingFeeds(stableRows, count),
      });
      const source = this.#toKeyValueSource(results, BLOCK_LENGTH);
      const slots = rows.map((row) => row.slot - start);
      places.forEach((place, i) => {
        done(place, source, slots[i]!);
      });
    });
  }

  async stepRows(steps: readonly TokenStep[], done: OnTokenStepped): Promise<void> {
    await runInPasses(steps, Number.POSITIVE_INFINITY, async (places, together) => {
      const batch = places.map((place) => steps[place]!);
      const rows = batch.map(({ row }) => row);
      const { session, stableRows } = await this.#getGraph("step", together);
      const { start, width } = together.arena.gatherSlots(rows, this.smallestBatch, MAX_IDLE_SHARE);
      const results = await session.run({
        ...this.#fixedFeeds,
        ...this.#cacheFeeds(together, start, width),
        ...stepFeeds(batch, start, width),
        ...paddingFeeds(stableRows, width),
      });
      const source = this.#toKeyValueSource(results, 1);
      const tokens = results["next"] as BigInt64Array;
      const probabilities = floatOutput(results, "probability");
      const slots = rows.map((row) => row.slot - start);
      places.forEach((place, i) => {
        const slot = slots[i]!;
        const logprob = Math.fround(Math.log(probabilities[slot]!));
        done(place, source, slot, Number(tokens[slot]!), logprob);
      });
    });
  }

  async close(): Promise<void> {
    for (const built of this.#built.values()) await (await built).session.close();
  }

  /** The graph for rows like these, built when it is first needed. */
  #getGraph(name: "step" | "block", { arena }: PassGroup): Promise<BuiltGraph> {
    const segmented = arena.segmentsPerSlot > 0;
    const key = `${name} ${segmented}`;
    const known = this.#built.get(key);
    if (known) return known;
    const make = name === "step" ? buildStepGraph : buildBlockGraph;
    const built = this.#build(make(this.#config, this.#threads, { lora: this.#lora, segmented }));
    this.#built.set(key, built);
    return built;
  }

  async #build(graph: RowStableGraph): Promise<BuiltGraph> {
    // Episodes run on the same cores while rows are sampled: waiting threads must not spin.
    const session = await Session.create(graph, { threads: this.#threads, spin: false });
    return { session, stableRows: graph.requiredRows };
  }

  #toKeyValueSource(
    results: Readonly<Record<string, TensorData>>,
    positions: number,
  ): KeyValueSource {
    const layers = Array.from({ length: this.#config.layers }, (_, layer) => ({
      key: floatOutput(results, `key.${layer}`),
      value: floatOutput(results, `value.${layer}`),
    }));
    return { layers, positionsPerRow: positions };
  }

  /** Slots `start` to `start + width` of an arena, in place, and what their rows share. */
  #cacheFeeds(together: PassGroup, start: number, width: number): Feeds {
    const { kvHeads, headSize } = this.#config;
    const { arena } = together;
    const part = (array: Float32Array, dims: readonly number[]) => {
      const stride = dims.reduce((a, b) => a * b, 1);
      return tensor(array.subarray(start * stride, (start + width) * stride), [width, ...dims]);
    };
    const rest = [1, kvHeads, 1, arena.positionsPerRow, headSize];
    const own = [arena.segmentsPerSlot, kvHeads, SEGMENT_LENGTH, headSize];
    return {
      mask: part(arena.mask, [1, 1, 1, 1, arena.positionsPerRow]),
      ...feedsByLayer("cached", arena.layers, (array) => part(array, rest)),
      ...feedsByLayer("own", arena.ownSegments.layers, (array) => part(array, own)),
      ...(arena.segmentsPerSlot > 0 ? this.#sharedFeeds(together) : {}),
      ...(arena.segmentsPerSlot > 0
        ? { ownMask: part(arena.segmentMask, [arena.segmentsPerSlot, 1, 1, 1]) }
        : {}),
    };
  }

  #sharedFeeds({ prefix: root, sharedSegments: shared }: PassGroup): Feeds {
    const { kvHeads, headSize, layers } = this.#config;
    const count = Math.max(1, shared);
    const nothing = { key: this.#emptySegment, value: this.#emptySegment };
    const held = root?.layers ?? Array.from({ length: layers }, () => nothing);
    const dims = [count, kvHeads, SEGMENT_LENGTH, headSize];
    return {
      sharedMask: tensor(new Float32Array(count).fill(root ? 0 : MASKED), [count, 1, 1, 1]),
      ...feedsByLayer("shared", held, (array) =>
        tensor(array.subarray(0, count * this.#emptySegment.length), dims),
      ),
    };
  }
}

/** What rows of one pass have in common. */
type PassGroup = Pick<CacheRow, "arena" | "root" | "shared">;

/**
 * Runs items, rows of one arena and root together, `most` at a time. Who goes together is asked before each pass, since
 * what a pass adds to the cache may move rows.
 */
async function runInPasses(
  items: readonly { readonly row: CacheRow }[],
  most: number,
  run: (places: readonly number[], together: PassGroup) => Promise<void>,
): Promise<void> {
  let left = items.map((_, place) => place);
  while (left.length > 0) {
    const { arena, prefix: root, sharedSegments: shared } = items[left[0]!]!.row;
    const isLike = ({ row }: { row: CacheRow }) =>
      row.arena === arena && row.prefix === root && row.sharedSegments === shared;
    const places = left.filter((place) => isLike(items[place]!)).slice(0, most);
    await run(places, { arena, prefix: root, sharedSegments: shared });
    const done = new Set(places);
    left = left.filter((place) => !done.has(place));
  }
}

/** Feeds `<name>Key.<layer>` and `<name>Value.<layer>`. */
function feedsByLayer(
  name: string,
  layers: readonly LayerKeysValues[],
  feed: (array: Float32Array) => Tensor,
): Feeds {
  return Object.fromEntries(
    layers.flatMap(({ key, value }, layer) => [
      [`${name}Key.${layer}`, feed(key)],
      [`${name}Value.${layer}`, feed(value)],
    ]),
  );
}

/** The positions that lack keys and values, one behind the other, and where in the rows' blocks they lie. */
function blockFeeds(fills: readonly BlockFill[], start: number, width: number) {
  const lacking = fills.flatMap(({ row, end }) => {
    const block =
      (row.slot - start) * BLOCK_LENGTH - (row.cachedLength - (row.cachedLength % BLOCK_LENGTH));
    return Array.from({ length: end - row.cachedLength }, (_, i) => {
      const position = row.cachedLength + i;
      return { token: row.tokens[position]!, position, place: block + position };
    });
  });
  // Products of one row take another path in the kernels.
  const all = lacking.length === 1 ? [lacking[0]!, lacking[0]!] : lacking;
  const slot = new Int32Array(width * BLOCK_LENGTH);
  const fresh = new Uint8Array(width * BLOCK_LENGTH);
  for (const [i, { place }] of all.entries()) {
    slot[place] = i;
    fresh[place] = 1;
  }
  const count = all.length;
  const feeds = {
    token: tensor(
      Int32Array.from(all, ({ token }) => token),
      [count],
    ),
    position: tensor(
      BigInt64Array.from(all, ({ position }) => BigInt(position)),
      [count, 1],
    ),
    place: tensor(
      Int32Array.from(all, ({ place }) => place),
      [count],
    ),
    slot: tensor(slot, [width * BLOCK_LENGTH]),
    fresh: tensor(fresh, [width, 1, 1, 1, BLOCK_LENGTH, 1]),
  };
  return { count, feeds };
}

function stepFeeds(steps: readonly TokenStep[], start: number, width: number): Feeds {
  const token = new Int32Array(width);
  const position = new BigInt64Array(width);
  const uniform = new Float32Array(width);
  const inverse = new Float32Array(width).fill(1);
  const greedy = new Uint8Array(width).fill(1);
  for (const { row, temperature, uniform: draw } of steps) {
    const place = row.slot - start;
    token[place] = row.tokens[row.cachedLength]!;
    position[place] = BigInt(row.cachedLength);
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
