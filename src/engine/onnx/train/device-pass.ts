/**
 * A training step on a device in bounded memory, layer by layer (device-layers.ts). The residual stream before each
 * layer stays on the device, where the backward pass computes the layer again. Logits exist only for as many tokens at
 * once as fit. What goes up is ids, places and cotangents; what comes down is log-probs and entropies.
 */
import { assert } from "../../../core/index.ts";
import {
  allocateOnDevice,
  copyToDevice,
  type Feeds,
  floatOutput,
  freeOnDevice,
  type Graph,
  numbersOnDevice,
  Session,
  type Tensor,
  tensor,
  viewOnDevice,
} from "../graph/index.ts";
import {
  devicePlaceFeeds,
  type LoraConfig,
  type ModelConfig,
  QUERY_BLOCKS,
  type QuantizedMatrices,
  queryBlocks,
} from "../model/index.ts";
import {
  buildDeviceHeadGraph,
  buildEmbeddingBackwardGraph,
  buildGatherGraph,
  buildLayerGraph,
  buildQuantizedGatherGraph,
  EMBEDDING,
  type LayerGraphOptions,
} from "./device-layers.ts";
import { DeviceSpares } from "./device-spares.ts";
import { GRADIENT_PREFIX, SUM_PREFIX } from "./gradient-sums.ts";
import type { LayeredCotangents } from "./layered/index.ts";
import { type Microbatch, outputPlaces, tokenPositions } from "./microbatch.ts";
import type { GradientFeeds, TrainedState } from "./trained-state.ts";
import { prefixInputNames } from "./training-graph.ts";

/** The most logits that exist at once: 128 MiB, which every adapter can bind. */
const LOGIT_ELEMENTS = 2 ** 25;

/** Keys and values of one layer of a shared prefix, and the cotangents of its rows, (prefix, kvHeads, headSize). */
interface DevicePrefixLayer {
  readonly key: Tensor;
  readonly value: Tensor;
  readonly dkey: Tensor;
  readonly dvalue: Tensor;
}

/** A shared prefix on the device. */
export interface DevicePrefix {
  readonly tokens: Int32Array;
  readonly layers: readonly DevicePrefixLayer[];
}

/** A microbatch, or a prefix, and the weights that it passes through. */
export interface DeviceInputs {
  readonly weights: Feeds;
  readonly batch: Pick<Microbatch, "batch" | "time" | "past" | "tokens">;
  readonly shared?: DevicePrefix | undefined;
}

/** What is requested of a microbatch. */
export interface DeviceRequest extends DeviceInputs {
  readonly batch: Microbatch;
  readonly temperature: number;
  readonly entropies: boolean;
}

export interface DeviceOutputs {
  readonly logprobs: Float32Array;
  readonly entropies?: Float32Array;
  /** The last residual stream at the requested tokens: (asked, hidden). */
  readonly stream: Tensor;
}

/** What the head's backward pass is given, and the cotangent of its input so far. */
interface HeadBackward {
  readonly cotangents: LayeredCotangents;
  readonly gradients: GradientFeeds;
  dx: Tensor;
}

export interface DevicePassOptions {
  readonly lora?: LoraConfig | undefined;
  /** The matrices of a quantised base, which are missing from the weights. */
  readonly quantized?: QuantizedMatrices | undefined;
  /** The most logits that exist at once. Default: 2^25. */
  readonly logitElements?: number | undefined;
}

/** Runs forward and backward passes layer by layer on a device. */
export class DevicePass {
  readonly #config: ModelConfig;
  readonly #options: DevicePassOptions;
  readonly #sessions = new Map<string, Promise<Session>>();
  readonly #spares = new DeviceSpares();
  /** The positions of the tokens of the last microbatch, which all layers read. */
  #positions: { readonly of: DeviceInputs["batch"]; readonly tensor: Tensor } | undefined;

  constructor(config: ModelConfig, options: DevicePassOptions) {
    this.#config = config;
    this.#options = options;
  }

  async evaluate(request: DeviceRequest): Promise<DeviceOutputs> {
    const x = await this.#forward(request, (old) => this.#spares.give(old));
    const outputs = await this.#runHead(request, x);
    this.#spares.give(x);
    return outputs;
  }

  /** Runs forward and backward, and adds to the gradient. */
  async accumulate(
    request: DeviceRequest,
    cotangents: LayeredCotangents,
    state: TrainedState,
  ): Promise<DeviceOutputs> {
    const kept: Tensor[] = [];
    const x = await this.#forward(request, (old) => kept.push(old));
    const zeros = await allocateOnDevice(x.dims);
    const backward = { cotangents, gradients: await state.getGradientFeeds(), dx: zeros };
    const outputs = await this.#runHead(request, x, backward);
    this.#spares.give(x);
    await this.#backward(request, kept, backward.dx, state);
    return outputs;
  }

