/**
 * Builds one graph from padded rows to log-probs, and from cotangents back to the gradient of what is trained: every
 * weight, or with LoRA the adapter alone. Products that only frozen weights would need never enter the graph.
 *
 * The head runs only at requested tokens. Hidden states are gathered first, so a row with a third of its tokens
 * requested pays a third of the vocabulary product. Evaluation is this graph without its backward half, so both give
 * the same bits.
 */
import {
  buildGradients,
  Graph,
  gather,
  gatherWithInverse,
  mul,
  type OutputCotangent,
  reshape,
  tokenLogprobs,
  transpose,
  type Value,
} from "../graph/index.ts";
import {
  adapterInputs,
  applyDecoder,
  causalAttention,
  declareRotaryTables,
  declareWeights,
  headLogits,
  type LoraConfig,
  type ModelConfig,
  type SharedKeysValues,
} from "../model/index.ts";

/** What a training graph computes. */
export interface TrainingGraphOptions {
  readonly entropies: boolean;
  /** Adds the cotangent inputs and the gradient outputs `d:<input name>` and, without LoRA, `d:embedded`. */
  readonly backward: boolean;
  /** Adds the output `stream`, the residual stream that a value head reads. No gradient flows back from it. */
  readonly stream?: boolean;
  /** Adapts the projections. The weights are then frozen. */
  readonly lora?: LoraConfig | undefined;
  /** The rows follow a prefix that all of them share and of which only keys and values are kept. */
  readonly shared?: boolean;
}

/**
 * Returns the names of the inputs for keys and values of a shared prefix in one layer: (prefix, kvHeads, headSize).
 * Their cotangents are outputs with the prefix `GRADIENT_PREFIX`.
 */
export const prefixInputNames = (layer: number) => ({
  key: `shared.${layer}.key`,
  value: `shared.${layer}.value`,
});

/** The name prefix of the inputs to which gradients are added. */
export const SUM_PREFIX = "sum:";

/** The name prefix of the outputs that hold gradients. The name of a weight's or adapter's input follows. */
export const GRADIENT_PREFIX = "d:";

/**
 * The output with the cotangent of every embedded token, (batch * time, hidden). The caller adds it to the rows of
 * the embedding table in order, which is exact and repeatable and does not grow with the vocabulary. The graph's own
 * gradient of the table covers only its use as a tied head, and is absent when the head is untied.
 */
export const EMBEDDED_GRADIENT = "d:embedded";

/**
 * Builds the training graph. Its inputs, in addition to weights and rotary tables, are `tokens` int32 and `positions`
 * int64 (batch, time); `mask` float32 (time, time); `at` int32 (asked), row * time + index of the token *before* each
 * requested one; its inverse `places` int32 (batch * time); `targets` int32 (asked); `inverseTemperature` float32 ();
 * with `backward` also `cotangents` float32 (asked), and with `entropies` also `entropyCotangents`.
 *
 * The outputs are `logprobs` (asked), with `entropies` also `entropies` (asked), and with `stream` also `stream`
 * (asked, hidden), the output of the last block before the norm.
 */
export function buildTrainingGraph(config: ModelConfig, options: TrainingGraphOptions): Graph {
  const graph = new Graph(options.backward ? "accumulate" : "evaluate");
  const tokens = graph.addInput("tokens", "int32", ["batch", "time"]);
  const positions = graph.addInput("positions", "int64", ["batch", "time"]);
  const mask = graph.addInput("mask", "float32", ["time", "time"]);
  const at = graph.addInput("at", "int32", ["asked"]);
  const places = graph.addInput("places", "int32", ["batch*time"]);
  const targets = graph.addInput("targets", "int32", ["asked"]);
  const inverseTemperature = graph.addInput("inverseTemperature", "float32", []);
  const weights = declareWeights(graph, config, "parts", options.lora);
  const positioned = { rotary: declareRotaryTables(graph, config), positions };
  const shared = options.shared ? declarePrefixInputs(graph, config) : [];
  const attend = causalAttention(config, positioned, mask, shared.map(toHeadsFirst));

  const embedded = gather(weights.embed, reshape(tokens, ["batch*time"]));
  const hidden = gatherWithInverse(applyDecoder(embedded, weights, config, attend), at, places);
  // The temperature scales the gain of the norm, which is smaller than the logits.
  const norm = mul(weights.norm, inverseTemperature);
  const logits = headLogits(hidden, { ...weights, norm }, config);
  const [logprobs, entropies] = tokenLogprobs(logits, targets, options.entropies);
  graph.addOutput("logprobs", logprobs!);
  if (entropies) graph.addOutput("entropies", entropies);
  if (options.stream) graph.addOutput("stream", hidden);
  if (!options.backward) return graph;
  const seeds: OutputCotangent[] = [
    { output: logprobs!, cotangent: graph.addInput("cotangents", "float32", ["asked"]) },
  ];
  if (entropies) {
    const cotangent = graph.addInput("entropyCotangents", "float32", ["asked"]);
    seeds.push({ output: entropies, cotangent });
  }
  const others = shared.flatMap(({ key, value }) => [key, value]);
  if (options.lora) {
    const wrt = adapterInputs(weights.layers.map(({ adapter }) => adapter));
    const all = [...wrt, ...others];
    addGradientOutputs(graph, all, buildGradients(seeds, all, declareSums(graph, wrt)));
  } else {
    const wrt = [...weights.byName.values()].filter(
      (weight) => weight !== weights.embed || config.tieEmbeddings,
    );
    const all = [...wrt, ...others];
    const [atEmbedded, ...derivatives] = buildGradients(
      seeds,
      [embedded, ...all],
      declareSums(graph, wrt),
    );
    graph.addOutput(EMBEDDED_GRADIENT, atEmbedded!);
    addGradientOutputs(graph, all, derivatives);
  }
  return graph;
}

function declarePrefixInputs(
  graph: Graph,
  { layers, kvHeads, headSize }: ModelConfig,
): SharedKeysValues[] {
  const declareInput = (name: string) =>
    graph.addInput(name, "float32", ["prefix", kvHeads, headSize]);
  return Array.from({ length: layers }, (_, layer) => {
    const { key, value } = prefixInputNames(layer);
    return { key: declareInput(key), value: declareInput(value) };
  });
}

/** Reorders (prefix, kvHeads, headSize) to (kvHeads, prefix, headSize). */
function toHeadsFirst({ key, value }: SharedKeysValues): SharedKeysValues {
  return { key: transpose(key, [1, 0, 2]), value: transpose(value, [1, 0, 2]) };
}

/** Declares inputs with the gradients so far. Products add to them, so no gradient is ever summed outside the graph. */
function declareSums(graph: Graph, wrt: readonly Value[]): ReadonlyMap<string, Value> {
  return new Map(
    wrt.map(
      ({ name, shape }) => [name, graph.addInput(SUM_PREFIX + name, "float32", shape)] as const,
    ),
  );
}

function addGradientOutputs(
  graph: Graph,
  wrt: readonly Value[],
  derivatives: readonly Value[],
): void {
  for (const [i, { name }] of wrt.entries())
    graph.addOutput(GRADIENT_PREFIX + name, derivatives[i]!);
}
