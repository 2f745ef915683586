/**
 * The graphs of a training step on a device that keeps only the residual stream before each layer: the embedding, one
 * layer forward, one layer backward (which computes the layer again), and the head for some of the requested tokens.
 * All layers use the same graphs, with weights under the names of layer 0. They are the pieces of the training graph
 * (training-graph.ts), and gradients are added to in place.
 */
import {
  add,
  buildGradients,
  declareDeviceMatrix,
  Graph,
  gather,
  gatherMatrixRows,
  gatherWithInverse,
  linear,
  mul,
  type OutputCotangent,
  rmsNorm,
  tokenLogprobs,
  unpackMatrix,
  type Value,
} from "../graph/index.ts";
import {
  adapterInputs,
  applyBlock,
  bitsOf,
  causalAttention,
  declareCausalMask,
  declareLayerWeights,
  declareRotaryTables,
  type LoraConfig,
  type ModelConfig,
  type QuantizedMatrices,
} from "../model/index.ts";
import { addGradientOutputs, declareSums } from "./gradient-sums.ts";
import { addRowsToTable, declarePrefixInputs, toHeadsFirst } from "./training-graph.ts";

export const EMBEDDING = "model.embed_tokens.weight";
const NORM = "model.norm.weight";

export interface LayerGraphOptions {
  readonly lora: LoraConfig | undefined;
  readonly quantized: QuantizedMatrices | undefined;
  /** The rows follow a prefix that all of them share (`declarePrefixInputs` of one layer). */
  readonly shared: boolean;
  /** The layer is that of a shared prefix: keys and values are outputs, and with `backward` have cotangents. */
  readonly isPrefix: boolean;
  readonly backward: boolean;
  /** The number of query blocks of attention (`queryBlocks`). */
  readonly blocks: number;
}

/**
 * Builds the graph of one layer. Inputs, in addition to weights, rotary tables, mask and prefix: `x` (batch * time,
 * hidden), `positions` int64 (batch, time), and `sizes` (batch, time), whose numbers do not matter. Outputs: `y` as x, and of a prefix `key` and `value` (batch, time,
 * kvHeads * headSize).
 *
 * With `backward`, further inputs are `dy`, of a prefix `dkey` and `dvalue`, and the gradients so far. The outputs are
 * then `dx` and the gradients `d:<name>` of what is trained and of a shared prefix.
 */
export function buildLayerGraph(config: ModelConfig, options: LayerGraphOptions): Graph {
  const { lora, quantized, shared, isPrefix, backward, blocks } = options;
  const graph = new Graph(backward ? "layer backward" : "layer");
  // Sizes are read on the CPU. Positions would be brought back for it from the device.
  graph.addInput("sizes", "bool", ["batch", "time"]);
  const positions = graph.addInput("positions", "int64", ["batch", "time"]);
  const x = graph.addInput("x", "float32", ["batch*time", config.hiddenSize]);
  const mask = declareCausalMask(graph);
  const { weights, byName } = declareLayerWeights(graph, config, "parts", lora, quantized);
  const positioned = { rotary: declareRotaryTables(graph, config), positions };
  const before = shared ? declarePrefixInputs(graph, { ...config, layers: 1 }) : [];
  const own: { readonly name: string; readonly value: Value }[] = [];
  const keep = (key: Value, value: Value) =>
    own.push({ name: "key", value: key }, { name: "value", value });
  const prefix = before.map(toHeadsFirst);
  const attend = causalAttention(config, positioned, mask, prefix, keep, blocks);
  const y = applyBlock(x, weights, config, (normed, layer) => attend(normed, layer, 0));
  const kept = isPrefix ? own : [];
  if (!backward) {
    graph.addOutput("y", y);
    for (const { name, value } of kept) graph.addOutput(name, value);
    return graph;
  }
  const seeds = [{ name: "y", value: y }, ...kept].map(({ name, value }) => ({
    output: value,
    cotangent: graph.addInput(`d${name}`, "float32", value.shape),
  }));
  const trained = lora ? adapterInputs([weights.adapter]) : [...byName.values()];
  const wrt = [...trained, ...before.flatMap(({ key, value }) => [key, value])];
  const [dx, ...derivatives] = buildGradients(seeds, [x, ...wrt], declareSums(graph, wrt));
  graph.addOutput("dx", dx!);
  addGradientOutputs(graph, wrt, derivatives);
  return graph;
}

/** Builds the graph that gathers rows of `table` (rows, hidden) by `indices` int32 (n): `gathered` (n, hidden). */
export function buildGatherGraph({ hiddenSize }: ModelConfig): Graph {
  const graph = new Graph("gather rows");
  const table = graph.addInput("table", "float32", ["rows", hiddenSize]);
  graph.addOutput("gathered", gather(table, graph.addInput("indices", "int32", ["n"])));
  return graph;
}

