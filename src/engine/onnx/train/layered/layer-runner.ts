/**
 * Runs one layer at a time, forward and backward, for a rectangle of rows or for a shared prefix. Between the passes
 * it keeps, per layer, the residual stream before the layer and its mixed head values. The backward pass computes the
 * rest again (block-parts.ts).
 */
import type { Feeds, Session } from "../../graph/index.ts";
import type { LoraConfig, ModelConfig, QuantizedMatrices } from "../../model/index.ts";
import { type Microbatch, tokenPositions } from "../microbatch.ts";
import {
  buildAttentionInputsBackwardGraph,
  buildAttentionInputsGraph,
  buildBlockTailBackwardGraph,
  buildBlockTailGraph,
} from "./block-parts.ts";
import {
  addLayerGradients,
  type FindGradient,
  type GraphBuilder,
  LayerMatrices,
  LayerSessions,
  layerWeightFeeds,
  type Results,
} from "./layer-sessions.ts";
import {
  buildPrefixAttentionBackwardGraph,
  buildPrefixAttentionGraph,
  createCotangentAdder,
  type KeyValues,
  prefixKeyValueFeeds,
} from "./prefix-attention.ts";
import { addInto } from "./row-loops.ts";
import {
  buildAttentionBackwardGraph,
  buildAttentionGraph,
  type QueryKeyValue,
  runStripAttention,
  runStripAttentionBackward,
  type StripLayout,
} from "./strip-attention.ts";
import { runInChunks } from "./token-chunks.ts";

/** The tokens of a chunk. Its activations then take less than a few hundred MB, whatever the row. */
const TOKENS_PER_CHUNK = 1024;
/**
 * The elements of attention scores that are held at once: 8 MiB. Much larger blocks go back to the system after every
 * run and come back as page faults, which is a third of attention's time in small models.
 */
const SCORE_ELEMENTS = 2 ** 21;

/** The options of the layered path. */
export interface LayerOptions {
  readonly threads?: number | undefined;
  /** Adapts the projections. The weights are then frozen. */
  readonly lora?: LoraConfig | undefined;
  /** The matrices of a quantised base, which are missing from the weights. */
  readonly quantized?: QuantizedMatrices | undefined;
  /** The number of tokens that a part of a block sees at once. Default: 1024. */
  readonly tokensPerChunk?: number;
  /** The elements of the scores that attention holds at once. Default: 2^21. */
  readonly scoreElements?: number;
}

/** One layer of a shared prefix: its keys and values, and the sum of the cotangents from the rows that read it. */
export interface PrefixLayer {
  readonly keyValues: KeyValues;
  readonly cotangent: KeyValues;
}

/** A rectangle of rows, after `past` tokens of which only keys and values are kept. */
export interface LayerRun {
  /** The weights, adapter and rotary tables, as the whole training graph takes them. */
  readonly weights: Feeds;
  readonly batch: Pick<Microbatch, "batch" | "time" | "past">;
  /** The shared prefix by layer. It is absent when the rows begin in the rectangle. */
  readonly shared?: readonly PrefixLayer[] | undefined;
}

/** The residual stream before a layer, (n, hidden), and its mixed head values, (n, heads * headSize). */
export interface KeptActivations {
  readonly x: Float32Array;
  readonly mixed: Float32Array;
}

/** Runs the parts of one layer, forward and backward. */
export class LayerRunner {
  readonly #config: ModelConfig;
  readonly #options: LayerOptions;
  readonly #sessions: LayerSessions;
  readonly #matrices: LayerMatrices | undefined;

  constructor(config: ModelConfig, options: LayerOptions) {
    this.#config = config;
    this.#options = options;
    this.#sessions = new LayerSessions(config, options.lora, options.threads);
    this.#matrices = options.quantized && new LayerMatrices(options.quantized);
  }

  getSession(name: string, build: GraphBuilder): Promise<Session> {
    return this.#sessions.getSession(name, build);
  }

  async close(): Promise<void> {
    await this.#sessions.close();
  }

  /** Returns feeds of the weights of `layer` for a graph that uses the names of layer 0. */
  weightFeeds(session: Session, weights: Feeds, layer: number): Feeds {
    const floats = layerWeightFeeds(session, weights, layer);
    return this.#matrices ? { ...floats, ...this.#matrices.feeds(session, layer) } : floats;
  }

