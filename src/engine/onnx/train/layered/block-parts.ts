/**
 * A block in two parts, before and after attention, each of which treats tokens separately, forward and backward.
 *
 * `attention inputs` maps the residual stream to queries, keys and values. `block tail` maps it and the mixed head
 * values to the next residual stream. Each is one graph for all layers, whose weights are inputs under the names of
 * layer 0. A backward graph computes the forward pass of its part again from the part's inputs, so that between the
 * passes only the residual stream and the mixed values are kept.
 */
import { add, buildGradients, Graph, rmsNorm } from "../../graph/index.ts";
import {
  adapterInputs,
  applyBlockTail,
  declareLayerWeights,
  declareRotaryTables,
  type LayerAdapter,
  type LayerWeights,
  type LoraConfig,
  type ModelConfig,
  projectQueryKeyValue,
} from "../../model/index.ts";
import { addGradientOutputs } from "../gradient-sums.ts";

/** The groups of projections in the first part of a block. */
const INPUT_GROUPS = ["qkv"] as const;
/** The groups of projections in the second part of a block. */
const TAIL_GROUPS = ["output", "gateUp", "down"] as const;

/**
 * Builds the graph of queries, keys and values. Inputs, in addition to weights and rotary tables: `x` (n, hidden),
 * `position` int64 (n, 1). Outputs: `query`, `key`, `value` (n, 1, heads or kvHeads * headSize).
 */
export function buildAttentionInputsGraph(
  config: ModelConfig,
  lora: LoraConfig | undefined,
): Graph {
  const { graph, parts } = declareAttentionInputs("attention inputs", config, lora);
  for (const [name, value] of Object.entries(parts)) graph.addOutput(name, value);
  return graph;
}

/**
 * Builds the backward graph of queries, keys and values. Inputs, in addition to those of `buildAttentionInputsGraph`:
 * `dquery`, `dkey`, `dvalue`, and `dx` (n, hidden), the cotangent that reaches x by another path. Outputs: `total`
 * (n, hidden), the whole cotangent of x, and `d:<name>` of what is trained.
 */
export function buildAttentionInputsBackwardGraph(
  config: ModelConfig,
  lora: LoraConfig | undefined,
): Graph {
  const { graph, x, weights, parts } = declareAttentionInputs(
    "attention inputs backward",
    config,
    lora,
  );
  const seeds = Object.entries(parts).map(([name, output]) => ({
    output,
    cotangent: graph.addInput(`d${name}`, "float32", output.shape),
  }));
  const other = graph.addInput("dx", "float32", x.shape);
  const { inputNorm, qkv, qkvBias, queryNorm, keyNorm } = weights;
  const base = [inputNorm, ...qkv, ...qkvBias, queryNorm, keyNorm].filter((value) => !!value);
  const wrt = lora ? adapterInputs([pickGroups(weights.adapter, INPUT_GROUPS)]) : base;
  const [dx, ...derivatives] = buildGradients(seeds, [x, ...wrt]);
  graph.addOutput("total", add(dx!, other));
  addGradientOutputs(graph, wrt, derivatives);
  return graph;
}

function declareAttentionInputs(name: string, config: ModelConfig, lora: LoraConfig | undefined) {
  const graph = new Graph(name);
  const x = graph.addInput("x", "float32", ["n", config.hiddenSize]);
  const positions = graph.addInput("position", "int64", ["n", 1]);
  const { weights } = declareLayerWeights(graph, config, "parts", lora);
  const at = { rotary: declareRotaryTables(graph, config), positions };
  const normed = rmsNorm(x, weights.inputNorm, config.rmsNormEpsilon);
  return { graph, x, weights, parts: projectQueryKeyValue(normed, weights, config, at) };
}

/** Builds the graph of a block's tail from `x` (n, hidden) and `mixed` (n, heads * headSize) to `y` (n, hidden). */
export function buildBlockTailGraph(config: ModelConfig, lora: LoraConfig | undefined): Graph {
  const { graph, y } = declareBlockTail("block tail", config, lora);
  graph.addOutput("y", y);
  return graph;
}

/**
 * Builds the backward graph of the block's tail. Inputs, in addition to those of `buildBlockTailGraph`: `dy`.
 * Outputs: `dx`, `dmixed` and `d:<name>` of what is trained.
 */
export function buildBlockTailBackwardGraph(
  config: ModelConfig,
  lora: LoraConfig | undefined,
): Graph {
  const { graph, x, mixed, weights, y } = declareBlockTail("block tail backward", config, lora);
  const cotangent = graph.addInput("dy", "float32", y.shape);
  const { output, postNorm, gateUp, down } = weights;
  const base = [output, postNorm, ...gateUp, down];
  const wrt = lora ? adapterInputs([pickGroups(weights.adapter, TAIL_GROUPS)]) : base;
  const [dx, dmixed, ...derivatives] = buildGradients(
    [{ output: y, cotangent }],
    [x, mixed, ...wrt],
  );
  graph.addOutput("dx", dx!);
  graph.addOutput("dmixed", dmixed!);
  addGradientOutputs(graph, wrt, derivatives);
  return graph;
}

function declareBlockTail(name: string, config: ModelConfig, lora: LoraConfig | undefined) {
  const graph = new Graph(name);
  const x = graph.addInput("x", "float32", ["n", config.hiddenSize]);
  const mixed = graph.addInput("mixed", "float32", ["n", config.heads * config.headSize]);
  const { weights } = declareLayerWeights(graph, config, "parts", lora);
  return { graph, x, mixed, weights, y: applyBlockTail(x, mixed, weights, config) };
}

function pickGroups(adapter: LayerWeights["adapter"], groups: readonly (keyof LayerAdapter)[]) {
  const kept = Object.entries(adapter).filter(([group]) =>
    groups.includes(group as keyof LayerAdapter),
  );
  return Object.fromEntries(kept) as LayerAdapter;
}
