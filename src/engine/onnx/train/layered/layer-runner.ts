/**
 * One layer at a time, forward and backward: what the layered path runs for a rectangle of rows, and for tokens that rows
 * share. Between the passes it keeps, per layer, the residual stream that the layer got and its mixed head values; the
 * backward pass computes the rest again (segments.ts).
 */
import type { Feeds, Session } from "../../graph/index.ts";
import type { LoraConfig, ModelConfig } from "../../model/index.ts";
import { type Microbatch, tokenPositions } from "../microbatch.ts";
import {
  buildAttentionBackwardGraph,
  buildAttentionGraph,
  type QueryKeyValue,
  runStripAttention,
  runStripAttentionBackward,
  type StripLayout,
} from "./strip-attention.ts";
import {
  addGradients,
  type GraphBuilder,
  type FindGradient,
  LayerSessions,
  type Results,
  weightFeeds,
} from "./layer-sessions.ts";
import { addInto } from "./row-loops.ts";
import { buildAttentionInputsBackwardGraph, buildAttentionInputsGraph, buildBlockTailBackwardGraph, buildBlockTailGraph } from "./block-parts.ts";
import {
  addShared,
  type KeyValue,
  sharedAttentionBackwardGraph,
  sharedAttentionGraph,
  sharedFeeds,
} from "./shared-attention.ts";
import { runInPieces } from "./token-pieces.ts";

/** Activations of a piece then take less than a few hundred MB, whatever the row. */
const TOKENS_PER_PIECE = 1024;
/**
 * 8 MiB of attention scores. Blocks much larger go back to the system after every run and come back as page faults, a
 * third of attention's time in small models.
 */
const SCORE_ELEMENTS = 2 ** 21;

export interface LayerOptions {
  readonly threads?: number | undefined;
  /** Adapts the projections; the weights are then frozen. */
  readonly lora?: LoraConfig | undefined;
  /** Tokens that a part of a block sees at once; default 1024. */
  readonly tokensPerPiece?: number;
  /** Elements of the scores that attention holds at once; default 2^21. */
  readonly scoreElements?: number;
}

/** Tokens of a prefix that rows share, by layer, and the cotangents that its readers have added up. */
export interface PrefixLayer {
  readonly keyValues: KeyValue;
  readonly cotangent: KeyValue;
}

/** A rectangle of rows, after `past` tokens of which only keys and values are left. */
export interface LayerRun {
  /** Weights, adapter and rotary tables, as the whole training graph takes them. */
  readonly weights: Feeds;
  readonly batch: Pick<Microbatch, "batch" | "time" | "past">;
  /** By layer; absent where rows begin in the rectangle. */
  readonly shared?: readonly PrefixLayer[] | undefined;
}

/** What a layer got, and its mixed head values: (n, hidden) and (n, heads * headSize). */
export interface KeptActivations {
  readonly x: Float32Array;
  readonly mixed: Float32Array;
}

export class LayerRunner {
  readonly #config: ModelConfig;
  readonly #options: LayerOptions;
  readonly #sessions: LayerSessions;

  constructor(config: ModelConfig, options: LayerOptions) {
    this.#config = config;
    this.#options = options;
    this.#sessions = new LayerSessions(config, options.lora, options.threads);
  }

  session(name: string, build: GraphBuilder): Promise<Session> {
    return this.#sessions.get(name, build);
  }

  async close(): Promise<void> {
    await this.#sessions.close();
  }