  /** Computes queries, keys and values of the residual stream `x` (n, hidden). */
  async attentionInputs(run: LayerRun, layer: number, x: Float32Array): Promise<QueryKeyValue> {
    const { heads, kvHeads, headSize, hiddenSize } = this.#config;
    const session = await this.getSession("attention inputs", buildAttentionInputsGraph);
    return runInChunks({
      ...this.#chunkOptions(session, run, layer),
      tokenInputs: {
        x: [x, [hiddenSize]],
        position: [tokenPositions(run.batch, this.#config), [1]],
      },
      outputs: { query: heads * headSize, key: kvHeads * headSize, value: kvHeads * headSize },
    });
  }

  /** Computes mixed head values (n, heads * headSize). */
  async attend(run: LayerRun, layer: number, parts: QueryKeyValue): Promise<Float32Array> {
    const strips = this.#stripLayout(run.batch);
    const shared = run.shared?.[layer];
    if (!shared) {
      const session = await this.getSession("attention", buildAttentionGraph);
      return runStripAttention(session, this.#config, strips, parts);
    }
    const session = await this.getSession("shared attention", buildPrefixAttentionGraph);
    const prefixFeeds = prefixKeyValueFeeds(this.#config, shared.keyValues);
    return runStripAttention(session, this.#config, strips, parts, prefixFeeds);
  }

  /** Computes the next residual stream. */
  async applyTail(
    run: LayerRun,
    layer: number,
    { x, mixed }: KeptActivations,
  ): Promise<Float32Array> {
    const { heads, headSize, hiddenSize } = this.#config;
    const session = await this.getSession("tail", buildBlockTailGraph);
    const { y } = await runInChunks({
      ...this.#chunkOptions(session, run, layer),
      tokenInputs: { x: [x, [hiddenSize]], mixed: [mixed, [heads * headSize]] },
      outputs: { y: hiddenSize },
    });
    return y;
  }

  /**
   * Returns the cotangent of a layer's input, given that of its output. Adds the gradients of what is trained.
   * `keyValueCotangents` are further cotangents of the layer's keys and values.
   */
  async backward(
    run: LayerRun,
    layer: number,
    kept: KeptActivations,
    dy: Float32Array,
    findGradient: FindGradient,
    keyValueCotangents?: KeyValues,
  ): Promise<Float32Array> {
    const { dx, dmixed } = await this.#tailBackward(run, layer, kept, dy, findGradient);
    const parts = await this.attentionInputs(run, layer, kept.x);
    const cotangents = await this.#attentionBackward(run, layer, { ...parts, ...kept, dmixed });
    if (keyValueCotangents) {
      addInto(cotangents.key, 0, keyValueCotangents.key);
      addInto(cotangents.value, 0, keyValueCotangents.value);
    }
    return this.attentionInputsBackward(run, layer, kept.x, cotangents, dx, findGradient);
  }

  async #tailBackward(
    run: LayerRun,
    layer: number,
    { x, mixed }: KeptActivations,
    dy: Float32Array,
    findGradient: FindGradient,
  ) {
    const { heads, headSize, hiddenSize } = this.#config;
    const queries = heads * headSize;
    const session = await this.getSession("tail backward", buildBlockTailBackwardGraph);
    return runInChunks({
      ...this.#chunkOptions(session, run, layer),
      tokenInputs: { x: [x, [hiddenSize]], mixed: [mixed, [queries]], dy: [dy, [hiddenSize]] },
      outputs: { dx: hiddenSize, dmixed: queries },
      onChunk: (results: Results) => addLayerGradients(results, findGradient, layer),
    });
  }

  async #attentionBackward(
    run: LayerRun,
    layer: number,
    inputs: QueryKeyValue & { readonly mixed: Float32Array; readonly dmixed: Float32Array },
  ): Promise<QueryKeyValue> {
    const strips = this.#stripLayout(run.batch);
    const shared = run.shared?.[layer];
    if (!shared) {
      const session = await this.getSession("attention backward", buildAttentionBackwardGraph);
      return runStripAttentionBackward(session, this.#config, strips, inputs);
    }
    const session = await this.getSession(
      "shared attention backward",
      buildPrefixAttentionBackwardGraph,
    );
    const prefixFeeds = prefixKeyValueFeeds(this.#config, shared.keyValues);
    const onStrip = createCotangentAdder(shared.cotangent);
    return runStripAttentionBackward(session, this.#config, strips, inputs, prefixFeeds, onStrip);
  }

  /** Runs the backward pass of queries, keys and values. `dx` is the cotangent that reaches `x` by another path. */
  async attentionInputsBackward(
    run: LayerRun,
    layer: number,
    x: Float32Array,
    { query, key, value }: QueryKeyValue,
    dx: Float32Array,
    findGradient: FindGradient,
  ): Promise<Float32Array> {
    const { heads, kvHeads, headSize, hiddenSize } = this.#config;
    const [queries, keys] = [heads * headSize, kvHeads * headSize];
    const session = await this.getSession(
      "attention inputs backward",
      buildAttentionInputsBackwardGraph,
    );
    const { total } = await runInChunks({
      ...this.#chunkOptions(session, run, layer),
      tokenInputs: {
        x: [x, [hiddenSize]],
        position: [tokenPositions(run.batch, this.#config), [1]],
        dquery: [query, [1, queries]],
        dkey: [key, [1, keys]],
        dvalue: [value, [1, keys]],
        dx: [dx, [hiddenSize]],
      },
      outputs: { total: hiddenSize },
      onChunk: (results: Results) => addLayerGradients(results, findGradient, layer),
    });
    return total;
  }

  #chunkOptions(session: Session, { weights, batch }: LayerRun, layer: number) {
    return {
      session,
      fixedFeeds: this.weightFeeds(session, weights, layer),
      count: batch.batch * batch.time,
      tokensPerChunk: this.#options.tokensPerChunk ?? TOKENS_PER_CHUNK,
    };
  }

  #stripLayout({ batch, time, past }: LayerRun["batch"]): StripLayout {
    const elements = this.#options.scoreElements ?? SCORE_ELEMENTS;
    const fitting = Math.floor(elements / (batch * this.#config.heads * (past + time)) / 32) * 32;
    return { batch, time, queries: Math.max(32, fitting) };
  }
}
