/**
 * A training step in bounded memory: one layer at a time, the same few graphs for all layers.
 *
 * The whole-graph trainer keeps every activation of every layer and the logits of every token. Here a forward pass
 * keeps, per layer, the residual stream that it got and its mixed head values; the backward pass goes through the
 * layers in reverse and computes the rest again (segments.ts). Attention runs in strips of queries (attention.ts), the
 * head in chunks of the vocabulary (head.ts), the rest in pieces of tokens, so nothing grows with time x time or
 * with tokens x vocabulary. Evaluation is the same forward pass, so both give the same bits.
 */
import { assert } from "../../../../core/index.ts";
import type { TokenOutputs } from "../../../../spec/index.ts";
import { type Feeds, floatOutput, type Session, tensor } from "../../graph/index.ts";
import type { ModelConfig } from "../../model/index.ts";
import type { Microbatch } from "../microbatch.ts";
import {
  type HeadRequest,
  type HeadOutputs,
  buildHeadBackwardGraph,
  buildHeadGraph,
  buildHeadInputBackwardGraph,
  buildHeadInputGraph,
  type LayeredCotangents,
  runHeadForward,
  runHeadBackward,
} from "./head.ts";
import {
  type KeptActivations,
  type LayerOptions,
  LayerRunner,
  type LayerRun,
  type PrefixLayer,
} from "./layer-runner.ts";
import { addGradients, type FindGradient, weightFeeds } from "./layer-sessions.ts";
import { gatherRows, scatterAddRows } from "./row-loops.ts";

const EMBEDDING = "model.embed_tokens.weight";
const LOGIT_ELEMENTS = 2 ** 23;

export interface LayeredOptions extends LayerOptions {
  /** Logits that the head holds at once; default 2^23. */
  readonly logitElements?: number;
}

export interface LayeredInputs {
  /** Weights, adapter and rotary tables, as the whole training graph takes them. */
  readonly weights: Feeds;
  readonly batch: Microbatch;
  /** What comes before the rectangle; present where `batch.past` is not 0. */
  readonly shared?: PrefixActivations | undefined;
  readonly temperature: number;
  /** Whether entropies are wanted. */
  readonly entropies: boolean;
}

export interface LayeredOutputs extends TokenOutputs {
  /** (asked, hidden): what the last block leaves, before the norm. */
  readonly stream: Float32Array;
}

/** Tokens that rows share, as far as the rows look at them: computed once, however many rectangles read it. */
export interface PrefixActivations {
  readonly tokens: Int32Array;
  readonly layers: readonly PrefixLayer[];
}

