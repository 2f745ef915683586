/**
 * A training step in bounded memory: one layer at a time, with the same few graphs for all layers.
 *
 * The whole-graph trainer keeps every activation of every layer and the logits of every token. Here a forward pass
 * keeps, per layer, the residual stream before the layer and its mixed head values. The backward pass goes through
 * the layers in reverse and computes the rest again (block-parts.ts). Attention runs in strips of queries
 * (strip-attention.ts), the head in chunks of the vocabulary (head.ts), and the rest in chunks of tokens, so that
 * nothing grows with time x time or with tokens x vocabulary. Evaluation is the same forward pass, so both give the
 * same bits.
 */
import { assert } from "../../../../core/index.ts";
import type { TokenOutputs } from "../../../../spec/index.ts";
import { type Feeds, floatOutput, type Session, tensor } from "../../graph/index.ts";
import {
  floatTable,
  gatherTableRows,
  type ModelConfig,
  quantizedTable,
  type RowTable,
} from "../../model/index.ts";
import type { Microbatch } from "../microbatch.ts";
import {
  buildHeadBackwardGraph,
  buildHeadGraph,
  buildHeadInputBackwardGraph,
  buildHeadInputGraph,
  type HeadOutputs,
  type HeadRequest,
  type LayeredCotangents,
  runHeadBackward,
  runHeadForward,
} from "./head.ts";
import {
  type KeptActivations,
  type LayerOptions,
  type LayerRun,
  LayerRunner,
  type PrefixLayer,
} from "./layer-runner.ts";
import { addLayerGradients, type FindGradient } from "./layer-sessions.ts";
import { gatherRows, scatterAddRows } from "./row-loops.ts";

const EMBEDDING = "model.embed_tokens.weight";
const LOGIT_ELEMENTS = 2 ** 23;

export interface LayeredOptions extends LayerOptions {
  /** The most logits that the head holds at once. Default: 2^23. */
  readonly logitElements?: number;
}

/** A microbatch and the weights that it passes through. */
export interface LayeredInputs {
  /** The weights, adapter and rotary tables, as the whole training graph takes them. */
  readonly weights: Feeds;
  readonly batch: Microbatch;
  /** The prefix before the rectangle. It is present when `batch.past` is not 0. */
  readonly shared?: PrefixActivations | undefined;
  readonly temperature: number;
  /** Whether entropies are computed. */
  readonly entropies: boolean;
}

export interface LayeredOutputs extends TokenOutputs {
  /** The residual stream after the last block, before the norm, at the requested tokens: (asked, hidden). */
  readonly stream: Float32Array;
}

/** The tokens of a shared prefix, and its keys and values by layer, computed once for all rectangles. */
export interface PrefixActivations {
  readonly tokens: Int32Array;
  readonly layers: readonly PrefixLayer[];
}

/** What the backward pass needs of the forward pass. */
interface KeptForward {
  readonly layers: KeptActivations[];
  /** The last residual stream at the requested tokens, and the head's input and outputs. */
  readonly stream: Float32Array;
  readonly z: Float32Array;
  readonly head: HeadOutputs;
}

/** Runs forward and backward passes one layer at a time. */
export class LayeredPass {
  readonly #config: ModelConfig;
  readonly #options: LayeredOptions;
  readonly #layerRunner: LayerRunner;

  constructor(config: ModelConfig, options: LayeredOptions = {}) {
    this.#config = config;
    this.#options = options;
    this.#layerRunner = new LayerRunner(config, options);
  }

  async evaluate(inputs: LayeredInputs): Promise<LayeredOutputs> {
    const { head, stream } = await this.#forward(inputs, false);
    return { ...head, stream };
  }

