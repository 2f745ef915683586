/**
 * Builds one graph from padded rows to log-probs, and from cotangents back to the gradient of what is trained: every
 * weight, or with LoRA the adapter alone. Products that only frozen weights would need never enter the graph.
 *
 * The head runs only at requested tokens. Hidden states are gathered first, so a row with a third of its tokens
 * requested pays a third of the vocabulary product. Evaluation is this graph without its backward half, so both give
 * the same bits.
 */
import {
  add,
  buildGradients,
  cast,
  equal,
  exp,
  Graph,
  gather,
  gatherWithInverse,
  hasDeviceMemory,
  less,
  matmul,
  mul,
  type OutputCotangent,
  reshape,
  sub,
  tokenLogprobs,
  transpose,
  type Value,
  where,
} from "../graph/index.ts";
import {
  adapterInputs,
  applyDecoder,
  causalAttention,
  declareCausalMask,
  declareRotaryTables,
  declareWeights,
  headLogits,
  type LoraConfig,
  type ModelConfig,
  type SharedKeysValues,
} from "../model/index.ts";
import { addGradientOutputs, declareSums } from "./gradient-sums.ts";

/** What a training graph computes. */
export interface TrainingGraphOptions {
  readonly entropies: boolean;
  /** Adds the cotangent inputs and the gradient outputs `d:<input name>` and, without LoRA, `d:embedded`. */
  readonly backward: boolean;
  /** Replaces the input `cotangents` by `RATIO_INPUTS`: the graph multiplies derivatives by ratios to old log-probs. */
  readonly ratio?: boolean;
  /** Adds the output `stream`, the residual stream that a value head reads. No gradient flows back from it. */
  readonly stream?: boolean;
  /** Adapts the projections. The weights are then frozen. */
  readonly lora?: LoraConfig | undefined;
  /** The rows follow a prefix that all of them share and of which only keys and values are kept. */
  readonly shared?: boolean;
  /** The number of query blocks of attention (`queryBlocks`). Default: four. */
  readonly blocks?: number | undefined;
}

/**
 * Returns the names of the inputs for keys and values of a shared prefix in one layer: (prefix, kvHeads, headSize).
 * Their cotangents are outputs with the prefix `GRADIENT_PREFIX`.
 */
export const prefixInputNames = (layer: number) => ({
  key: `shared.${layer}.key`,
  value: `shared.${layer}.value`,
});

/**
 * The output with the cotangent of every embedded token, (batch * time, hidden). The caller adds it to the rows of
 * the embedding table in order, which is exact and repeatable and does not grow with the vocabulary. The graph's own
 * gradient of the table covers only its use as a tied head, and is absent when the head is untied. On a device there is
 * no such output, because the graph adds the cotangents to the table's gradient itself.
 */
export const EMBEDDED_GRADIENT = "d:embedded";

/**
 * Builds the training graph. Its inputs, in addition to weights and rotary tables, are `tokens` int32 and `positions`
 * int64 (batch, time); those of `declareCausalMask`; `at` int32 (asked), row * time + index of the token *before* each
 * requested one; its inverse `places` int32 (batch * time); `targets` int32 (asked); `inverseTemperature` float32 ();
 * with `backward` also `cotangents` float32 (asked), and with `entropies` also `entropyCotangents`.
 * Without LoRA on a device, `uniqueTokens` int32 (unique) lists each token of the batch once.
 *
 * The outputs are `logprobs` (asked), with `entropies` also `entropies` (asked), and with `stream` also `stream`
 * (asked, hidden), the output of the last block before the norm.
 */