/** What the backward pass needs of the forward pass. */
interface KeptForward {
  readonly layers: KeptActivations[];
  /** The last residual stream at the asked tokens, and what the head makes of it. */
  readonly asked: Float32Array;
  readonly z: Float32Array;
  readonly head: HeadOutputs;
}

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
    const { head, asked } = await this.#forward(inputs, false);
    return { ...head, stream: asked };
  }

  /** Adds the gradients of what is trained: of the adapter with LoRA, else of the weights by their own names. */
  async accumulate(
    inputs: LayeredInputs,
    cotangents: LayeredCotangents,
    gradientOf: FindGradient,
  ): Promise<LayeredOutputs> {
    const kept = await this.#forward(inputs, true);
    const run = toLayerRun(inputs);
    let dx = await this.#headBackward(inputs, kept, cotangents, gradientOf);
    for (let layer = this.#config.layers - 1; layer >= 0; layer--) {
      // What was kept for a layer is let go of.
      dx = await this.#layerRunner.backward(run, layer, kept.layers.pop()!, dx, gradientOf);
    }
    this.#addEmbeddingGradient(inputs.batch.tokens, dx, gradientOf);
    return { ...kept.head, stream: kept.asked };
  }

  /** Keys and values of tokens with which rows begin. */
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

  /** Adds what the rows that read a prefix have sent back to it; once, after the last of them. */
  async accumulatePrefix(
    weights: Feeds,
    { tokens, layers }: PrefixActivations,
    gradientOf: FindGradient,
  ): Promise<void> {
    const kept: KeptActivations[] = [];
    for await (const { x, mixed } of this.#forwardPrefix(weights, tokens)) kept.push({ x, mixed });
    const run = prefixLayerRun(weights, tokens);
    const { x } = kept.pop()!;
    const { key, value } = layers.at(-1)!.cotangent;
    const query = new Float32Array((x.length / this.#config.hiddenSize) * this.#queryWidth);
    const none = new Float32Array(x.length);
    const last = kept.length;
    const cotangents = { query, key, value };
    let dx = await this.#layerRunner.attentionInputsBackward(run, last, x, cotangents, none, gradientOf);
    for (let layer = last - 1; layer >= 0; layer--) {
      const { cotangent } = layers[layer]!;
      dx = await this.#layerRunner.backward(run, layer, kept.pop()!, dx, gradientOf, cotangent);
    }
    this.#addEmbeddingGradient(tokens, dx, gradientOf);
  }

  async close(): Promise<void> {
    await this.#layerRunner.close();
  }

  /** What each layer gets and makes of a prefix. Of the last one only keys and values are wanted. */
  async *#forwardPrefix(weights: Feeds, tokens: Int32Array) {
    const run = prefixLayerRun(weights, tokens);
    let x = gatherRows(weightData(weights, EMBEDDING), tokens, this.#config.hiddenSize);
    for (let layer = 0; layer < this.#config.layers; layer++) {
      const parts = await this.#layerRunner.inputs(run, layer, x);
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

  async #forward(inputs: LayeredInputs, keep: boolean): Promise<KeptForward> {
    const { hiddenSize } = this.#config;
    const { batch, weights } = inputs;
    const run = toLayerRun(inputs);
    const layers: KeptActivations[] = [];
    let x = gatherRows(weightData(weights, EMBEDDING), batch.tokens, hiddenSize);
    for (let layer = 0; layer < this.#config.layers; layer++) {
      const mixed = await this.#layerRunner.attend(
        run,
        layer,
        await this.#layerRunner.inputs(run, layer, x),
      );
      if (keep) layers.push({ x, mixed });
      x = await this.#layerRunner.applyTail(run, layer, { x, mixed });
    }
    const asked = gatherRows(x, batch.at, hiddenSize);
    return { layers, asked, ...(await this.#runHead(inputs, asked)) };
  }

  #addEmbeddingGradient(tokens: Int32Array, dx: Float32Array, gradientOf: FindGradient): void {
    if (this.#options.lora) return;
    scatterAddRows(gradientOf(EMBEDDING), tokens, dx, this.#config.hiddenSize);
  }

  get #queryWidth(): number {
    return this.#config.heads * this.#config.headSize;
  }

  async #runHead(inputs: LayeredInputs, asked: Float32Array): Promise<Pick<KeptForward, "z" | "head">> {
    const session = await this.#getSession("head input", buildHeadInputGraph);
    const results = await session.run(this.#headInputFeeds(session, inputs, asked));
    const z = floatOutput(results, "z");
    const { entropies } = inputs;
    const head = await this.#getSession(`head ${entropies}`, (config) => buildHeadGraph(config, entropies));
    return { z, head: await runHeadForward(head, this.#headRequest(inputs, z), entropies) };
  }

  /** The cotangent of the last residual stream. */
  async #headBackward(
    inputs: LayeredInputs,
    { asked, z, head }: KeptForward,
    cotangents: LayeredCotangents,
    gradientOf: FindGradient,
  ): Promise<Float32Array> {
    const { hiddenSize } = this.#config;
    const { batch, entropies } = inputs;
    const frozen = this.#options.lora !== undefined;
    const session = await this.#getSession(`head backward ${entropies}`, (config) =>
      buildHeadBackwardGraph(config, entropies, frozen),
    );
    const dtable = frozen ? undefined : gradientOf(this.#headTableName);
    const wanted = this.#headRequest(inputs, z);
    const dz = await runHeadBackward(session, wanted, head, cotangents, dtable);
    const input = await this.#getSession("head input backward", (config) =>
      buildHeadInputBackwardGraph(config, frozen),
    );
    const results = await input.run({
      ...this.#headInputFeeds(input, inputs, asked),
      dz: tensor(dz, [batch.at.length, hiddenSize]),
    });
    addGradients(results, gradientOf);
    const dx = new Float32Array(batch.batch * batch.time * hiddenSize);
    scatterAddRows(dx, batch.at, floatOutput(results, "dx"), hiddenSize);
    return dx;
  }

  #getSession(...[name, build]: Parameters<LayerRunner["session"]>): Promise<Session> {
    return this.#layerRunner.session(name, build);
  }

  #headRequest({ weights, batch }: LayeredInputs, z: Float32Array): HeadRequest {
    return {
      z,
      targets: batch.targets,
      table: weightData(weights, this.#headTableName),
      hiddenSize: this.#config.hiddenSize,
      elements: this.#options.logitElements ?? LOGIT_ELEMENTS,
    };
  }

  #headInputFeeds(session: Session, inputs: LayeredInputs, asked: Float32Array): Feeds {
    const { weights, batch, temperature } = inputs;
    return {
      ...weightFeeds(session, weights, 0),
      x: tensor(asked, [batch.at.length, this.#config.hiddenSize]),
      inverseTemperature: tensor(Float32Array.of(1 / temperature), []),
    };
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

/** A prefix is one row from position 0 on. */
function prefixLayerRun(weights: Feeds, tokens: Int32Array): LayerRun {
  return { weights, batch: { batch: 1, time: tokens.length, past: 0 } };
}
