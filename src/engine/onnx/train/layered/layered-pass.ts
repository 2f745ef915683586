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
import {
  type Feeds,
  floats,
  type Session,
  type SessionOptions,
  tensor,
} from "../../graph/index.ts";
import type { LoraConfig, ModelConfig } from "../../model/index.ts";
import type { Microbatch } from "../microbatch.ts";
import {
  attentionBackwardGraph,
  attentionGraph,
  runAttention,
  runAttentionBackward,
  type Strips,
} from "./attention.ts";
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
  addGradients,
  type Build,
  type GradientOf,
  LayerSessions,
  type Results,
  weightFeeds,
} from "./layer-sessions.ts";
import { gatherRows, scatterAddRows } from "./rows.ts";
import { inputsBackwardGraph, inputsGraph, tailBackwardGraph, tailGraph } from "./segments.ts";
import { runTokens } from "./token-pieces.ts";

const EMBEDDING = "model.embed_tokens.weight";
/** Activations of a piece then take less than a few hundred MB, whatever the row. */
const TOKENS_PER_PIECE = 1024;
/**
 * 8 MiB of attention scores. Blocks much larger go back to the system after every run and come back as page faults, a
 * third of attention's time in small models.
 */
const SCORE_ELEMENTS = 2 ** 21;
const LOGIT_ELEMENTS = 2 ** 23;

export interface LayeredOptions extends Pick<SessionOptions, "threads"> {
  /** Adapts the projections; the weights are then frozen. */
  readonly lora?: LoraConfig | undefined;
  /** Tokens that a part of a block sees at once; default 1024. */
  readonly tokensPerPiece?: number;
  /** Elements of the scores that attention holds at once; default 2^21. */
  readonly scoreElements?: number;
  /** Logits that the head holds at once; default 2^23. */
  readonly logitElements?: number;
}

export interface LayeredInputs {
  /** Weights, adapter and rotary tables, as the whole training graph takes them. */
  readonly weights: Feeds;
  readonly batch: Microbatch;
  readonly temperature: number;
  /** Whether entropies are wanted. */
  readonly entropies: boolean;
}

export interface LayeredOutputs extends TokenOutputs {
  /** (asked, hidden): what the last block leaves, before the norm. */
  readonly stream: Float32Array;
}

/** What the backward pass needs of the forward pass. */
interface Kept {
  /** Residual streams (n, hidden): before each layer. */
  readonly streams: Float32Array[];
  /** Mixed head values of each layer (n, heads * headSize). */
  readonly mixtures: Float32Array[];
  /** The last residual stream at the asked tokens, and what the head makes of it. */
  readonly asked: Float32Array;
  readonly z: Float32Array;
  readonly head: HeadOutputs;
}

export class LayeredPass {
  readonly #config: ModelConfig;
  readonly #options: LayeredOptions;
  readonly #sessions: LayerSessions;

