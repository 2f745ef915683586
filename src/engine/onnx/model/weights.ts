/** The weights as graph values, under the fused names of `parameters.ts`, and the rotary tables. */
import type { Tensor } from "onnxruntime-node";
import { assert } from "../../../core/index.ts";
import { type Graph, tensor, type Value } from "../graph/index.ts";
import type { ModelConfig } from "./config.ts";
import { layoutOf } from "./parameters.ts";

export interface LayerWeights {
  readonly inputNorm: Value;
  /** ((heads + 2 kvHeads) * headSize, hiddenSize): query rows, key rows, value rows. */
  readonly qkv: Value;
  readonly qkvBias: Value | undefined;
  readonly queryNorm: Value | undefined;
  readonly keyNorm: Value | undefined;
  /** (hiddenSize, heads * headSize) */
  readonly output: Value;
  readonly postNorm: Value;
  /** (2 * intermediateSize, hiddenSize): gate rows, up rows. */
  readonly gateUp: Value;
  /** (hiddenSize, intermediateSize) */
  readonly down: Value;
}

export interface DecoderWeights {
  /** (vocabularySize, hiddenSize) */
  readonly embed: Value;
  readonly layers: readonly LayerWeights[];
  readonly norm: Value;
  /** (vocabularySize, hiddenSize); the embedding itself when tied. */
  readonly head: Value;
  /** Every weight input by its fused name. */
  readonly byName: ReadonlyMap<string, Value>;
}

/** Declares every weight as a graph input; feed them with `ParameterStore.feeds()`. */
export function declareWeights(graph: Graph, config: ModelConfig): DecoderWeights {
  const byName = new Map(
    layoutOf(config).inputs.map(({ name, shape }) => [name, graph.input(name, "float32", shape)]),
  );
  const get = (name: string) => {
    const value = byName.get(name);
    assert(value, `no weight input ${name}`);
    return value;
  };
  const layers = Array.from({ length: config.layers }, (_, layer): LayerWeights => {
    const at = (name: string) => `layers.${layer}.${name}`;
    return {
      inputNorm: get(at("inputNorm.weight")),
      qkv: get(at("qkv.weight")),
      qkvBias: byName.get(at("qkv.bias")),
      queryNorm: byName.get(at("queryNorm.weight")),
      keyNorm: byName.get(at("keyNorm.weight")),
      output: get(at("output.weight")),
      postNorm: get(at("postNorm.weight")),
      gateUp: get(at("gateUp.weight")),
      down: get(at("down.weight")),
    };
  });
  const embed = get("embed.weight");
  const head = config.tieEmbeddings ? embed : get("head.weight");
  return { embed, layers, norm: get("norm.weight"), head, byName };
}

/** cos and sin of every position and frequency: (contextLength, headSize / 2). */
export interface RotaryTables {
  readonly cos: Value;
  readonly sin: Value;
}

export function declareRotary(graph: Graph, config: ModelConfig): RotaryTables {
  const shape = [config.contextLength, config.headSize / 2];
  return {
    cos: graph.input("rotary.cos", "float32", shape),
    sin: graph.input("rotary.sin", "float32", shape),
  };
}

/** What to feed for `declareRotary`; the same for every graph of a model. */
export function rotaryFeeds(config: ModelConfig): Record<string, Tensor> {
  const pairs = config.headSize / 2;
  const cos = new Float32Array(config.contextLength * pairs);
  const sin = new Float32Array(config.contextLength * pairs);
  for (let position = 0; position < config.contextLength; position++) {
    for (let i = 0; i < pairs; i++) {
      const angle = position * rotaryFrequency(config, i);
      cos[position * pairs + i] = Math.cos(angle);
      sin[position * pairs + i] = Math.sin(angle);
    }
  }
  const dims = [config.contextLength, pairs];
  return { "rotary.cos": tensor(cos, dims), "rotary.sin": tensor(sin, dims) };
}

/** Radians a token that pair i turns: theta^(-2i / headSize). */
export function rotaryFrequency(config: ModelConfig, pair: number): number {
  return config.ropeTheta ** ((-2 * pair) / config.headSize);
}