export function buildTrainingGraph(config: ModelConfig, options: TrainingGraphOptions): Graph {
  const graph = new Graph(options.backward ? "accumulate" : "evaluate");
  const tokens = graph.addInput("tokens", "int32", ["batch", "time"]);
  const positions = graph.addInput("positions", "int64", ["batch", "time"]);
  const mask = declareCausalMask(graph);
  const at = graph.addInput("at", "int32", ["asked"]);
  const places = graph.addInput("places", "int32", ["batch*time"]);
  const targets = graph.addInput("targets", "int32", ["asked"]);
  const inverseTemperature = graph.addInput("inverseTemperature", "float32", []);
  const weights = declareWeights(graph, config, "parts", options.lora);
  const positioned = { rotary: declareRotaryTables(graph, config), positions };
  const shared = options.shared ? declarePrefixInputs(graph, config) : [];
  const attend = causalAttention(
    config,
    positioned,
    mask,
    shared.map(toHeadsFirst),
    undefined,
    options.blocks,
  );

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
    {
      output: logprobs!,
      cotangent: options.ratio
        ? multiplyByRatio(logprobs!)
        : graph.addInput("cotangents", "float32", ["asked"]),
    },
  ];
  if (entropies) {
    const cotangent = graph.addInput("entropyCotangents", "float32", ["asked"]);
    seeds.push({ output: entropies, cotangent });
  }
  const others = shared.flatMap(({ key, value }) => [key, value]);
  if (options.lora) {
    const wrt = adapterInputs(weights.layers.map(({ adapter }) => adapter));
    const all = [...wrt, ...others];
    const sums = declareSums(graph, hasDeviceMemory() ? all : wrt);
    addGradientOutputs(graph, all, buildGradients(seeds, all, sums));
  } else {
    const addsToTable = hasDeviceMemory();
    const isDerived = (weight: Value) => weight !== weights.embed || config.tieEmbeddings;
    const wrt = [...weights.byName.values()].filter(isDerived);
    const all = [...wrt, ...others];
    const sums = declareSums(graph, addsToTable ? [...new Set([weights.embed, ...all])] : wrt);
    const [atEmbedded, ...derivatives] = buildGradients(seeds, [embedded, ...all], sums);
    if (!addsToTable) {
      graph.addOutput(EMBEDDED_GRADIENT, atEmbedded!);
      addGradientOutputs(graph, all, derivatives);
    } else {
      const { name } = weights.embed;
      const asHead = derivatives[all.indexOf(weights.embed)] ?? sums.get(name)!;
      const rest = all.flatMap((value, i) =>
        value === weights.embed ? [] : [[value, derivatives[i]!] as const],
      );
      const whole = addRowsToTable(asHead, tokens, atEmbedded!);
      const outputs = [[weights.embed, whole] as const, ...rest];
      addGradientOutputs(
        graph,
        outputs.map(([value]) => value),
        outputs.map(([, derivative]) => derivative),
      );
    }
  }
  return graph;
}

/** The inputs of derivatives with a ratio, each float64 (asked). */
export const RATIO_INPUTS = ["slopes", "oldLogprobs", "lowest", "highest"] as const;

/**
 * Returns slope * r, with r = exp(logprob - old), where r is from `lowest` to `highest`, and 0 elsewhere: float32
 * (asked). The arithmetic is double precision, so it gives what a caller would compute from log-probs.
 */
function multiplyByRatio(logprobs: Value): Value {
  const { graph } = logprobs;
  const inputs = RATIO_INPUTS.map((name) => graph.addInput(name, "float64", ["asked"]));
  const [slopes, oldLogprobs, lowest, highest] = inputs as [Value, Value, Value, Value];
  const ratio = exp(sub(cast(logprobs, "float64"), oldLogprobs));
  const zero = graph.constant("float64", [], [0]);
  const notTooHigh = where(less(highest, ratio), zero, mul(slopes, ratio));
  return cast(where(less(ratio, lowest), zero, notTooHigh), "float32");
}

/**
 * Returns a table (vocabulary, width) with rows (n, width) added at their tokens, int32 (n) or any shape of as many.
 * The rows of each of the `uniqueTokens` are added up by a product with zeros and ones. So sums repeat their bits,
 * which additions in any order would not.
 */
export function addRowsToTable(table: Value, tokens: Value, rows: Value): Value {
  const { graph } = table;
  const width = table.shape[1]!;
  const unique = graph.addInput("uniqueTokens", "int32", ["unique"]);
  const column = reshape(unique, ["unique", 1]);
  const isOfToken = cast(equal(column, reshape(tokens, [1, rows.shape[0]!])), "float32");
  const before = graph.emit(
    "Gather",
    [table, unique],
    [{ dtype: "float32", shape: ["unique", width] }],
    { attributes: { axis: { int: 0 } } },
  )[0]!;
  const inputs = [table, cast(column, "int64"), add(before, matmul(isOfToken, rows))];
  return graph.emit("ScatterND", inputs, [table])[0]!;
}

export function declarePrefixInputs(
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
export function toHeadsFirst({ key, value }: SharedKeysValues): SharedKeysValues {
  return { key: transpose(key, [1, 0, 2]), value: transpose(value, [1, 0, 2]) };
}
