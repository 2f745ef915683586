/** Compares drawn tokens with the distribution that they are drawn from, for vocabularies of one stage and of two. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Rng } from "../../../core/index.ts";
import { floatOutput, Graph, Session, tensor } from "../graph/index.ts";
import { drawToken } from "./draw.ts";

const LARGE = 8192;

async function createDrawSession(size: number) {
  const graph = new Graph("draw");
  drawToken(graph, graph.addInput("logits", "float32", ["B", size]));
  const session = await Session.create(graph);
  const run = async (
    rows: readonly Float32Array[],
    uniforms: readonly number[],
    greedy = false,
  ) => {
    const count = rows.length;
    const logits = new Float32Array(count * size);
    for (const [i, row] of rows.entries()) logits.set(row, i * size);
    const results = await session.run({
      logits: tensor(logits, [count, size]),
      uniform: tensor(Float32Array.from(uniforms), [count, 1]),
      inverseTemperature: tensor(new Float32Array(count).fill(1), [count, 1]),
      greedy: tensor(new Uint8Array(count).fill(greedy ? 1 : 0), [count, 1]),
    });
    const tokens = Array.from(results["next"] as BigInt64Array, Number);
    return { tokens, probabilities: [...floatOutput(results, "probability")] };
  };
  return { run, close: () => session.close() };
}

/** Returns probabilities and their cumulative sums in double precision. */
function exactDistribution(logits: Float32Array): {
  readonly p: Float64Array;
  readonly cumulative: Float64Array;
} {
  const most = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  const p = Float64Array.from(logits, (x) => Math.exp(x - most));
  const total = p.reduce((a, b) => a + b, 0);
  let sum = 0;
  const cumulative = new Float64Array(p.length);
  for (let i = 0; i < p.length; i++) {
    p[i]! /= total;
    sum += p[i]!;
    cumulative[i] = sum;
  }
  return { p, cumulative };
}

function randomLogits(rng: Rng, size: number, spread: number): Float32Array {
  return Float32Array.from({ length: size }, () => spread * (rng.uniform() + rng.uniform() - 1));
}

describe.each([24, 4095, 4100, LARGE])("drawing from a vocabulary of %i tokens", (size) => {
  let draw: Awaited<ReturnType<typeof createDrawSession>>;
  beforeAll(async () => {
    draw = await createDrawSession(size);
  });
  afterAll(() => draw.close());

  test("the drawn token is where the uniform number falls in the distribution, and comes with its probability", async () => {
    const rng = new Rng(size);
    const rows = Array.from({ length: 64 }, (_, i) => randomLogits(rng, size, i % 30));
    const uniforms = rows.map((_, i) =>
      i < 2 ? [0, 1 - 2 ** -24][i]! : Math.fround(rng.uniform()),
    );
    const { tokens, probabilities } = await draw.run(rows, uniforms);
    for (const [i, token] of tokens.entries()) {
      const { p, cumulative } = exactDistribution(rows[i]!);
      expect(uniforms[i]!).toBeLessThan(cumulative[token]! + 2e-6);
      expect(uniforms[i]!).toBeGreaterThan(cumulative[token]! - p[token]! - 2e-6);
      expect(probabilities[i]! / p[token]!).toBeCloseTo(1, 4);
    }
  });

  test("tokens of probability zero are never drawn, whatever the uniform number", async () => {
    const possible = [3, 19, size - 2];
    const row = new Float32Array(size).fill(-1e30);
    for (const token of possible) row[token] = 0.5;
    const edges = [0, 1, 2, 3].flatMap((third) =>
      [-1, 0, 1].map((ulp) => third / 3 + ulp * 2 ** -24),
    );
    const uniforms = edges.map((u) => Math.min(Math.max(u, 0), 1 - 2 ** -24));
    const { tokens } = await draw.run(
      uniforms.map(() => row),
      uniforms,
    );
    expect(tokens.filter((token) => !possible.includes(token))).toEqual([]);
    expect(new Set(tokens)).toEqual(new Set(possible));
  });

  test("a row's draw has the same bits in any batch, and a greedy draw takes the largest logit", async () => {
    const rng = new Rng(size + 1);
    const rows = Array.from({ length: 17 }, () => randomLogits(rng, size, 4));
    const uniforms = rows.map(() => Math.fround(rng.uniform()));
    const together = await draw.run(rows, uniforms);
    for (const i of [0, 7, 16]) {
      const alone = await draw.run([rows[i]!], [uniforms[i]!]);
      expect(alone.tokens[0]).toBe(together.tokens[i]);
      expect(alone.probabilities[0]).toBe(together.probabilities[i]);
    }
    const best = rows.map((row) => row.indexOf(Math.max(...row)));
    expect((await draw.run(rows, uniforms, true)).tokens).toEqual(best);
  });
});

test("many draws by two stages follow the distribution", async () => {
  const draw = await createDrawSession(LARGE);
  const rng = new Rng(5);
  const row = randomLogits(rng, LARGE, 3);
  const { cumulative } = exactDistribution(row);
  const batch = Array.from({ length: 16 }, () => row);
  const ranks: number[] = [];
  for (let i = 0; i < 25; i++) {
    const { tokens } = await draw.run(
      batch,
      batch.map(() => Math.fround(rng.uniform())),
    );
    ranks.push(...tokens.map((token) => cumulative[token]!));
  }
  await draw.close();
  // By the test of Kolmogorov and Smirnov, one sample in a thousand exceeds 1.95 / sqrt(n).
  const sorted = ranks.sort((a, b) => a - b);
  const distance = Math.max(...sorted.map((rank, i) => Math.abs(rank - (i + 0.5) / sorted.length)));
  expect(distance).toBeLessThan(1.95 / Math.sqrt(sorted.length));
});
