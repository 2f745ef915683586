/**
 * A block cut at attention's core into two parts that see one token at a time, forward and backward.
 *
 * `attention inputs` turns the residual stream into queries, keys and values; `block tail` turns it and the mixed head
 * values into the next residual stream. Each is one graph for all layers: the weights are inputs under the names of
 * layer 0. A backward graph computes its part's forward again from what the part was given, so between the passes
 * nothing is kept but the residual stream and the mixed values.
 */
import { add, buildGradients, Graph, rmsNorm, type Value } from "../../graph/index.ts";
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
import { GRADIENT_PREFIX } from "../training-graph.ts";

/** The first parts of a block, as far as weights are concerned. */
const INPUT_GROUPS = ["qkv"] as const;
const TAIL_GROUPS = ["output", "gateUp", "down"] as const;

/**
 * Inputs beside weights and rotary tables: `x` (n, hidden), `position` int64 (n, 1). Outputs `query`, `key`, `value`
 * (n, 1, heads or kvHeads * headSize).
 */
export function buildAttentionInputsGraph(config: ModelConfig, lora: LoraConfig | undefined): Graph {
  const { graph, parts } = declareAttentionInputs("attention inputs", config, lora);
  for (const [name, value] of Object.entries(parts)) graph.addOutput(name, value);
  return graph;
}

/**
 * Inputs beside those of `inputsGraph`: `dquery`, `dkey`, `dvalue`, and `dx` (n, hidden), what reaches x by another
 * way. Outputs: `total` (n, hidden), the whole cotangent of x, and `d:<name>` of what is trained.
 */
export function buildAttentionInputsBackwardGraph(config: ModelConfig, lora: LoraConfig | undefined): Graph {
  const { graph, x, weights, parts } = declareAttentionInputs("attention inputs backward", config, lora);
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

/** Inputs beside weights: `x` (n, hidden), `mixed` (n, heads * headSize). Output: `y` (n, hidden). */
export function buildBlockTailGraph(config: ModelConfig, lora: LoraConfig | undefined): Graph {
  const { graph, y } = declareBlockTail("block tail", config, lora);
  graph.addOutput("y", y);
  return graph;
}

/** Inputs beside those of `tailGraph`: `dy`. Outputs: `dx`, `dmixed` and `d:<name>` of what is trained. */
export function buildBlockTailBackwardGraph(config: ModelConfig, lora: LoraConfig | undefined): Graph {
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

function addGradientOutputs(graph: Graph, wrt: readonly Value[], derivatives: readonly Value[]): void {
  for (const [i, { name }] of wrt.entries()) graph.addOutput(GRADIENT_PREFIX + name, derivatives[i]!);
}
