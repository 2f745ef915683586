/**
 * Runs the two decoding graphs over rows of the cache: groups rows by arena and shared prefix, makes them adjacent,
 * feeds the buffers that hold keys and values, and hands each row its new keys and values.
 */

import type { SampleFilter } from "../../../spec/index.ts";
import {
  type Feeds,
  floatOutput,
  hasDeviceMemory,
  numbersOnDevice,
  Session,
  type Tensor,
  type TensorData,
  tensor,
  viewOnDevice,
} from "../graph/index.ts";
import {
  type AdapterStore,
  gatherTableRows,
  type LoraConfig,
  type ModelConfig,
  type ParameterStore,
  type QuantizedMatrices,
  quantizedTable,
  type RowTable,
  rotaryFeeds,
} from "../model/index.ts";
import type { KeyValueSource, LayerKeysValues } from "./arena.ts";
import {
  BLOCK_LENGTH,
  buildBlockGraph,
  buildStepGraph,
  EMBEDDED_INPUT,
  LOOKUP_PREFIX,
  MASKED,
} from "./decode-graphs.ts";
import { DeviceKeyValues, type DevicePool } from "./device-key-values.ts";
import { type DrawnToken, drawFiltered } from "./filtered-draw.ts";
import type { CacheRow } from "./prefix-cache.ts";
import { PADDING_INPUT, type RowStableGraph } from "./row-stable-graph.ts";
import { SEGMENT_LENGTH } from "./segmented-attention.ts";

/** The most rows of one block pass. More would push the activations out of the processor's cache. */
const MAX_ROWS_PER_FILL = 64;

/** The most rows of one step with filtered draws, because the logits of all of them leave the graph. */
const MAX_FILTERED_ROWS = 64;

/** How many unneeded rows per needed row a step may compute before rows are moved to be adjacent. */
const MAX_IDLE_SHARE = 1 / 4;

/** A row whose next block is to be filled. */
export interface BlockFill {
  readonly row: CacheRow;
  /** The end of the wanted positions, in the block of the first position without keys and values. */
  readonly end: number;
}

/** A row that is to be continued by one token. */
export interface TokenStep {
  /** The row, which continues after its token at position `cachedLength`. */
  readonly row: CacheRow;
  readonly temperature: number;
  /** The filter, if it changes the distribution. */
  readonly filter: SampleFilter | undefined;
  readonly uniform: number;
}

/** Receives the keys and values of item `index`, which are row `sourceRow` of `source`. */
export type OnBlockFilled = (index: number, source: KeyValueSource, sourceRow: number) => void;
/** Receives the keys and values, the token and the log-prob of item `index`. */
export type OnTokenStepped = (
  index: number,
  source: KeyValueSource,
  sourceRow: number,
  token: number,
  logprob: number,
) => void;

interface BuiltGraph {
  readonly session: Session;
  readonly requiredRows: number;
}

/** Runs the graphs of decoding. */
export class DecodeRunner {
  readonly #config: ModelConfig;
  readonly #lora: LoraConfig | undefined;
  readonly #quantized: QuantizedMatrices | undefined;
  /** The embedding table, where graphs do not read it themselves. */
  readonly #table: RowTable | undefined;
  readonly #threads: number;
  readonly #fixedFeeds: Feeds;
  readonly #built = new Map<string, Promise<BuiltGraph>>();
  /** One empty segment, for rows that share none. */
  readonly #emptySegment: Float32Array;
  /** Where keys and values lie, if not in this thread's memory. */
  readonly device: DeviceKeyValues | undefined;

  constructor(parameters: ParameterStore, threads: number, adapter?: AdapterStore) {
    const { config } = parameters;
    this.#config = config;
    this.#lora = adapter?.lora;
    const { quantized } = parameters;
    this.#quantized = quantized;
    const onDevice = hasDeviceMemory();
    const tableName = "model.embed_tokens.weight";
    this.#table = quantized && !onDevice ? quantizedTable(quantized.get(tableName)) : undefined;
    this.#threads = threads;
    const matrices = onDevice ? parameters.deviceMatrixFeeds("product") : {};
    const floats = { ...parameters.feeds(), ...adapter?.feeds(), ...rotaryFeeds(config) };
    // A step's graph looks rows of the table up, where others multiply by it.
    const table = onDevice ? lookupFeeds(parameters.deviceMatrixFeeds("rows")) : {};
    this.#fixedFeeds = { ...floats, ...matrices, ...table };
    this.#emptySegment = new Float32Array(config.kvHeads * SEGMENT_LENGTH * config.headSize);
    this.device = hasDeviceMemory() ? new DeviceKeyValues(config) : undefined;
  }

