/**
 * One small graph for each operator that the engine's graphs use: its outputs and, where it has a derivative, the
 * gradients of its inputs. Run on two providers with the same inputs, they show which operator deviates.
 */
import { Rng } from "../../../core/index.ts";
import {
  add,
  buildGradients,
  cast,
  concat,
  declareQuantizedWeight,
  div,
  exp,
  type Feeds,
  Graph,
  gather,
  gatherWithInverse,
  getProvider,
  less,
  lessOrEqual,
  linear,
  linearMaps,
  matmul,
  mul,
  neg,
  reduceMax,
  reduceSum,
  relu,
  reshape,
  rmsNorm,
  Session,
  sigmoid,
  slice,
  softmax,
  split,
  sqrt,
  sub,
  swiglu,
  type TensorData,
  tensor,
  tokenLogprobs,
  transpose,
  type Value,
  where,
} from "../graph/index.ts";
import { applyRotary, QuantizedMatrices, quantizeRows, toNibblePlanes } from "../model/index.ts";

/** The outputs of a run by name. */
export type Outputs = Readonly<Record<string, TensorData>>;

/** A graph about one operator, or about one function of the graph builder. */
export interface OperatorCase {
  /** The name that an error gives. */
  readonly operator: string;
  /** The shapes of the float inputs. */
  readonly inputs: Readonly<Record<string, readonly number[]>>;
  /** Whether the inputs are drawn from 0.5 to 1.5, and not from a normal distribution. */
  readonly isPositive?: boolean;
  readonly build: (graph: Graph, inputs: readonly Value[]) => readonly Value[];
  /** Whether gradients are computed too. Default: true. */
  readonly hasGradient?: boolean;
  /** How many of the inputs have gradients, from the first on. Default: all. */
  readonly differentiated?: number;
}

const ids = (graph: Graph, ...values: number[]) => graph.constant("int32", [values.length], values);
const longs = (graph: Graph, dims: number[], values: number[]) =>
  graph.constant("int64", dims, values);
const emitOne = (
  graph: Graph,
  type: string,
  inputs: readonly Value[],
  output: Pick<Value, "dtype" | "shape">,
  attributes: Parameters<Graph["emit"]>[3] = {},
) => graph.emit(type, inputs, [output], attributes);
const axis = (index: number, rest = {}) => ({ attributes: { axis: { int: index }, ...rest } });

const PRODUCTS: readonly OperatorCase[] = [
  {
    operator: "MatMul",
    inputs: { a: [37, 48], b: [48, 40] },
    build: (_, [a, b]) => [matmul(a!, b!)],
  },
  {
    operator: "MatMul with leading axes",
    inputs: { a: [2, 1, 9, 16], b: [2, 3, 16, 24] },
    build: (_, [a, b]) => [matmul(a!, b!)],
  },
  {
    operator: "product with a transposed operand and a scale",
    inputs: { a: [2, 3, 9, 16], b: [2, 3, 24, 16] },
    build: (_, [a, b]) => [matmul(a!, b!, { transposeB: true, scale: 0.25 })],
  },
  {
    operator: "product with a transposed first operand",
    inputs: { a: [48, 37], b: [48, 40] },
    build: (_, [a, b]) => [matmul(a!, b!, { transposeA: true })],
  },
  {
    operator: "projection",
    inputs: { x: [37, 48], w: [40, 48] },
    build: (_, [x, w]) => [linear(x!, w!)],
  },
  {
    operator: "Gemm",
    inputs: { x: [37, 48], w: [40, 48], sum: [37, 40] },
    build: (_, [x, w, sum]) => [linear(x!, w!, sum!)],
  },
  {
    operator: "Gemm with a bias of one row",
    inputs: { x: [37, 48], v: [40, 48], w: [24, 48], b: [40], c: [24] },
    build: (_, [x, v, w, b, c]) => linearMaps(x!, [v!, w!], [b!, c!]),
  },
];

/** The fused attention of a decoding step (decode-graphs.ts) on a provider, and its plain form on the CPU. */
const ATTENTION: OperatorCase = {
  operator: "GroupQueryAttention",
  hasGradient: false,
  inputs: {
    query: [3, 1, 64],
    key: [3, 1, 32],
    value: [3, 1, 32],
    pastKey: [3, 2, 24, 16],
    pastValue: [3, 2, 24, 16],
  },
  build: (graph, [query, key, value, pastKey, pastValue]) => {
    const cached = [0, 7, 19];
    if (getProvider() !== "cpu") {
      const numbers = [
        graph.constant("int32", [3, 1], cached),
        graph.constant("int32", [1], [Math.max(...cached) + 1]),
      ];
      const inputs = [query, key, value, pastKey, pastValue, ...numbers] as Value[];
      const outputs = [query!, pastKey!, pastValue!];
      const attributes = { num_heads: { int: 4 }, kv_num_heads: { int: 2 } };
      const options = { domain: "com.microsoft", attributes };
      return [graph.emit("GroupQueryAttention", inputs, outputs, options)[0]!];
    }
    const all = (past: Value, own: Value) => concat([past, reshape(own, [3, 2, 1, 16])], 2);
    const visible = cached.flatMap((count) =>
      Array.from({ length: 25 }, (_, i) => (i < count || i === 24 ? 0 : -1e9)),
    );
    const scores = matmul(reshape(query!, [3, 2, 2, 16]), all(pastKey!, key!), {
      transposeB: true,
      scale: 0.25,
    });
    const masked = add(scores, graph.constant("float32", [3, 1, 1, 25], visible));
    return [reshape(matmul(softmax(masked), all(pastValue!, value!)), [3, 1, 64])];
  },
};