  /** Runs forward and backward. Adds the gradients of the adapter, or without LoRA of the weights, by name. */
  async accumulate(
    inputs: LayeredInputs,
    cotangents: LayeredCotangents,
    findGradient: FindGradient,
  ): Promise<LayeredOutputs> {
    const kept = await this.#forward(inputs, true);
    const run = toLayerRun(inputs);
    let dx = await this.#headBackward(inputs, kept, cotangents, findGradient);
    for (let layer = this.#config.layers - 1; layer >= 0; layer--) {
      // The activations that were kept for a layer are released.
      dx = await this.#layerRunner.backward(run, layer, kept.layers.pop()!, dx, findGradient);
    }
    this.#addEmbeddingGradient(inputs.batch.tokens, dx, findGradient);
    return { ...kept.head, stream: kept.stream };
  }

  /** Computes keys and values of a prefix of rows. */
  async computePrefix(weights: Feeds, tokens: Int32Array): Promise<PrefixActivations> {
    const layers: PrefixLayer[] = [];
    for await (const { key, value } of this.#forwardPrefix(weights, tokens)) {
      const cotangent = {
        key: new Float32Array(key.length),
        value: new Float32Array(value.length),
      };
      layers.push({ keyValues: { key, value }, cotangent });
    }
    return { tokens, layers };
  }

  /** Runs the backward pass of a prefix, once after the last of its rows, with the sum of their cotangents. */
  async accumulatePrefix(
    weights: Feeds,
    { tokens, layers }: PrefixActivations,
    findGradient: FindGradient,
  ): Promise<void> {
    const kept: KeptActivations[] = [];
    for await (const { x, mixed } of this.#forwardPrefix(weights, tokens)) kept.push({ x, mixed });
    const run = prefixLayerRun(weights, tokens);
    const { x } = kept.pop()!;
    const { key, value } = layers.at(-1)!.cotangent;
    const query = new Float32Array((x.length / this.#config.hiddenSize) * this.#queryWidth);
    const zeros = new Float32Array(x.length);
    const last = kept.length;
    const cotangents = { query, key, value };
    let dx = await this.#layerRunner.attentionInputsBackward(
      run,
      last,
      x,
      cotangents,
      zeros,
      findGradient,
    );
    for (let layer = last - 1; layer >= 0; layer--) {
      const { cotangent } = layers[layer]!;
      dx = await this.#layerRunner.backward(run, layer, kept.pop()!, dx, findGradient, cotangent);
    }
    this.#addEmbeddingGradient(tokens, dx, findGradient);
  }

  async close(): Promise<void> {
    await this.#layerRunner.close();
  }

  /** Computes each layer's input and results for a prefix. The last layer computes only keys and values. */
  async *#forwardPrefix(weights: Feeds, tokens: Int32Array) {
    const run = prefixLayerRun(weights, tokens);
    let x = gatherTableRows(this.#table(weights, EMBEDDING), tokens, this.#config.hiddenSize);
    for (let layer = 0; layer < this.#config.layers; layer++) {
      const parts = await this.#layerRunner.attentionInputs(run, layer, x);
      const { key, value } = parts;
      if (layer === this.#config.layers - 1) {
        yield { x, mixed: EMPTY, key, value };
        return;
      }
      const mixed = await this.#layerRunner.attend(run, layer, parts);
      yield { x, mixed, key, value };
      x = await this.#layerRunner.applyTail(run, layer, { x, mixed });
    }
  }

  async #forward(inputs: LayeredInputs, keepsActivations: boolean): Promise<KeptForward> {
    const { hiddenSize } = this.#config;
    const { batch, weights } = inputs;
    const run = toLayerRun(inputs);
    const layers: KeptActivations[] = [];
    let x = gatherTableRows(this.#table(weights, EMBEDDING), batch.tokens, hiddenSize);
    for (let layer = 0; layer < this.#config.layers; layer++) {
      const mixed = await this.#layerRunner.attend(
        run,
        layer,
        await this.#layerRunner.attentionInputs(run, layer, x),
      );
      if (keepsActivations) layers.push({ x, mixed });
      x = await this.#layerRunner.applyTail(run, layer, { x, mixed });
    }
    const stream = gatherRows(x, batch.at, hiddenSize);
    return { layers, stream, ...(await this.#runHead(inputs, stream)) };
  }

  #addEmbeddingGradient(tokens: Int32Array, dx: Float32Array, findGradient: FindGradient): void {
    if (this.#options.lora) return;
    scatterAddRows(findGradient(EMBEDDING), tokens, dx, this.#config.hiddenSize);
  }

  get #queryWidth(): number {
    return this.#config.heads * this.#config.headSize;
  }

  async #runHead(
    inputs: LayeredInputs,
    stream: Float32Array,
  ): Promise<Pick<KeptForward, "z" | "head">> {
    const session = await this.#getSession("head input", buildHeadInputGraph);
    const results = await session.run(this.#headInputFeeds(session, inputs, stream));
    const z = floatOutput(results, "z");
    const { entropies } = inputs;
    const head = await this.#getSession(`head ${entropies}`, (config) =>
      buildHeadGraph(config, entropies),
    );
    return { z, head: await runHeadForward(head, this.#headRequest(inputs, z), entropies) };
  }

  /** Returns the cotangent of the last residual stream. */
  async #headBackward(
    inputs: LayeredInputs,
    { stream, z, head }: KeptForward,
    cotangents: LayeredCotangents,
    findGradient: FindGradient,
  ): Promise<Float32Array> {
    const { hiddenSize } = this.#config;
    const { batch, entropies } = inputs;
    const frozen = this.#options.lora !== undefined;
    const session = await this.#getSession(`head backward ${entropies}`, (config) =>
      buildHeadBackwardGraph(config, entropies, frozen),
    );
    const dtable = frozen ? undefined : findGradient(this.#headTableName);
    const request = this.#headRequest(inputs, z);
    const dz = await runHeadBackward(session, request, head, cotangents, dtable);
    const input = await this.#getSession("head input backward", (config) =>
      buildHeadInputBackwardGraph(config, frozen),
    );
    const results = await input.run({
      ...this.#headInputFeeds(input, inputs, stream),
      dz: tensor(dz, [batch.at.length, hiddenSize]),
    });
    addLayerGradients(results, findGradient);
    const dx = new Float32Array(batch.batch * batch.time * hiddenSize);
    scatterAddRows(dx, batch.at, floatOutput(results, "dx"), hiddenSize);
    return dx;
  }

  #getSession(...[name, build]: Parameters<LayerRunner["getSession"]>): Promise<Session> {
    return this.#layerRunner.getSession(name, build);
  }

  #headRequest({ weights, batch }: LayeredInputs, z: Float32Array): HeadRequest {
    return {
      z,
      targets: batch.targets,
      table: this.#table(weights, this.#headTableName),
      hiddenSize: this.#config.hiddenSize,
      maxLogits: this.#options.logitElements ?? LOGIT_ELEMENTS,
    };
  }

