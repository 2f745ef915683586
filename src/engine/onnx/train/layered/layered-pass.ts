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
  type Asked,
  type HeadOutputs,
  headBackwardGraph,
  headGraph,
  headInputBackwardGraph,
  headInputGraph,
  type LayeredCotangents,
  runHead,
  runHeadBackward,
} from "./head.ts";
import {
  type KeptLayer,
  type LayerOptions,
  LayerParts,
  type LayerRun,
  type SharedLayer,
} from "./layer-parts.ts";
import { addGradients, type GradientOf, weightFeeds } from "./layer-sessions.ts";
import { gatherRows, scatterAddRows } from "./rows.ts";

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
  readonly shared?: SharedPrefix | undefined;
  readonly temperature: number;
  /** Whether entropies are wanted. */
  readonly entropies: boolean;
}

export interface LayeredOutputs extends TokenOutputs {
  /** (asked, hidden): what the last block leaves, before the norm. */
  readonly stream: Float32Array;
}

/** Tokens that rows share, as far as the rows look at them: computed once, however many rectangles read it. */
export interface SharedPrefix {
  readonly tokens: Int32Array;
  readonly layers: readonly SharedLayer[];
}

/** What the backward pass needs of the forward pass. */
interface Kept {
  readonly layers: KeptLayer[];
  /** The last residual stream at the asked tokens, and what the head makes of it. */
  readonly asked: Float32Array;
  readonly z: Float32Array;
  readonly head: HeadOutputs;
}

export class LayeredPass {
  readonly #config: ModelConfig;
  readonly #options: LayeredOptions;
  readonly #parts: LayerParts;

  constructor(config: ModelConfig, options: LayeredOptions = {}) {
    this.#config = config;
    this.#options = options;
    this.#parts = new LayerParts(config, options);
  }

  async evaluate(inputs: LayeredInputs): Promise<LayeredOutputs> {
    const { head, asked } = await this.#forward(inputs, false);
    return { ...head, stream: asked };
  }

  /** Adds the gradients of what is trained: of the adapter with LoRA, else of the weights by their own names. */
  async accumulate(
    inputs: LayeredInputs,
    cotangents: LayeredCotangents,
    gradientOf: GradientOf,
  ): Promise<LayeredOutputs> {
    const kept = await this.#forward(inputs, true);
    const run = runOf(inputs);
    let dx = await this.#headBackward(inputs, kept, cotangents, gradientOf);
    for (let layer = this.#config.layers - 1; layer >= 0; layer--) {
      // What was kept for a layer is let go of.
      dx = await this.#parts.backward(run, layer, kept.layers.pop()!, dx, gradientOf);
    }
    this.#addEmbedded(inputs.batch.tokens, dx, gradientOf);
    return { ...kept.head, stream: kept.asked };
  }

  /** Keys and values of tokens with which rows begin. */
  async share(weights: Feeds, tokens: Int32Array): Promise<SharedPrefix> {
    const layers: SharedLayer[] = [];
    for await (const { key, value } of this.#prefixLayers(weights, tokens)) {
      const cotangent = {
        key: new Float32Array(key.length),
        value: new Float32Array(value.length),
      };
      layers.push({ own: { key, value }, cotangent });
    }
    return { tokens, layers };
  }

