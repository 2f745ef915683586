/** Compares the derivative of every differentiable operation with central finite differences. */
import { afterAll, expect, test } from "vitest";
import { Rng } from "../../../core/index.ts";
import type { Dim } from "../proto/index.ts";
import {
  add,
  buildGradients,
  concat,
  div,
  exp,
  expand,
  floatOutput,
  Graph,
  gather,
  gatherWithInverse,
  linear,
  linearMaps,
  log,
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
  tanh,
  tensor,
  tokenLogprobs,
  transpose,
  type Value,
  where,
} from "./index.ts";

interface GradientCase {
  /** Shapes of the float inputs. The symbol n is 3 at run time. */
  readonly shapes: readonly (readonly Dim[])[];
  readonly build: (...inputs: Value[]) => Value;
  /** Draws inputs from 0.5 .. 1.5 instead of a normal distribution. */
  readonly positive?: boolean;
}

const SYMBOL_SIZE = 3;
const idConstant = (graph: Graph, values: number[]) =>
  graph.constant("int32", [values.length], values);

const CASES: Record<string, GradientCase> = {
  add: { shapes: [["n", 4], [4]], build: add },
  sub: {
    shapes: [
      ["n", 4],
      ["n", 1],
    ],
    build: sub,
  },
  mul: { shapes: [["n", 4], []], build: mul },
  "mul of a value with itself": { shapes: [["n", 2]], build: (x) => mul(x, x) },
  div: { shapes: [["n", 2], [2]], build: div, positive: true },
  neg: { shapes: [[5]], build: neg },
  exp: { shapes: [[5]], build: exp },
  log: { shapes: [[5]], build: log, positive: true },
  sqrt: { shapes: [[5]], build: sqrt, positive: true },
  sigmoid: { shapes: [[5]], build: sigmoid },
  tanh: { shapes: [[5]], build: tanh },
  relu: { shapes: [["n", 4]], build: relu },
  swiglu: {
    shapes: [
      ["n", 4],
      ["n", 4],
    ],
    build: swiglu,
  },
  where: {
    shapes: [["n", 2], [2]],
    build: (a, b) => where(a.graph.constant("bool", [3, 1], [1, 0, 1]), reshape(a, [3, 2]), b),
  },
  reshape: {
    shapes: [["n", 4]],
    build: (x) => mul(reshape(x, [2, "n", 2]), reshape(x, [2, "n", 2])),
  },
  expand: { shapes: [[1, 2]], build: (x) => exp(expand(x, [4, 2])) },
  "reduceSum, axis gone": { shapes: [["n", 2, 2]], build: (x) => exp(reduceSum(x, [1])) },
  "reduceSum, axes kept": { shapes: [["n", 2, 2]], build: (x) => exp(reduceSum(x, [0, 2], true)) },
  transpose: { shapes: [[2, "n", 4]], build: (x) => exp(transpose(x, [1, 2, 0])) },
  "split, one part unused": {
    shapes: [["n", 6]],
    build: (x) => {
      const [a, , c] = split(x, -1, [2, 2, 2]);
      return mul(a!, exp(c!));
    },
  },
  concat: {
    shapes: [
      ["n", 2],
      ["n", 3],
    ],
    build: (a, b) => exp(concat([a, b, a], 1)),
  },
  "gather with repeats": {
    shapes: [[4, 2]],
    build: (table) => exp(gather(table, idConstant(table.graph, [1, 3, 1, 1, 0]))),
  },
  gatherOnce: {
    shapes: [[4, 2]],
    // Row 0 is not in the indices; the cotangent at its place, 3, is made zero.
    build: (table) => {
      const taken = gatherWithInverse(
        table,
        idConstant(table.graph, [2, 3, 1, 0]),
        idConstant(table.graph, [3, 2, 0, 1]),
      );
      return mul(exp(taken), table.graph.constant("float32", [4, 1], [1, 1, 1, 0]));
    },
  },
  "matmul, broadcast batch": {
    shapes: [
      [2, "n", 2],
      [2, 4],
    ],
    build: (a, b) => exp(matmul(a, b)),
  },
  "matmul, transposed a": {
    shapes: [
      ["n", 2],
      ["n", 4],
    ],
    build: (a, b) => exp(matmul(a, b, { transposeA: true, scale: 0.5 })),
  },
  "matmul, transposed b": {
    shapes: [
      [2, 1, 3, 2],
      [2, 2, 5, 2],
    ],
    build: (a, b) => exp(matmul(a, b, { transposeB: true, scale: 0.5 })),
  },
  "matmul, both transposed": {
    shapes: [
      [2, 3],
      [4, 2],
    ],
    build: (a, b) => exp(matmul(a, b, { transposeA: true, transposeB: true })),
  },
  "linear with bias": { shapes: [["n", 2], [4, 2], [4]], build: (x, w, b) => exp(linear(x, w, b)) },
  "linear with residual": {
    shapes: [
      ["n", 2],
      [2, 2],
    ],
    build: (x, w) => exp(linear(x, w, x)),
  },
  linears: {
    shapes: [
      ["n", 2],
      [3, 2],
      [3, 2],
      [2, 2],
    ],
    build: (x, u, v, w) => {
      const [a, b, c] = linearMaps(x, [u, v, w], []);
      return concat([mul(a!, b!), exp(c!)], 1);
    },
  },
  softmax: { shapes: [["n", 4]], build: softmax },
  tokenLogprobs: {
    shapes: [[3, 5]],
    build: (x) => tokenLogprobs(x, idConstant(x.graph, [4, 0, 4]))[0]!,
  },
  "tokenLogprobs and entropies": {
    shapes: [[3, 5]],
    build: (x) => {
      const [logprobs, entropies] = tokenLogprobs(x, idConstant(x.graph, [4, 0, 4]), true);
      return mul(logprobs!, exp(entropies!));
    },
  },
  "entropies alone": {
    shapes: [[3, 5]],
    build: (x) => tokenLogprobs(x, idConstant(x.graph, [4, 0, 4]), true)[1]!,
  },
  rmsNorm: { shapes: [["n", 2, 4], [4]], build: (x, gain) => rmsNorm(x, gain, 1e-3) },
};