  /** Computes keys and values of a prefix of rows. */
  async computePrefix(weights: Feeds, tokens: Int32Array): Promise<DevicePrefix> {
    const layers: DevicePrefixLayer[] = [];
    const inputs = { weights, batch: padPrefix(tokens) };
    const x = await this.#forward(inputs, (old) => this.#spares.give(old), layers);
    this.#spares.give(x);
    return { tokens, layers };
  }

  /** Runs the backward pass of a prefix, once after the last of its rows, with the sum of their cotangents. */
  async accumulatePrefix(weights: Feeds, prefix: DevicePrefix, state: TrainedState): Promise<void> {
    const inputs = { weights, batch: padPrefix(prefix.tokens) };
    const kept: Tensor[] = [];
    const x = await this.#forward(inputs, (old) => kept.push(old), []);
    const zeros = await allocateOnDevice(x.dims);
    this.#spares.give(x);
    await this.#backward(inputs, kept, zeros, state, prefix);
  }

  freePrefix({ layers }: DevicePrefix): void {
    for (const each of layers) for (const own of Object.values(each)) freeOnDevice(own);
  }

  /** Frees what is kept for the next microbatch. */
  freeSpares(): void {
    this.#spares.free();
  }

  async close(): Promise<void> {
    this.freeSpares();
    if (this.#positions) freeOnDevice(this.#positions.tensor);
    this.#positions = undefined;
    for (const session of this.#sessions.values()) await (await session).close();
    this.#sessions.clear();
  }

  /**
   * Returns the last residual stream. `onInput` receives that before each layer when the next is there. With `prefix`,
   * the keys and values of the layers are added to it.
   */
  async #forward(
    inputs: DeviceInputs,
    onInput: (x: Tensor) => void,
    prefix?: DevicePrefixLayer[],
  ): Promise<Tensor> {
    const { weights, batch } = inputs;
    const { kvHeads, headSize, layers } = this.#config;
    let x = await this.#embed(weights, batch.tokens);
    const options = layerOptions(inputs, prefix !== undefined);
    const session = await this.#getLayer({ ...options, backward: false });
    for (let layer = 0; layer < layers; layer++) {
      const y = await this.#spares.take(x.dims);
      const dims = [batch.batch, batch.time, kvHeads * headSize];
      const own = prefix && {
        key: await allocateOnDevice(dims),
        value: await allocateOnDevice(dims),
      };
      const feeds = await this.#layerFeeds(session, inputs, layer, x);
      await session.run(feeds, undefined, { y, ...own });
      if (own) {
        prefix.push({
          ...own,
          dkey: await allocateOnDevice(dims),
          dvalue: await allocateOnDevice(dims),
        });
      }
      onInput(x);
      x = y;
    }
    return x;
  }

  /** Runs the backward pass of all layers and of the embedding. `kept` and `dx` are freed. */
  async #backward(
    inputs: DeviceInputs,
    kept: Tensor[],
    last: Tensor,
    state: TrainedState,
    prefix?: DevicePrefix,
  ): Promise<void> {
    const options = layerOptions(inputs, prefix !== undefined);
    const session = await this.#getLayer({ ...options, backward: true });
    let dy = last;
    for (let layer = this.#config.layers - 1; layer >= 0; layer--) {
      const x = kept.pop()!;
      const dx = await this.#spares.take(x.dims);
      const { sums, gradients } = await state.getGradientFeeds(layer);
      const own = prefix?.layers[layer];
      const shared = inputs.shared && prefixGradients(this.#config, inputs.shared, layer);
      const feeds = {
        ...(await this.#layerFeeds(session, inputs, layer, x)),
        ...sums,
        ...shared?.sums,
        dy,
        ...(own && { dkey: own.dkey, dvalue: own.dvalue }),
      };
      const written = pickOutputs(session, { ...gradients, ...shared?.gradients });
      await session.run(feeds, undefined, { dx, ...written });
      this.#spares.give(x);
      this.#spares.give(dy);
      dy = dx;
    }
    await this.#addToEmbedding(inputs, dy, state);
    this.#spares.give(dy);
  }

  async #addToEmbedding(
    { weights, batch }: DeviceInputs,
    dx: Tensor,
    state: TrainedState,
  ): Promise<void> {
    if (this.#options.lora) return;
    const build = () => buildEmbeddingBackwardGraph(this.#config);
    const session = await this.#getSession("embedding backward", build);
    const { sums, gradients } = await state.getGradientFeeds();
    const tokens = tensor(batch.tokens, [batch.tokens.length]);
    const feeds = { ...weights, ...sums, tokens, dx, ...uniqueTokenFeeds(batch.tokens) };
    await session.run(feeds, undefined, pickOutputs(session, gradients));
  }

  /** Runs the head for all requested tokens, some at once. With `backward`, its `dx` becomes the cotangent of `x`. */
  async #runHead(
    request: DeviceRequest,
    x: Tensor,
    backward?: HeadBackward,
  ): Promise<DeviceOutputs> {
    const { batch, entropies } = request;
    const most = this.#options.logitElements ?? LOGIT_ELEMENTS;
    const count = Math.max(8, Math.floor(most / this.#config.vocabularySize));
    const parts = splitRequested(batch, count);
    const logprobs = new Float32Array(batch.at.length);
    const allEntropies = new Float32Array(entropies ? batch.at.length : 0);
    const streams: Tensor[] = [];
    for (const part of parts) {
      const { results, stream } = await this.#runHeadPart(request, x, part, backward);
      logprobs.set(floatOutput(results, "logprobs").subarray(0, part.count), part.start);
      if (entropies) {
        const found = floatOutput(results, "entropies").subarray(0, part.count);
        allEntropies.set(found, part.start);
      }
      streams.push(stream);
    }
    let stream = streams[0]!;
    if (streams.length > 1) {
      for (const each of streams) freeOnDevice(each);
      stream = await this.#gatherRows(x, batch.at);
    }
    return { logprobs, stream, ...(entropies && { entropies: allEntropies }) };
  }

  async #runHeadPart(
    { weights, temperature, entropies }: DeviceRequest,
    x: Tensor,
    part: RequestedPart,
    backward: HeadBackward | undefined,
  ) {
    const isFrozen = this.#options.lora !== undefined;
    const options = { entropies, isFrozen, backward: backward !== undefined };
    const session = await this.#getSession(`head ${JSON.stringify(options)}`, () =>
      buildDeviceHeadGraph(this.#config, { ...options, quantized: this.#options.quantized }),
    );
    const stream = await allocateOnDevice([part.at.length, this.#config.hiddenSize]);
    const inverseTemperature = tensor(Float32Array.of(1 / temperature), []);
    const feeds = { ...weights, ...part.feeds, x, inverseTemperature };
    if (!backward) return { results: await session.run(feeds, undefined, { stream }), stream };
    const { sums, gradients } = backward.gradients;
    const given = { ...sums, ...part.cotangentFeeds(backward.cotangents), before: backward.dx };
    const dx = await this.#spares.take(x.dims);
    const into = { stream, dx, ...pickOutputs(session, gradients) };
    const results = await session.run({ ...feeds, ...given }, undefined, into);
    this.#spares.give(backward.dx);
    backward.dx = dx;
    return { results, stream };
  }

  async #embed(weights: Feeds, tokens: Int32Array): Promise<Tensor> {
    const { quantized } = this.#options;
    this.#spares.free([tokens.length, this.#config.hiddenSize]);
    if (!quantized) return this.#gatherRows(weights[EMBEDDING]!, tokens);
    const session = await this.#getSession("embedding", () =>
      buildQuantizedGatherGraph(this.#config, quantized),
    );
    const gathered = await this.#spares.take([tokens.length, this.#config.hiddenSize]);
    const feeds = { ...weights, indices: tensor(tokens, [tokens.length]) };
    await session.run(feeds, undefined, { gathered });
    return gathered;
  }

  async #gatherRows(table: Tensor, indices: Int32Array): Promise<Tensor> {
    const session = await this.#getSession("gather", () => buildGatherGraph(this.#config));
    const gathered = await allocateOnDevice([indices.length, this.#config.hiddenSize]);
    const feeds = { table, indices: tensor(indices, [indices.length]) };
    await session.run(feeds, undefined, { gathered });
    return gathered;
  }

  async #layerFeeds(
    session: Session,
    { weights, batch, shared }: DeviceInputs,
    layer: number,
    x: Tensor,
  ): Promise<Feeds> {
    const own = session.inputNames.flatMap((name) => {
      const weight = weights[name.replace("layers.0.", `layers.${layer}.`)];
      return weight ? [[name, weight] as const] : [];
    });
    return {
      ...Object.fromEntries(own),
      ...devicePlaceFeeds(await numbersOnDevice(batch.time), batch.time),
      ...(shared && devicePrefixFeeds(this.#config, shared, [layer])),
      positions: await this.#positionsOf(batch),
      sizes: tensor(new Uint8Array(batch.batch * batch.time), [batch.batch, batch.time]),
      x,
    };
  }

  async #positionsOf(batch: DeviceInputs["batch"]): Promise<Tensor> {
    if (this.#positions?.of === batch) return this.#positions.tensor;
    if (this.#positions) freeOnDevice(this.#positions.tensor);
    const positions = tensor(tokenPositions(batch, this.#config), [batch.batch, batch.time]);
    this.#positions = { of: batch, tensor: await copyToDevice(positions) };
    return this.#positions.tensor;
  }

  #getLayer(options: Omit<LayerGraphOptions, "lora" | "quantized">): Promise<Session> {
    const { lora, quantized } = this.#options;
    return this.#getSession(`layer ${JSON.stringify(options)}`, () =>
      buildLayerGraph(this.#config, { ...options, lora, quantized }),
    );
  }

  #getSession(name: string, build: () => Graph): Promise<Session> {
    const session = this.#sessions.get(name) ?? Session.create(build());
    this.#sessions.set(name, session);
    return session;
  }
}

/**
 * Returns the feeds of keys and values of a shared prefix for these layers, the first of which has the name of layer 0.
 */
export function devicePrefixFeeds(
  config: ModelConfig,
  { tokens, layers }: DevicePrefix,
  chosen: readonly number[],
): Feeds {
  const dims = [tokens.length, config.kvHeads, config.headSize];
  const feeds = chosen.flatMap((layer, i) => {
    const names = prefixInputNames(i);
    const { key, value } = layers[layer]!;
    return [
      [names.key, viewOnDevice(key, dims)],
      [names.value, viewOnDevice(value, dims)],
    ] as const;
  });
  return Object.fromEntries(feeds);
}

/** Returns the cotangents of a shared prefix as inputs and outputs of a graph of one layer. */
function prefixGradients(config: ModelConfig, prefix: DevicePrefix, layer: number): GradientFeeds {
  return devicePrefixGradients(config, prefix, [layer]);
}

/** Returns the cotangents of a shared prefix in these layers as inputs and outputs of a graph. */
export function devicePrefixGradients(
  config: ModelConfig,
  { tokens, layers }: DevicePrefix,
  chosen: readonly number[],
): GradientFeeds {
  const dims = [tokens.length, config.kvHeads, config.headSize];
  const entries = chosen.flatMap((layer, i) => {
    const names = prefixInputNames(i);
    const { dkey, dvalue } = layers[layer]!;
    return [
      [names.key, viewOnDevice(dkey, dims)],
      [names.value, viewOnDevice(dvalue, dims)],
    ] as const;
  });
  const withPrefix = (prefix: string) =>
    Object.fromEntries(entries.map(([name, each]) => [prefix + name, each]));
  return { sums: withPrefix(SUM_PREFIX), gradients: withPrefix(GRADIENT_PREFIX) };
}

/** Returns the feed of a training graph that lists each token of a batch once. */
export function uniqueTokenFeeds(tokens: Int32Array): Feeds {
  const unique = Int32Array.from(new Set(tokens));
  return { uniqueTokens: tensor(unique, [unique.length]) };
}

/** Returns those of the feeds that a session writes. */
export function pickOutputs(session: Session, feeds: Feeds): Feeds {
  const names = new Set(session.outputNames);
  return Object.fromEntries(Object.entries(feeds).filter(([name]) => names.has(name)));
}

/** Returns what is common to the graphs of a layer for these inputs. */
function layerOptions({ batch, shared }: DeviceInputs, isPrefix: boolean) {
  return { shared: shared !== undefined, isPrefix, blocks: queryBlocks(batch.time) };
}

/** Pads a prefix to whole blocks of queries. Later tokens change nothing before them. */
function padPrefix(tokens: Int32Array): DeviceInputs["batch"] {
  const time = Math.ceil(tokens.length / QUERY_BLOCKS) * QUERY_BLOCKS;
  const padded = new Int32Array(time);
  padded.set(tokens);
  return { batch: 1, time, past: 0, tokens: padded };
}

type RequestedPart = ReturnType<typeof splitRequested>[number];

/** Cuts what a microbatch requests into parts of at most `most` tokens, each with an entry that has no cotangent. */
function splitRequested(batch: Microbatch, most: number) {
  const total = batch.at.length - 1;
  assert(total > 0, "a microbatch requests something");
  return Array.from({ length: Math.ceil(total / most) }, (_, i) => {
    const start = i * most;
    const count = Math.min(most, total - start);
    const cut = (list: Int32Array) => Int32Array.of(...list.subarray(start, start + count), 0);
    const [at, targets] = [cut(batch.at), cut(batch.targets)];
    const places = outputPlaces({ ...batch, at });
    const cutFloats = (list: Float32Array) => {
      const own = new Float32Array(count + 1);
      own.set(list.subarray(start, start + count));
      return tensor(own, [count + 1]);
    };
    return {
      start,
      count,
      at,
      feeds: {
        at: tensor(at, [at.length]),
        targets: tensor(targets, [targets.length]),
        places: tensor(places, [places.length]),
      },
      cotangentFeeds: ({ logprobs, entropies }: LayeredCotangents): Feeds => ({
        cotangents: cutFloats(logprobs),
        ...(entropies && { entropyCotangents: cutFloats(entropies) }),
      }),
    };
  });
}