  constructor(config: ModelConfig, options: LayeredOptions = {}) {
    this.#config = config;
    this.#options = options;
    this.#sessions = new LayerSessions(config, options.lora, options.threads);
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
    let dx = await this.#headBackward(inputs, kept, cotangents, gradientOf);
    for (let layer = this.#config.layers - 1; layer >= 0; layer--) {
      dx = await this.#layerBackward(inputs, layer, kept, dx, gradientOf);
    }
    if (!this.#options.lora) {
      const table = gradientOf(EMBEDDING);
      scatterAddRows(table, inputs.batch.tokens, dx, this.#config.hiddenSize);
    }
    return { ...kept.head, stream: kept.asked };
  }

  async close(): Promise<void> {
    await this.#sessions.close();
  }

  async #forward(inputs: LayeredInputs, keep: boolean): Promise<Kept> {
    const { hiddenSize, layers } = this.#config;
    const { batch, weights } = inputs;
    const streams: Float32Array[] = [];
    const mixtures: Float32Array[] = [];
    let x = gatherRows(dataOf(weights, EMBEDDING), batch.tokens, hiddenSize);
    for (let layer = 0; layer < layers; layer++) {
      const parts = await this.#attentionInputs(inputs, layer, x);
      const session = await this.#session("attention", attentionGraph);
      const mixed = await runAttention(session, this.#config, this.#strips(batch), parts);
      if (keep) {
        streams.push(x);
        mixtures.push(mixed);
      }
      x = await this.#tail(inputs, layer, x, mixed);
    }
    const asked = gatherRows(x, batch.at, hiddenSize);
    return { streams, mixtures, asked, ...(await this.#head(inputs, asked)) };
  }

  async #attentionInputs(inputs: LayeredInputs, layer: number, x: Float32Array) {
    const { heads, kvHeads, headSize, hiddenSize } = this.#config;
    const session = await this.#session("attention inputs", inputsGraph);
    return runTokens({
      ...this.#tokenRun(session, inputs, layer),
      tokens: { x: [x, [hiddenSize]], position: [positions(inputs.batch), [1]] },
      outputs: { query: heads * headSize, key: kvHeads * headSize, value: kvHeads * headSize },
    });
  }

  async #tail(inputs: LayeredInputs, layer: number, x: Float32Array, mixed: Float32Array) {
    const { heads, headSize, hiddenSize } = this.#config;
    const session = await this.#session("tail", tailGraph);
    const { y } = await runTokens({
      ...this.#tokenRun(session, inputs, layer),
      tokens: { x: [x, [hiddenSize]], mixed: [mixed, [heads * headSize]] },
      outputs: { y: hiddenSize },
    });
    return y;
  }

  async #head(inputs: LayeredInputs, asked: Float32Array): Promise<Pick<Kept, "z" | "head">> {
    const session = await this.#session("head input", headInputGraph);
    const results = await session.run(this.#headInputFeeds(session, inputs, asked));
    const z = floats(results, "z");
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
    scatterAddRows(dx, batch.at, floats(results, "dx"), hiddenSize);
    return dx;
  }

  /** From the cotangent of a layer's result to that of what it was given. Lets go of what was kept for it. */
  async #layerBackward(
    inputs: LayeredInputs,
    layer: number,
    kept: Kept,
    dy: Float32Array,
    gradientOf: GradientOf,
  ): Promise<Float32Array> {
    const { heads, kvHeads, headSize, hiddenSize } = this.#config;
    const [x, mixed] = [kept.streams.pop()!, kept.mixtures.pop()!];
    const onPiece = (results: Results) => addGradients(results, gradientOf, layer);
    const [queries, keys] = [heads * headSize, kvHeads * headSize];
    const tail = await this.#session("tail backward", tailBackwardGraph);
    const { dx, dmixed } = await runTokens({
      ...this.#tokenRun(tail, inputs, layer),
      tokens: { x: [x, [hiddenSize]], mixed: [mixed, [queries]], dy: [dy, [hiddenSize]] },
      outputs: { dx: hiddenSize, dmixed: queries },
      onPiece,
    });
    const parts = await this.#attentionInputs(inputs, layer, x);
    const attention = await this.#session("attention backward", attentionBackwardGraph);
    const strips = this.#strips(inputs.batch);
    const cotangents = await runAttentionBackward(attention, this.#config, strips, {
      ...parts,
      mixed,
      dmixed,
    });
    const session = await this.#session("attention inputs backward", inputsBackwardGraph);
    const { total } = await runTokens({
      ...this.#tokenRun(session, inputs, layer),
      tokens: {
        x: [x, [hiddenSize]],
        position: [positions(inputs.batch), [1]],
        dquery: [cotangents.query, [1, queries]],
        dkey: [cotangents.key, [1, keys]],
        dvalue: [cotangents.value, [1, keys]],
        dx: [dx, [hiddenSize]],
      },
      outputs: { total: hiddenSize },
      onPiece,
    });
    return total;
  }

  #session(name: string, build: Build): Promise<Session> {
    return this.#sessions.get(name, build);
  }

  #tokenRun(session: Session, { weights, batch }: LayeredInputs, layer: number) {
    return {
      session,
      fixed: weightFeeds(session, weights, layer),
      count: batch.batch * batch.time,
      piece: this.#options.tokensPerPiece ?? TOKENS_PER_PIECE,
    };
  }

  #strips({ batch, time }: Microbatch): Strips {
    const elements = this.#options.scoreElements ?? SCORE_ELEMENTS;
    const fitting = Math.floor(elements / (batch * this.#config.heads * time) / 32) * 32;
    return { batch, time, queries: Math.max(32, fitting) };
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

/** Of each token in its row. */
function positions({ batch, time }: Microbatch): BigInt64Array {
  return BigInt64Array.from({ length: batch * time }, (_, i) => BigInt(i % time));
}