const rng = new Rng(11);
const openSessions: Session[] = [];
afterAll(async () => {
  for (const session of openSessions) await session.close();
});

async function createSession(graph: Graph, threads = 1): Promise<Session> {
  const session = await Session.create(graph, { threads });
  openSessions.push(session);
  return session;
}

test.each(Object.entries(CASES))(
  "the derivative of %s equals finite differences",
  async (name, { shapes, build, positive }) => {
    const graph = new Graph(name);
    const inputs = shapes.map((shape, i) => graph.addInput(`x${i}`, "float32", shape));
    const y = build(...inputs);
    graph.addOutput("y", y);
    const cotangent = graph.addInput("cotangent", "float32", y.shape);
    buildGradients([{ output: y, cotangent }], inputs).forEach((value, i) => {
      expect(value.shape).toEqual(shapes[i]);
      graph.addOutput(`d${i}`, value);
    });
    const session = await createSession(graph);
    const concreteShape = (shape: readonly Dim[]) =>
      shape.map((dim) => (typeof dim === "number" ? dim : SYMBOL_SIZE));
    const drawFloats = (shape: readonly Dim[]) => {
      const size = concreteShape(shape).reduce((a, b) => a * b, 1);
      return Float32Array.from({ length: size }, () =>
        positive ? 0.5 + rng.uniform() : rng.normal(),
      );
    };
    const data = shapes.map(drawFloats);
    const weights = drawFloats(y.shape);
    const feeds = {
      ...Object.fromEntries(data.map((x, i) => [`x${i}`, tensor(x, concreteShape(shapes[i]!))])),
      cotangent: tensor(weights, concreteShape(y.shape)),
    };
    const results = await session.run(feeds);
    const objective = async () => {
      const values = floatOutput(await session.run(feeds, ["y"]), "y");
      return values.reduce((sum, value, i) => sum + value * weights[i]!, 0);
    };
    for (const [i, x] of data.entries()) {
      const exact = floatOutput(results, `d${i}`);
      for (let j = 0; j < x.length; j++) {
        const numeric = await centralDifference(x, j, objective);
        const tolerance = 2e-3 * Math.max(1, Math.abs(numeric));
        expect(Math.abs(exact[j]! - numeric), `d${i}[${j}] ${exact[j]} ${numeric}`).toBeLessThan(
          tolerance,
        );
      }
    }
  },
);

/** Returns a fourth-order central difference, so that a step large enough for float32 is still accurate. */
async function centralDifference(
  x: Float32Array,
  at: number,
  objective: () => Promise<number>,
): Promise<number> {
  const [center, step] = [x[at]!, 0.02];
  const objectiveAt = async (k: number) => {
    x[at] = center + k * step;
    const result = await objective();
    x[at] = center;
    return result;
  };
  const near = (await objectiveAt(1)) - (await objectiveAt(-1));
  const far = (await objectiveAt(2)) - (await objectiveAt(-2));
  return (8 * near - far) / (12 * step);
}