/** Builds the same for the embedding table of a quantised base. */
export function buildQuantizedGatherGraph(
  config: ModelConfig,
  quantized: QuantizedMatrices,
): Graph {
  const graph = new Graph("gather quantised rows");
  const shape = [config.vocabularySize, config.hiddenSize] as const;
  const table = declareDeviceMatrix(graph, EMBEDDING, shape, bitsOf(quantized.type), "rows");
  const indices = graph.addInput("indices", "int32", ["n"]);
  graph.addOutput("gathered", gatherMatrixRows(table, indices));
  return graph;
}

/** Builds the graph that adds `dx` (n, hidden) to the gradient of the table at `tokens` int32 (n). */
export function buildEmbeddingBackwardGraph(config: ModelConfig): Graph {
  const graph = new Graph("embedding backward");
  const table = declareTable(graph, config, EMBEDDING);
  const tokens = graph.addInput("tokens", "int32", ["n"]);
  const dx = graph.addInput("dx", "float32", ["n", config.hiddenSize]);
  const sum = declareSums(graph, [table]).get(EMBEDDING)!;
  addGradientOutputs(graph, [table], [addRowsToTable(sum, tokens, dx)]);
  return graph;
}

export interface HeadGraphOptions {
  readonly quantized: QuantizedMatrices | undefined;
  readonly entropies: boolean;
  readonly isFrozen: boolean;
  readonly backward: boolean;
}

/**
 * Builds the graph of the head for some requested tokens. Inputs: `x` (n, hidden), the norm and the table, `at` int32
 * (asked), its inverse `places` int32 (n), `targets` int32 (asked), `inverseTemperature` float32 (). Outputs:
 * `logprobs` (asked), with entropies `entropies` (asked), and `stream` (asked, hidden).
 *
 * With `backward`, further inputs are `cotangents` and `entropyCotangents` (asked), `before` (n, hidden), the cotangent
 * of x so far, and the gradients so far. Further outputs are `dx`, the sum with `before`, and gradients unless frozen.
 */
export function buildDeviceHeadGraph(config: ModelConfig, options: HeadGraphOptions): Graph {
  const { entropies: hasEntropies, quantized, isFrozen, backward } = options;
  const graph = new Graph(backward ? "head backward" : "head");
  const x = graph.addInput("x", "float32", ["n", config.hiddenSize]);
  const gain = graph.addInput(NORM, "float32", [config.hiddenSize]);
  const name = config.tieEmbeddings ? EMBEDDING : "lm_head.weight";
  const table = declareTable(graph, config, name, quantized);
  const at = graph.addInput("at", "int32", ["asked"]);
  const places = graph.addInput("places", "int32", ["n"]);
  const targets = graph.addInput("targets", "int32", ["asked"]);
  const inverseTemperature = graph.addInput("inverseTemperature", "float32", []);
  const stream = gatherWithInverse(x, at, places);
  const z = rmsNorm(stream, mul(gain, inverseTemperature), config.rmsNormEpsilon);
  const [logprobs, entropies] = tokenLogprobs(linear(z, table), targets, hasEntropies);
  graph.addOutput("logprobs", logprobs!);
  if (entropies) graph.addOutput("entropies", entropies);
  graph.addOutput("stream", stream);
  if (!backward) return graph;
  const seeds: OutputCotangent[] = [
    { output: logprobs!, cotangent: graph.addInput("cotangents", "float32", ["asked"]) },
  ];
  if (entropies) {
    const cotangent = graph.addInput("entropyCotangents", "float32", ["asked"]);
    seeds.push({ output: entropies, cotangent });
  }
  const wrt = isFrozen ? [] : [gain, table];
  const [dx, ...derivatives] = buildGradients(
    seeds,
    [x, ...wrt],
    isFrozen ? new Map() : declareSums(graph, wrt),
  );
  const before = graph.addInput("before", "float32", ["n", config.hiddenSize]);
  graph.addOutput("dx", add(before, dx!));
  addGradientOutputs(graph, wrt, derivatives);
  return graph;
}

function declareTable(
  graph: Graph,
  config: ModelConfig,
  name: string,
  quantized?: QuantizedMatrices,
): Value {
  const shape = [config.vocabularySize, config.hiddenSize] as const;
  if (!quantized) return graph.addInput(name, "float32", shape);
  return unpackMatrix(declareDeviceMatrix(graph, name, shape, bitsOf(quantized.type), "rows"));
}