  /** Adds what the rows that read a prefix have sent back to it; once, after the last of them. */
  async accumulateShared(
    weights: Feeds,
    { tokens, layers }: SharedPrefix,
    gradientOf: GradientOf,
  ): Promise<void> {
    const kept: KeptLayer[] = [];
    for await (const { x, mixed } of this.#prefixLayers(weights, tokens)) kept.push({ x, mixed });
    const run = prefixRun(weights, tokens);
    const { x } = kept.pop()!;
    const { key, value } = layers.at(-1)!.cotangent;
    const query = new Float32Array((x.length / this.#config.hiddenSize) * this.#queries);
    const none = new Float32Array(x.length);
    const last = kept.length;
    const cotangents = { query, key, value };
    let dx = await this.#parts.inputsBackward(run, last, x, cotangents, none, gradientOf);
    for (let layer = last - 1; layer >= 0; layer--) {
      const { cotangent } = layers[layer]!;
      dx = await this.#parts.backward(run, layer, kept.pop()!, dx, gradientOf, cotangent);
    }
    this.#addEmbedded(tokens, dx, gradientOf);
  }

  async close(): Promise<void> {
    await this.#parts.close();
  }

  /** What each layer gets and makes of a prefix. Of the last one only keys and values are wanted. */
  async *#prefixLayers(weights: Feeds, tokens: Int32Array) {
    const run = prefixRun(weights, tokens);
    let x = gatherRows(dataOf(weights, EMBEDDING), tokens, this.#config.hiddenSize);
    for (let layer = 0; layer < this.#config.layers; layer++) {
      const parts = await this.#parts.inputs(run, layer, x);
      const { key, value } = parts;
      if (layer === this.#config.layers - 1) {
        yield { x, mixed: NOTHING, key, value };
        return;
      }
      const mixed = await this.#parts.attention(run, layer, parts);
      yield { x, mixed, key, value };
      x = await this.#parts.tail(run, layer, { x, mixed });
    }
  }

  async #forward(inputs: LayeredInputs, keep: boolean): Promise<Kept> {
    const { hiddenSize } = this.#config;
    const { batch, weights } = inputs;
    const run = runOf(inputs);
    const layers: KeptLayer[] = [];
    let x = gatherRows(dataOf(weights, EMBEDDING), batch.tokens, hiddenSize);
    for (let layer = 0; layer < this.#config.layers; layer++) {
      const mixed = await this.#parts.attention(
        run,
        layer,
        await this.#parts.inputs(run, layer, x),
      );
      if (keep) layers.push({ x, mixed });
      x = await this.#parts.tail(run, layer, { x, mixed });
    }
    const asked = gatherRows(x, batch.at, hiddenSize);
    return { layers, asked, ...(await this.#head(inputs, asked)) };
  }

  #addEmbedded(tokens: Int32Array, dx: Float32Array, gradientOf: GradientOf): void {
    if (this.#options.lora) return;
    scatterAddRows(gradientOf(EMBEDDING), tokens, dx, this.#config.hiddenSize);
  }

  get #queries(): number {
    return this.#config.heads * this.#config.headSize;
  }

  async #head(inputs: LayeredInputs, asked: Float32Array): Promise<Pick<Kept, "z" | "head">> {
    const session = await this.#session("head input", headInputGraph);
    const results = await session.run(this.#headInputFeeds(session, inputs, asked));
    const z = floatOutput(results, "z");
    const { entropies } = inputs;
    const head = await this.#session(`head ${entropies}`, (config) => headGraph(config, entropies));
    return { z, head: await runHead(head, this.#asked(inputs, z), entropies) };
  }

  /** The cotangent of the last residual stream. */
  async #headBackward(
    inputs: LayeredInputs,
    { asked, z, head }: Kept,
    cotangents: LayeredCotangents,
    gradientOf: GradientOf,
  ): Promise<Float32Array> {
    const { hiddenSize } = this.#config;
    const { batch, entropies } = inputs;
    const frozen = this.#options.lora !== undefined;
    const session = await this.#session(`head backward ${entropies}`, (config) =>
      headBackwardGraph(config, entropies, frozen),
    );
    const dtable = frozen ? undefined : gradientOf(this.#tableName);
    const wanted = this.#asked(inputs, z);
    const dz = await runHeadBackward(session, wanted, head, cotangents, dtable);
    const input = await this.#session("head input backward", (config) =>
      headInputBackwardGraph(config, frozen),
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

  #session(...[name, build]: Parameters<LayerParts["session"]>): Promise<Session> {
    return this.#parts.session(name, build);
  }

  #asked({ weights, batch }: LayeredInputs, z: Float32Array): Asked {
    return {
      z,
      targets: batch.targets,
      table: dataOf(weights, this.#tableName),
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

  get #tableName(): string {
    return this.#config.tieEmbeddings ? EMBEDDING : "lm_head.weight";
  }
}

function dataOf(weights: Feeds, name: string): Float32Array {
  const data = weights[name]?.data;
  assert(data instanceof Float32Array, `no weights ${name}`);
  return data;
}

const NOTHING = new Float32Array(0);

function runOf({ weights, batch, shared }: LayeredInputs): LayerRun {
  return { weights, batch, shared: shared?.layers };
}

/** A prefix is one row from position 0 on. */
function prefixRun(weights: Feeds, tokens: Int32Array): LayerRun {
  return { weights, batch: { batch: 1, time: tokens.length, past: 0 } };
}