/** Products with a frozen matrix of four or eight bits. */
const QUANTIZED: readonly OperatorCase[] = (["q4", "q8"] as const).map((type) => ({
  operator: `MatMulNBits of ${type}`,
  hasGradient: false,
  inputs: { x: [5, 64] },
  build: (graph, [x]) => {
    const part = { name: "w", shape: [48, 64], offset: 0, size: 48 * 64, hasWeightDecay: true };
    const matrices = new QuantizedMatrices(type, [{ ...part, parts: [part] }]);
    const rng = new Rng(2);
    const values = Float32Array.from({ length: part.size }, () => rng.normal());
    quantizeRows(values, matrices.get("w"), matrices.error);
    const planes = toNibblePlanes(matrices.get("w"));
    return [linear(x!, declareQuantizedWeight(graph, "w", [48, 64], planes))];
  },
}));

const ELEMENTWISE: readonly OperatorCase[] = [
  { operator: "Add", inputs: { a: [7, 33], b: [33] }, build: (_, [a, b]) => [add(a!, b!)] },
  { operator: "Sub", inputs: { a: [7, 33], b: [7, 1] }, build: (_, [a, b]) => [sub(a!, b!)] },
  { operator: "Mul", inputs: { a: [7, 33], b: [1, 33] }, build: (_, [a, b]) => [mul(a!, b!)] },
  {
    operator: "Div",
    isPositive: true,
    inputs: { a: [7, 33], b: [7, 1] },
    build: (_, [a, b]) => [div(a!, b!)],
  },
  { operator: "Neg", inputs: { x: [7, 33] }, build: (_, [x]) => [neg(x!)] },
  { operator: "Exp", inputs: { x: [7, 33] }, build: (_, [x]) => [exp(x!)] },
  { operator: "Sqrt", isPositive: true, inputs: { x: [7, 33] }, build: (_, [x]) => [sqrt(x!)] },
  { operator: "Sigmoid", inputs: { x: [7, 33] }, build: (_, [x]) => [sigmoid(x!)] },
  { operator: "Relu", inputs: { x: [7, 33] }, build: (_, [x]) => [relu(x!)] },
  {
    operator: "QuickGelu",
    inputs: { gate: [7, 33], up: [7, 33] },
    build: (_, [g, u]) => [swiglu(g!, u!)],
  },
  {
    operator: "Where, Less, LessOrEqual and Cast",
    inputs: { a: [7, 33], b: [7, 33] },
    hasGradient: false,
    build: (_, [a, b]) => [where(less(a!, b!), a!, b!), cast(lessOrEqual(a!, b!), "float32")],
  },
];

const NORMALISATIONS: readonly OperatorCase[] = [
  { operator: "Softmax", inputs: { x: [2, 5, 33] }, build: (_, [x]) => [softmax(x!)] },
  {
    operator: "SimplifiedLayerNormalization",
    inputs: { x: [9, 64], gain: [64] },
    build: (_, [x, gain]) => [rmsNorm(x!, gain!, 1e-6)],
  },
  {
    operator: "SimplifiedLayerNormalization of heads",
    inputs: { x: [2, 3, 4, 16], gain: [16] },
    build: (_, [x, gain]) => [rmsNorm(x!, gain!, 1e-6)],
  },
  {
    operator: "LogSoftmax, GatherElements and ScatterElements",
    inputs: { x: [5, 40] },
    build: (graph, [x]) => tokenLogprobs(x!, ids(graph, 3, 0, 39, 3, 17), true),
  },
  {
    operator: "ReduceMax",
    inputs: { x: [5, 40] },
    hasGradient: false,
    build: (_, [x]) => [reduceMax(x!, true), reduceMax(x!)],
  },
  {
    operator: "ReduceSum",
    inputs: { x: [5, 6, 40] },
    build: (_, [x]) => [reduceSum(x!, [1], true), reduceSum(x!, [0, 2])],
  },
  {
    operator: "CumSum",
    inputs: { x: [3, 300] },
    hasGradient: false,
    build: (graph, [x]) => emitOne(graph, "CumSum", [x!, longs(graph, [], [1])], x!),
  },
  {
    operator: "ArgMax",
    inputs: { x: [3, 300] },
    hasGradient: false,
    build: (graph, [x]) =>
      emitOne(
        graph,
        "ArgMax",
        [x!],
        { dtype: "int64", shape: [3, 1] },
        axis(1, { keepdims: { int: 1 } }),
      ),
  },
];