  /** Queries, keys and values of residual stream `x` (n, hidden). */
  async inputs(run: LayerRun, layer: number, x: Float32Array): Promise<QueryKeyValue> {
    const { heads, kvHeads, headSize, hiddenSize } = this.#config;
    const session = await this.session("attention inputs", buildAttentionInputsGraph);
    return runInPieces({
      ...this.#tokenRun(session, run, layer),
      tokenInputs: { x: [x, [hiddenSize]], position: [tokenPositions(run.batch, this.#config), [1]] },
      outputs: { query: heads * headSize, key: kvHeads * headSize, value: kvHeads * headSize },
    });
  }

  async attend(run: LayerRun, layer: number, parts: QueryKeyValue): Promise<Float32Array> {
    const strips = this.#stripLayout(run.batch);
    const shared = run.shared?.[layer];
    if (!shared) {
      const session = await this.session("attention", buildAttentionGraph);
      return runStripAttention(session, this.#config, strips, parts);
    }
    const session = await this.session("shared attention", sharedAttentionGraph);
    const own = sharedFeeds(this.#config, shared.keyValues);
    return runStripAttention(session, this.#config, strips, parts, own);
  }

  /** The next residual stream. */
  async applyTail(run: LayerRun, layer: number, { x, mixed }: KeptActivations): Promise<Float32Array> {
    const { heads, headSize, hiddenSize } = this.#config;
    const session = await this.session("tail", buildBlockTailGraph);
    const { y } = await runInPieces({
      ...this.#tokenRun(session, run, layer),
      tokenInputs: { x: [x, [hiddenSize]], mixed: [mixed, [heads * headSize]] },
      outputs: { y: hiddenSize },
    });
    return y;
  }

  /** From the cotangent of a layer's result to that of what it was given. */
  async backward(
    run: LayerRun,
    layer: number,
    kept: KeptActivations,
    dy: Float32Array,
    gradientOf: FindGradient,
    own?: KeyValue,
  ): Promise<Float32Array> {
    const { dx, dmixed } = await this.#tailBackward(run, layer, kept, dy, gradientOf);
    const parts = await this.inputs(run, layer, kept.x);
    const cotangents = await this.#attentionBackward(run, layer, { ...parts, ...kept, dmixed });
    if (own) {
      addInto(cotangents.key, 0, own.key);
      addInto(cotangents.value, 0, own.value);
    }
    return this.attentionInputsBackward(run, layer, kept.x, cotangents, dx, gradientOf);
  }

  async #tailBackward(
    run: LayerRun,
    layer: number,
    { x, mixed }: KeptActivations,
    dy: Float32Array,
    gradientOf: FindGradient,
  ) {
    const { heads, headSize, hiddenSize } = this.#config;
    const queries = heads * headSize;
    const session = await this.session("tail backward", buildBlockTailBackwardGraph);
    return runInPieces({
      ...this.#tokenRun(session, run, layer),
      tokenInputs: { x: [x, [hiddenSize]], mixed: [mixed, [queries]], dy: [dy, [hiddenSize]] },
      outputs: { dx: hiddenSize, dmixed: queries },
      onPiece: (results: Results) => addGradients(results, gradientOf, layer),
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
      const session = await this.session("attention backward", buildAttentionBackwardGraph);
      return runStripAttentionBackward(session, this.#config, strips, inputs);
    }
    const session = await this.session("shared attention backward", sharedAttentionBackwardGraph);
    const own = sharedFeeds(this.#config, shared.keyValues);
    const onStrip = addShared(shared.cotangent);
    return runStripAttentionBackward(session, this.#config, strips, inputs, own, onStrip);
  }

  /** `dx`: what reaches `x` by another way than its queries, keys and values. */
  async attentionInputsBackward(
    run: LayerRun,
    layer: number,
    x: Float32Array,
    { query, key, value }: QueryKeyValue,
    dx: Float32Array,
    gradientOf: FindGradient,
  ): Promise<Float32Array> {
    const { heads, kvHeads, headSize, hiddenSize } = this.#config;
    const [queries, keys] = [heads * headSize, kvHeads * headSize];
    const session = await this.session("attention inputs backward", buildAttentionInputsBackwardGraph);
    const { total } = await runInPieces({
      ...this.#tokenRun(session, run, layer),
      tokenInputs: {
        x: [x, [hiddenSize]],
        position: [tokenPositions(run.batch, this.#config), [1]],
        dquery: [query, [1, queries]],
        dkey: [key, [1, keys]],
        dvalue: [value, [1, keys]],
        dx: [dx, [hiddenSize]],
      },
      outputs: { total: hiddenSize },
      onPiece: (results: Results) => addGradients(results, gradientOf, layer),
    });
    return total;
  }

  #tokenRun(session: Session, { weights, batch }: LayerRun, layer: number) {
    return {
      session,
      fixed: weightFeeds(session, weights, layer),
      count: batch.batch * batch.time,
      piece: this.#options.tokensPerPiece ?? TOKENS_PER_PIECE,
    };
  }

  #stripLayout({ batch, time, past }: LayerRun["batch"]): StripLayout {
    const elements = this.#options.scoreElements ?? SCORE_ELEMENTS;
    const fitting = Math.floor(elements / (batch * this.#config.heads * (past + time)) / 32) * 32;
    return { batch, time, queries: Math.max(32, fitting) };
  }
}
