/**
 * One graph from padded rows to log-probs, and from cotangents back to the gradient of what is trained: every weight,
 * or with LoRA the adapter alone. (Products that only frozen weights would want never enter the graph.)
 *
 * The head runs only where a token was asked for: hidden states are gathered first, so a row of which a third is
 * the agent's pays a third of the vocabulary product. Evaluation is this graph without its backward half, so both
 * give the same bits.
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

export interface TrainingGraphOptions {
  readonly entropies: boolean;
  /** Adds the cotangent inputs and the outputs `d:<input name>`, and without LoRA `d:embedded`. */
  readonly backward: boolean;
  /** Adds the output `stream`, from which a value head reads; nothing flows back from it. */
  readonly stream?: boolean;
  /** Adapts the projections; the weights are then frozen. */
  readonly lora?: LoraConfig | undefined;
  /** Rows come after tokens that all of them look at, which only their keys and values are left of. */
  readonly shared?: boolean;
}

/** Inputs of keys and values of shared tokens, by layer: (prefix, kvHeads, headSize). Their cotangents are outputs behind `GRADIENT`. */
export const prefixInputNames = (layer: number) => ({
  key: `shared.${layer}.key`,
  value: `shared.${layer}.value`,
});

/** Prefix of the inputs that gradients are added to, before the same names. */
export const SUM_PREFIX = "sum:";

/** Prefix of the outputs that hold gradients, before the name of the weight's or the adapter's input. */
export const GRADIENT_PREFIX = "d:";

/**
 * Output: the cotangent of every embedded token (batch * time, hidden). The caller adds it to the rows of the
 * table in order, which is exact, the same every time, and does not grow with the vocabulary; the graph's own
 * gradient of the table holds only its use as a tied head, and is absent when the head is untied.
 */
export const EMBEDDED_GRADIENT = "d:embedded";

/**
 * Inputs beside the weights and rotary tables: `tokens` int32 and `positions` int64 (batch, time), `mask` float32
 * (time, time), `at` int32 (asked): row * time + index of the token *before* the asked one, its inverse `places` int32
 * (batch * time), `targets` int32 (asked), `inverseTemperature` float32 (), and with `backward` `cotangents` float32 (asked), with `entropies`
 * also `entropyCotangents`. Outputs: `logprobs` and, with `entropies`, `entropies` (asked), with `stream` also `stream`
 * (asked, hidden): what the last block leaves, before the norm.
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
  const attend = causalAttention(config, positioned, mask, shared.map(headsFirst));

  const embedded = gather(weights.embed, reshape(tokens, ["batch*time"]));
  const hidden = gatherWithInverse(applyDecoder(embedded, weights, config, attend), at, places);
  // The temperature scales the norm's gain, which is smaller than the logits.
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
  const declared = (name: string) => graph.addInput(name, "float32", ["prefix", kvHeads, headSize]);
  return Array.from({ length: layers }, (_, layer) => {
    const { key, value } = prefixInputNames(layer);
    return { key: declared(key), value: declared(value) };
  });
}

/** (prefix, kvHeads, headSize) to (kvHeads, prefix, headSize). */
function headsFirst({ key, value }: SharedKeysValues): SharedKeysValues {
  return { key: transpose(key, [1, 0, 2]), value: transpose(value, [1, 0, 2]) };
}

/** What was accumulated before: products add to it, so no gradient is ever summed outside the graph. */
function declareSums(graph: Graph, wrt: readonly Value[]): ReadonlyMap<string, Value> {
  return new Map(
    wrt.map(({ name, shape }) => [name, graph.addInput(SUM_PREFIX + name, "float32", shape)] as const),
  );
}

function addGradientOutputs(graph: Graph, wrt: readonly Value[], derivatives: readonly Value[]): void {
  for (const [i, { name }] of wrt.entries()) graph.addOutput(GRADIENT_PREFIX + name, derivatives[i]!);
}