const LAYOUT: readonly OperatorCase[] = [
  {
    operator: "Transpose",
    inputs: { x: [2, 3, 4, 5] },
    build: (_, [x]) => [transpose(x!, [2, 0, 3, 1])],
  },
  { operator: "Reshape", inputs: { x: [6, 20] }, build: (_, [x]) => [reshape(x!, [3, 2, 4, 5])] },
  { operator: "Split", inputs: { x: [4, 24] }, build: (_, [x]) => split(x!, 1, [8, 4, 12]) },
  {
    operator: "Concat",
    inputs: { a: [4, 8], b: [4, 5] },
    build: (_, [a, b]) => [concat([a!, b!], 1)],
  },
  {
    operator: "Slice",
    hasGradient: false,
    inputs: { x: [4, 24] },
    build: (_, [x]) => [slice(x!, 1, 3, 17)],
  },
  {
    operator: "Gather and ScatterElements",
    inputs: { table: [9, 16] },
    build: (graph, [table]) => [gather(table!, ids(graph, 4, 0, 8, 4, 4, 1))],
  },
  {
    operator: "Gather with an inverse",
    inputs: { table: [4, 16] },
    build: (graph, [table]) => [
      gatherWithInverse(table!, ids(graph, 2, 0, 3, 0), ids(graph, 1, 3, 0, 2)),
    ],
  },
  {
    operator: "GatherND",
    inputs: { x: [2, 3, 16] },
    hasGradient: false,
    build: (graph, [x]) =>
      emitOne(
        graph,
        "GatherND",
        [x!, longs(graph, [2, 1], [2, 0])],
        { dtype: "float32", shape: [2, 16] },
        {
          attributes: { batch_dims: { int: 1 } },
        },
      ),
  },
  {
    operator: "Pad",
    inputs: { x: [3, 1] },
    hasGradient: false,
    build: (graph, [x]) =>
      emitOne(graph, "Pad", [x!, longs(graph, [4], [0, 0, 0, 1])], {
        dtype: "float32",
        shape: [3, 2],
      }),
  },
  {
    operator: "RotaryEmbedding",
    differentiated: 1,
    inputs: { x: [2, 3, 64], cos: [8, 8], sin: [8, 8] },
    build: (graph, [x, cos, sin]) => {
      const positions = longs(graph, [2, 3], [0, 1, 2, 5, 6, 7]);
      return [applyRotary(x!, { rotary: { cos: cos!, sin: sin! }, positions })];
    },
  },
];

export const OPERATOR_CASES: readonly OperatorCase[] = [
  ...PRODUCTS,
  ATTENTION,
  ...QUANTIZED,
  ...ELEMENTWISE,
  ...NORMALISATIONS,
  ...LAYOUT,
];

/** A case as a graph with the feeds that it is run with. */
interface BuiltCase {
  readonly graph: Graph;
  readonly feeds: Feeds;
}

/** Builds a case for this thread's provider. Gradients are those of a fixed random cotangent of every output. */
export function buildOperatorCase(which: OperatorCase): BuiltCase {
  const graph = new Graph(which.operator);
  const rng = new Rng(1).child(which.operator);
  const feeds: Record<string, Feeds[string]> = {};
  const addInput = (name: string, shape: readonly number[], isPositive = false) => {
    const size = shape.reduce((a, b) => a * b, 1);
    const draw = () => (isPositive ? rng.uniform() + 0.5 : rng.normal());
    feeds[name] = tensor(Float32Array.from({ length: size }, draw), shape);
    return graph.addInput(name, "float32", shape);
  };
  const inputs = Object.entries(which.inputs).map(([name, shape]) =>
    addInput(name, shape, which.isPositive),
  );
  const outputs = which.build(graph, inputs);
  outputs.forEach((output, i) => {
    graph.addOutput(`output ${i}`, output);
  });
  if (which.hasGradient === false) return { graph, feeds };
  const seeds = outputs.map((output, i) => ({
    output,
    cotangent: addInput(`cotangent ${i}`, output.shape as number[]),
  }));
  const wrt = inputs.slice(0, which.differentiated ?? inputs.length);
  buildGradients(seeds, wrt).forEach((gradient, i) => {
    graph.addOutput(`gradient of ${wrt[i]!.name}`, gradient);
  });
  return { graph, feeds };
}

/** Runs a case on this thread's provider. */
export async function runOperatorCase(which: OperatorCase): Promise<Outputs> {
  const { graph, feeds } = buildOperatorCase(which);
  const session = await Session.create(graph, { threads: 1, spin: false });
  try {
    return await session.run(feeds);
  } finally {
    await session.close();
  }
}