  /**
   * The smallest number of rows of a pass. One-row products take another path in the kernels, and with fewer
   * attention products than threads a product is divided differently.
   */
  get smallestBatch(): number {
    return Math.max(2, Math.ceil(this.#threads / this.#config.kvHeads));
  }

  /** Fills the next block of every row. */
  async fillBlocks(fills: readonly BlockFill[], onFilled: OnBlockFilled): Promise<void> {
    await runInPasses(fills, MAX_ROWS_PER_FILL, async (indices, group) => {
      const batch = indices.map((index) => fills[index]!);
      const rows = batch.map(({ row }) => row);
      const { session, requiredRows } = await this.#getGraph("block", group);
      const { start, width } = group.arena.gatherSlots(rows, this.smallestBatch, 0);
      const { count, tokens, feeds } = blockFeeds(batch, start, width);
      const pass = await this.#prepareCache(group, rows, start, width, BLOCK_LENGTH);
      const given = { ...this.#tokenFeeds(tokens), ...feeds, ...paddingFeeds(requiredRows, count) };
      const results = await session.run({ ...pass.feeds, ...given }, undefined, pass.into);
      const source = this.#toKeyValueSource(results, BLOCK_LENGTH, pass.outputs);
      const slots = rows.map((row) => row.slot - start);
      indices.forEach((index, i) => {
        onFilled(index, source, slots[i]!);
      });
    });
  }

  /** Continues every row by one token. Rows with a filter are in passes of their own. */
  async stepRows(steps: readonly TokenStep[], onStepped: OnTokenStepped): Promise<void> {
    const plain = steps.flatMap(({ filter }, index) => (filter ? [] : [index]));
    await this.#stepSome(steps, plain, onStepped);
    if (plain.length === steps.length) return;
    const filtered = steps.flatMap(({ filter }, index) => (filter ? [index] : []));
    await this.#stepSome(steps, filtered, onStepped, true);
  }

  async #stepSome(
    steps: readonly TokenStep[],
    chosen: readonly number[],
    onStepped: OnTokenStepped,
    isFiltered = false,
  ): Promise<void> {
    const maxRows = isFiltered ? MAX_FILTERED_ROWS : Number.POSITIVE_INFINITY;
    const chosenSteps = chosen.map((index) => steps[index]!);
    await runInPasses(chosenSteps, maxRows, async (indices, group) => {
      const batch = indices.map((index) => chosenSteps[index]!);
      const rows = batch.map(({ row }) => row);
      const name = isFiltered ? "logits step" : "step";
      const { session, requiredRows } = await this.#getGraph(name, group);
      const { start, width } = group.arena.gatherSlots(rows, this.smallestBatch, MAX_IDLE_SHARE);
      const pass = await this.#prepareCache(group, rows, start, width, 1);
      const given = {
        ...this.#tokenFeeds(stepTokens(batch, start, width)),
        ...positionFeeds(batch, start, width),
        ...(!isFiltered && drawFeeds(batch, start, width)),
        ...paddingFeeds(requiredRows, width),
      };
      const results = await session.run({ ...pass.feeds, ...given }, undefined, pass.into);
      const source = this.#toKeyValueSource(results, 1, pass.outputs);
      const slots = rows.map((row) => row.slot - start);
      const drawAt = isFiltered
        ? filteredDraws(results, batch, this.#config.vocabularySize)
        : graphDraws(results);
      indices.forEach((index, i) => {
        const slot = slots[i]!;
        const { token, logprob } = drawAt(slot, i);
        onStepped(chosen[index]!, source, slot, token, logprob);
      });
    });
  }

  async close(): Promise<void> {
    await this.device?.close();
    for (const built of this.#built.values()) await (await built).session.close();
  }

  /** Returns the graph for rows of this group, built when it is first needed. */
  #getGraph(name: "step" | "logits step" | "block", { arena }: PassGroup): Promise<BuiltGraph> {
    const segmented = arena.segmentsPerSlot > 0;
    const key = `${name} ${segmented}`;
    const known = this.#built.get(key);
    if (known) return known;
    const make = name === "block" ? buildBlockGraph : buildStepGraph;
    const options = {
      lora: this.#lora,
      quantized: this.#quantized,
      segmented,
      returnsLogits: name === "logits step",
    };
    const built = this.#build(make(this.#config, this.#threads, options));
    this.#built.set(key, built);
    return built;
  }

  async #build(graph: RowStableGraph): Promise<BuiltGraph> {
    // Episodes run on the same cores while rows are sampled, so waiting threads must not spin.
    const session = await Session.create(graph, { threads: this.#threads, spin: false });
    return { session, requiredRows: graph.requiredRows };
  }

  /** Returns the feed of tokens, or of their rows of the embedding table. */
  #tokenFeeds(tokens: Int32Array): Feeds {
    if (!this.#table) return { token: tensor(tokens, [tokens.length]) };
    const { hiddenSize } = this.#config;
    const rows = gatherTableRows(this.#table, tokens, hiddenSize);
    return { [EMBEDDED_INPUT]: tensor(rows, [tokens.length, hiddenSize]) };
  }

  #toKeyValueSource(
    results: Readonly<Record<string, TensorData>>,
    positionsPerRow: number,
    pool: DevicePool | undefined,
  ): KeyValueSource {
    if (this.device) return { layers: [], positionsPerRow, pool };
    const layers = Array.from({ length: this.#config.layers }, (_, layer) => ({
      key: floatOutput(results, `key.${layer}`),
      value: floatOutput(results, `value.${layer}`),
    }));
    return { layers, positionsPerRow };
  }

  /**
   * Returns the feeds of a pass over these slots that do not depend on tokens, and on a device where new keys and
   * values are written: those of a step into their rows, those of blocks beside them. On a device this waits until
   * earlier ones have reached their rows.
   */
  async #prepareCache(
    group: PassGroup,
    rows: readonly CacheRow[],
    start: number,
    width: number,
    positionsPerRow: number,
  ): Promise<PreparedCache> {
    if (!this.device) {
      return { feeds: { ...this.#fixedFeeds, ...this.#cacheFeeds(group, start, width) }, into: {} };
    }
    const { kvHeads, headSize } = this.#config;
    const { arena } = group;
    const length = arena.positionsPerRow;
    if (positionsPerRow === 1) {
      await this.device.finish();
      const dims = [width, kvHeads, length, headSize];
      const feeds = {
        ...poolFeeds("cached", arena.pool!, dims),
        ...cachedLengthFeeds(arena, width),
      };
      return { feeds: { ...this.#fixedFeeds, ...feeds }, into: poolFeeds("", arena.pool!, dims) };
    }
    const outputs = await this.device.getOutputs(positionsPerRow, width);
    const cached = new Float32Array(width);
    for (const { slot, cachedLength } of rows) cached[slot - start] = cachedLength;
    return {
      feeds: {
        ...this.#fixedFeeds,
        ...poolFeeds("cached", arena.pool!, [width, 1, kvHeads, 1, length, headSize]),
        cached: tensor(cached, [width, 1, 1, 1, 1, 1]),
        places: viewOnDevice(await numbersOnDevice(length), [1, 1, 1, 1, 1, length]),
      },
      into: poolFeeds("", outputs, [width, kvHeads, positionsPerRow, headSize]),
      outputs,
    };
  }

  /**
   * Returns feeds of slots `start` to `start + width` of an arena, in index, and of the prefix that their rows share.
   */
  #cacheFeeds(group: PassGroup, start: number, width: number): Feeds {
    const { kvHeads, headSize } = this.#config;
    const { arena } = group;
    const slotRangeTensor = (array: Float32Array, dims: readonly number[]) => {
      const stride = dims.reduce((a, b) => a * b, 1);
      return tensor(array.subarray(start * stride, (start + width) * stride), [width, ...dims]);
    };
    const rest = [1, kvHeads, 1, arena.positionsPerRow, headSize];
    const own = [arena.segmentsPerSlot, kvHeads, SEGMENT_LENGTH, headSize];
    return {
      mask: slotRangeTensor(arena.mask, [1, 1, 1, 1, arena.positionsPerRow]),
      ...feedsByLayer("cached", arena.layers, (array) => slotRangeTensor(array, rest)),
      ...feedsByLayer("own", arena.ownSegments.layers, (array) => slotRangeTensor(array, own)),
      ...(arena.segmentsPerSlot > 0 ? this.#sharedFeeds(group) : {}),
      ...(arena.segmentsPerSlot > 0
        ? { ownMask: slotRangeTensor(arena.segmentMask, [arena.segmentsPerSlot, 1, 1, 1]) }
        : {}),
    };
  }

  #sharedFeeds({ prefix, sharedSegments }: PassGroup): Feeds {
    const { kvHeads, headSize, layers } = this.#config;
    const count = Math.max(1, sharedSegments);
    const empty = { key: this.#emptySegment, value: this.#emptySegment };
    const prefixLayers = prefix?.layers ?? Array.from({ length: layers }, () => empty);
    const dims = [count, kvHeads, SEGMENT_LENGTH, headSize];
    return {
      sharedMask: tensor(new Float32Array(count).fill(prefix ? 0 : MASKED), [count, 1, 1, 1]),
      ...feedsByLayer("shared", prefixLayers, (array) =>
        tensor(array.subarray(0, count * this.#emptySegment.length), dims),
      ),
    };
  }
}

/** Returns the feeds of the embedding table of a quantised base under the names by which its rows are looked up. */
function lookupFeeds(rows: Feeds): Feeds {
  const own = Object.entries(rows).filter(([name]) => name.startsWith("model.embed_tokens."));
  return Object.fromEntries(own.map(([name, each]) => [LOOKUP_PREFIX + name, each]));
}

/** What a pass reads of the cache, and on a device where it writes. */
interface PreparedCache {
  readonly feeds: Feeds;
  readonly into: Feeds;
  readonly outputs?: DevicePool;
}

/** Returns views of a pool under the names of a graph's keys and values, such as `cachedKey.0` or `key.0`. */
function poolFeeds(name: string, { tensors }: DevicePool, dims: readonly number[]): Feeds {
  return Object.fromEntries(
    tensors.map((each, i) => {
      const kind = i % 2 === 0 ? "Key" : "Value";
      const full = name === "" ? kind.toLowerCase() : name + kind;
      return [`${full}.${Math.floor(i / 2)}`, viewOnDevice(each, dims)];
    }),
  );
}

/**
 * Returns how many positions of the first `width` slots are cached, after which a step on a device writes. It also
 * writes for rows that are not in the pass, after what they have, where their next position will be written.
 */
function cachedLengthFeeds(arena: PassGroup["arena"], width: number): Feeds {
  const cached = Int32Array.from(
    { length: width },
    (_, slot) => arena.ownerAt(slot)?.cachedLength ?? 0,
  );
  return {
    cached: tensor(cached, [width, 1]),
    longest: tensor(Int32Array.of(Math.max(...cached) + 1), [1]),
  };
}

/** What all rows of one pass have in common. */
type PassGroup = Pick<CacheRow, "arena" | "prefix" | "sharedSegments">;

/**
 * Runs items in passes of at most `maxRows` rows that have the same arena and shared prefix. The rows of a pass are
 * chosen just before it, because the pass before may have moved rows in the cache.
 */
async function runInPasses(
  items: readonly { readonly row: CacheRow }[],
  maxRows: number,
  run: (indices: readonly number[], group: PassGroup) => Promise<void>,
): Promise<void> {
  let remaining = items.map((_, index) => index);
  while (remaining.length > 0) {
    const { arena, prefix, sharedSegments } = items[remaining[0]!]!.row;
    const isInGroup = ({ row }: { row: CacheRow }) =>
      row.arena === arena && row.prefix === prefix && row.sharedSegments === sharedSegments;
    const indices = remaining.filter((index) => isInGroup(items[index]!)).slice(0, maxRows);
    await run(indices, { arena, prefix, sharedSegments });
    const done = new Set(indices);
    remaining = remaining.filter((index) => !done.has(index));
  }
}

/** Returns the feeds `<name>Key.<layer>` and `<name>Value.<layer>`. */
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

/** Returns the feeds of a block pass: the positions without keys and values, and where they lie in the rows' blocks. */
function blockFeeds(fills: readonly BlockFill[], start: number, width: number) {
  const uncached = fills.flatMap(({ row, end }) => {
    const blockStart =
      (row.slot - start) * BLOCK_LENGTH - (row.cachedLength - (row.cachedLength % BLOCK_LENGTH));
    return Array.from({ length: end - row.cachedLength }, (_, i) => {
      const position = row.cachedLength + i;
      return { token: row.tokens[position]!, position, place: blockStart + position };
    });
  });
  // Products of one row take another path in the kernels, so a single position is doubled.
  const items = uncached.length === 1 ? [uncached[0]!, uncached[0]!] : uncached;
  const slot = new Int32Array(width * BLOCK_LENGTH);
  const fresh = new Uint8Array(width * BLOCK_LENGTH);
  for (const [i, { place }] of items.entries()) {
    slot[place] = i;
    fresh[place] = 1;
  }
  const count = items.length;
  const feeds = {
    position: tensor(
      BigInt64Array.from(items, ({ position }) => BigInt(position)),
      [count, 1],
    ),
    place: tensor(
      Int32Array.from(items, ({ place }) => place),
      [count],
    ),
    slot: tensor(slot, [width * BLOCK_LENGTH]),
    fresh: tensor(fresh, [width, 1, 1, 1, BLOCK_LENGTH, 1]),
  };
  const tokens = Int32Array.from(items, ({ token }) => token);
  return { count, tokens, feeds };
}

function stepTokens(steps: readonly TokenStep[], start: number, width: number): Int32Array {
  const tokens = new Int32Array(width);
  for (const { row } of steps) tokens[row.slot - start] = row.tokens[row.cachedLength]!;
  return tokens;
}

function positionFeeds(steps: readonly TokenStep[], start: number, width: number): Feeds {
  const position = new BigInt64Array(width);
  for (const { row } of steps) position[row.slot - start] = BigInt(row.cachedLength);
  return { position: tensor(position, [width, 1]) };
}

/** Returns the feeds of the draw inside the graph. */
function drawFeeds(steps: readonly TokenStep[], start: number, width: number): Feeds {
  const uniform = new Float32Array(width);
  const inverseTemperature = new Float32Array(width).fill(1);
  const greedy = new Uint8Array(width).fill(1);
  for (const { row, temperature, uniform: draw } of steps) {
    const place = row.slot - start;
    uniform[place] = draw;
    if (temperature === 0) continue;
    greedy[place] = 0;
    inverseTemperature[place] = 1 / temperature;
  }
  return {
    uniform: tensor(uniform, [width, 1]),
    inverseTemperature: tensor(inverseTemperature, [width, 1]),
    greedy: tensor(greedy, [width, 1]),
  };
}

/** Returns what was drawn for item `index` of a pass, whose row is at `slot` in the results. */
type DrawAt = (slot: number, index: number) => DrawnToken;

function graphDraws(results: Readonly<Record<string, TensorData>>): DrawAt {
  const tokens = results["next"] as BigInt64Array;
  const probabilities = floatOutput(results, "probability");
  return (slot) => ({
    token: Number(tokens[slot]!),
    logprob: Math.fround(Math.log(probabilities[slot]!)),
  });
}

function filteredDraws(
  results: Readonly<Record<string, TensorData>>,
  steps: readonly TokenStep[],
  vocabularySize: number,
): DrawAt {
  const logits = floatOutput(results, "logits");
  return (slot, index) => {
    const { temperature, filter, uniform } = steps[index]!;
    const row = logits.subarray(slot * vocabularySize, (slot + 1) * vocabularySize);
    return drawFiltered(row, temperature, filter!, uniform);
  };
}

function paddingFeeds(requiredRows: number, rows: number): Feeds {
  if (requiredRows === 0) return {};
  const missing = Math.max(0, requiredRows - rows);
  return { [PADDING_INPUT]: tensor(new Int32Array(missing), [missing]) };
}