  #headInputFeeds(session: Session, inputs: LayeredInputs, stream: Float32Array): Feeds {
    const { weights, batch, temperature } = inputs;
    return {
      ...this.#layerRunner.weightFeeds(session, weights, 0),
      x: tensor(stream, [batch.at.length, this.#config.hiddenSize]),
      inverseTemperature: tensor(Float32Array.of(1 / temperature), []),
    };
  }

  #table(weights: Feeds, name: string): RowTable {
    const { quantized } = this.#options;
    if (quantized) return quantizedTable(quantized.get(name));
    return floatTable(weightData(weights, name), this.#config.hiddenSize);
  }

  get #headTableName(): string {
    return this.#config.tieEmbeddings ? EMBEDDING : "lm_head.weight";
  }
}

function weightData(weights: Feeds, name: string): Float32Array {
  const data = weights[name]?.data;
  assert(data instanceof Float32Array, `no weights ${name}`);
  return data;
}

const EMPTY = new Float32Array(0);

function toLayerRun({ weights, batch, shared }: LayeredInputs): LayerRun {
  return { weights, batch, shared: shared?.layers };
}

/** Returns the run of a prefix: one row that begins at position 0. */
function prefixLayerRun(weights: Feeds, tokens: Int32Array): LayerRun {
  return { weights, batch: { batch: 1, time: tokens.length, past: 0 } };
}