test("no gradient flows past a value in `wrt`", () => {
  const graph = new Graph("leaf");
  const x = graph.addInput("x", "float32", [2]);
  const y = exp(x);
  const z = exp(y);
  expect(() => buildGradients([{ output: z, cotangent: z }], [x, y])).toThrow(
    "no output depends on x",
  );
  expect(buildGradients([{ output: z, cotangent: z }], [y])).toHaveLength(1);
});

test("differentiating an operation without a derivative throws instead of giving zero", () => {
  const graph = new Graph("refuses");
  const x = graph.addInput("x", "float32", [2, 4]);
  for (const y of [slice(x, 1, 0, 2), reduceMax(x, true)]) {
    expect(() => buildGradients([{ output: y, cotangent: y }], [x])).toThrow("has no derivative");
  }
});

test("building a graph throws when shapes do not fit", () => {
  const graph = new Graph("shapes");
  const [a, b] = [
    graph.addInput("a", "float32", ["n", 4]),
    graph.addInput("b", "float32", ["m", 4]),
  ];
  expect(() => add(a, b)).toThrow("shapes [n, 4] and [m, 4] do not broadcast");
  expect(() => matmul(a, b)).toThrow("inner sizes 4 and m");
  expect(() => reshape(a, ["k", "l"])).toThrow("no input of shapes has a dimension");
});

test("with two threads and heavily repeated indices the gradient of a gathered table is exact and repeatable", async () => {
  const [rows, width, count] = [8, 64, 4096];
  const graph = new Graph("repeats");
  const table = graph.addInput("table", "float32", [rows, width]);
  const indices = graph.addInput("indices", "int32", ["n"]);
  const cotangent = graph.addInput("cotangent", "float32", ["n", width]);
  const y = gather(table, indices);
  graph.addOutput("dtable", buildGradients([{ output: y, cotangent }], [table])[0]!);
  const session = await createSession(graph, 2);
  const chosen = Int32Array.from({ length: count }, () =>
    rng.chance(0.8) ? 5 : rng.integer(0, rows - 1),
  );
  const dy = Float32Array.from({ length: count * width }, () => rng.normal());
  const expected = new Float32Array(rows * width);
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < width; j++) expected[chosen[i]! * width + j]! += dy[i * width + j]!;
  }
  const feeds = {
    table: tensor(new Float32Array(rows * width), [rows, width]),
    indices: tensor(chosen, [count]),
    cotangent: tensor(dy, [count, width]),
  };
  for (let run = 0; run < 20; run++) {
    const bits = Buffer.from(floatOutput(await session.run(feeds), "dtable").buffer);
    expect(bits.equals(Buffer.from(expected.buffer))).toBe(true);
  }
});

test("a gradient accumulates in place when one buffer is both the input sum and the output", async () => {
  const [n, wide, high] = [64, 96, 80];
  const graph = new Graph("in place");
  const x = graph.addInput("x", "float32", ["n", wide]);
  const weight = graph.addInput("weight", "float32", [high, wide]);
  const bias = graph.addInput("bias", "float32", [high]);
  const sums = [weight, bias].map(({ name, shape }) =>
    graph.addInput(`sum:${name}`, "float32", shape),
  );
  const y = linear(x, weight, bias);
  const cotangent = graph.addInput("cotangent", "float32", ["n", high]);
  const seeds = [{ output: y, cotangent }];
  const known = new Map([weight, bias].map(({ name }, i) => [name, sums[i]!]));
  buildGradients(seeds, [weight, bias], known).forEach((value, i) => {
    graph.addOutput(i === 0 ? "dweight" : "dbias", value);
  });
  const session = await createSession(graph, 2);
  const drawFloats = (size: number) =>
    Float32Array.from({ length: size }, () => rng.integer(-4, 4));
  const [dweight, dbias] = [drawFloats(high * wide), drawFloats(high)];
  const before = [...dweight, ...dbias];
  const into = { dweight: tensor(dweight, [high, wide]), dbias: tensor(dbias, [high]) };
  const feeds = {
    x: tensor(drawFloats(n * wide), [n, wide]),
    weight: tensor(drawFloats(high * wide), [high, wide]),
    bias: tensor(drawFloats(high), [high]),
    cotangent: tensor(drawFloats(n * high), [n, high]),
    "sum:weight": into.dweight,
    "sum:bias": into.dbias,
  };
  await session.run(feeds, undefined, into);
  const once = [...dweight, ...dbias].map((value, i) => value - before[i]!);
  expect(once.some((value) => value !== 0)).toBe(true);
  for (let run = 2; run <= 5; run++) {
    await session.run(feeds, undefined, into);
    // Small integers add up exactly.
    expect([...dweight, ...dbias]).toEqual(before.map((value, i) => value + run * once[i]!));
  }
});
