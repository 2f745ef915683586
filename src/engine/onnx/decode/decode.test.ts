import { describe, expect, test } from "vitest";
import { Rng } from "../../../core/index.ts";
import type { Sample, SampleRequest } from "../../../spec/index.ts";
import { Session, tensor } from "../graph/index.ts";
import { initializeParameters, ParameterStore, parseModelConfig } from "../model/index.ts";
import { Arena, type SlotOwner } from "./arena.ts";
import { paddedPastLength } from "./arena-set.ts";
import { BLOCK_LENGTH } from "./decode-graphs.ts";
import { PrefixCache } from "./prefix-cache.ts";
import { streamKey, uniformAt } from "./random.ts";
import { PADDING_INPUT, RowStableGraph, sumOrderDependsOnRows } from "./row-stable-graph.ts";
import { Sampler } from "./sampler.ts";

const config = parseModelConfig({
  vocabularySize: 24,
  hiddenSize: 16,
  layers: 2,
  heads: 2,
  kvHeads: 1,
  headSize: 8,
  intermediateSize: 24,
  contextLength: 160,
});

describe("random numbers of sampled tokens", () => {
  test("uniform numbers depend only on seed, stream and position", () => {
    const drawUniform = (seed: number, stream: number, position: number) =>
      uniformAt(streamKey(seed, stream), position);
    expect(drawUniform(1, 2, 3)).toBe(drawUniform(1, 2, 3));
    const all = [1, 2].flatMap((seed) =>
      [0, 1, 2 ** 32 - 1].flatMap((stream) => [0, 1, 2].map((at) => drawUniform(seed, stream, at))),
    );
    expect(new Set(all).size).toBe(all.length);
  });

  test("uniform numbers are uniform and uncorrelated along streams and positions", () => {
    const side = 300;
    const grid = Array.from({ length: side }, (_, stream) =>
      Array.from({ length: side }, (_, position) => uniformAt(streamKey(7, stream), position)),
    );
    const flat = grid.flat();
    const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
    expect(mean(flat)).toBeCloseTo(0.5, 2);
    const centred = grid.map((row) => row.map((u) => u - 0.5));
    const along = centred.flatMap((row) => row.slice(1).map((u, i) => 12 * u * row[i]!));
    const across = centred
      .slice(1)
      .flatMap((row, i) => row.map((u, j) => 12 * u * centred[i]![j]!));
    expect(Math.abs(mean(along))).toBeLessThan(0.02);
    expect(Math.abs(mean(across))).toBeLessThan(0.02);
    expect(Math.max(...flat.slice(0, 50_000))).toBeLessThan(1);
    expect(flat.every((u) => Math.fround(u) === u)).toBe(true);
  });
});

test("the padded length of a past depends on its own length and never exceeds the context", () => {
  const padded = [0, 16, 64, 80, 128, 144, 192, 208, 256, 272, 400, 528, 1040].map((past) =>
    paddedPastLength(past, 4096),
  );
  expect(padded).toEqual([64, 64, 64, 128, 128, 192, 192, 256, 256, 384, 512, 640, 1280]);
  expect([0, 64, 80].map((past) => paddedPastLength(past, 90))).toEqual([64, 64, 96]);
  expect(paddedPastLength(0, 10)).toBe(16);
});

describe("row-stable products", () => {
  test("sumOrderDependsOnRows finds the products whose stride depends on how they are divided among threads", () => {
    expect(sumOrderDependsOnRows(128, 384, 2)).toBe(true);
    expect(sumOrderDependsOnRows(64, 512, 2)).toBe(true);
    expect(sumOrderDependsOnRows(128, 384, 1)).toBe(false);
    expect(sumOrderDependsOnRows(128, 128, 2)).toBe(false);
    expect(sumOrderDependsOnRows(256, 768, 2)).toBe(false);
    expect(sumOrderDependsOnRows(256, 768, 4)).toBe(true);
  });

  test.each([
    { columns: 128, inner: 384 },
    { columns: 64, inner: 512 },
    { columns: 128, inner: 128 },
    { columns: 80, inner: 200 },
  ])(
    "a product from $inner to $columns gives a row the same bits in any batch of two or more rows",
    async ({ columns, inner }) => {
      const graph = new RowStableGraph("product", 2);
      const x = graph.addInput("x", "float32", ["B", inner]);
      const weight = graph.addInput("weight", "float32", [columns, inner]);
      const bias = graph.addInput("bias", "float32", ["B", columns]);
      const output = { dtype: "float32" as const, shape: ["B", columns] };
      const attributes = { transB: { int: 1 } };
      graph.addOutput("y", graph.emit("Gemm", [x, weight, bias], [output], { attributes })[0]!);
      expect(graph.requiredRows).toBe(sumOrderDependsOnRows(columns, inner, 2) ? columns : 0);
      const session = await Session.create(graph, { threads: 2, spin: false });
      const rng = new Rng(1);
      const randomNormals = (count: number) =>
        Float32Array.from({ length: count }, () => rng.normal());
      const [xs, weights, biases] = [
        randomNormals(300 * inner),
        randomNormals(columns * inner),
        randomNormals(300 * columns),
      ];
      const runProduct = async (rows: number) => {
        const missing = Math.max(0, graph.requiredRows - rows);
        const padding = { [PADDING_INPUT]: tensor(new Int32Array(missing), [missing]) };
        const { y } = await session.run({
          x: tensor(xs.subarray(0, rows * inner), [rows, inner]),
          weight: tensor(weights, [columns, inner]),
          bias: tensor(biases.subarray(0, rows * columns), [rows, columns]),
          ...(graph.requiredRows > 0 ? padding : {}),
        });
        return y as Float32Array;
      };
      const whole = await runProduct(300);
      for (const rows of [2, 3, 5, 17, 64, 127, 128, 129, 240]) {
        const part = await runProduct(rows);
        expect(part.every((value, i) => value === whole[i])).toBe(true);
      }
      await session.close();
    },
  );
});

describe("arena", () => {
  interface NamedOwner extends SlotOwner {
    readonly name: number;
  }

  test("an arena keeps the numbers of every row while it grows and gathers slots", () => {
    const arena = new Arena<NamedOwner>(config, 32, 2);
    const size = arena.positionsPerRow * config.headSize;
    const rng = new Rng(5);
    const constantSource = (name: number) => ({
      positionsPerRow: BLOCK_LENGTH,
      layers: Array.from({ length: 2 }, (_, layer) => ({
        key: new Float32Array(BLOCK_LENGTH * 8).fill(name * 10 + layer),
        value: new Float32Array(BLOCK_LENGTH * 8).fill(-name * 10 - layer),
      })),
    });
    const expectIntact = (owner: NamedOwner) => {
      const { slot, name } = owner;
      expect(arena.ownerAt(slot)).toBe(owner);
      arena.layers.forEach(({ key, value }, layer) => {
        expect(key[slot * size + BLOCK_LENGTH * 8]).toBe(name * 10 + layer);
        expect(value[slot * size + 2 * BLOCK_LENGTH * 8 - 1]).toBe(-name * 10 - layer);
      });
      const mask = arena.mask.subarray(
        slot * arena.positionsPerRow,
        (slot + 1) * arena.positionsPerRow,
      );
      const visible = [...mask].map((value) => (value === 0 ? 1 : 0));
      expect(visible).toEqual([...Array(48)].map((_, i) => (i >= 16 && i < 32 ? 1 : 0)));
    };
    let owners: NamedOwner[] = [];
    for (let name = 0; name < 60; name++) {
      const owner: NamedOwner = { name, slot: -1 };
      arena.assignSlot(owner);
      arena.writePositions(owner.slot, 16, constantSource(name), 0, 0, BLOCK_LENGTH);
      owners.push(owner);
      if (rng.chance(0.3)) {
        const [gone] = rng.sample(owners, 1);
        arena.freeSlot(gone!.slot);
        owners = owners.filter((other) => other !== gone);
      }
      const chosen = rng.sample(owners, rng.integer(1, owners.length));
      const strangers = name % 2;
      const { start, width } = arena.gatherSlots(chosen, 2, strangers);
      const slots = chosen.map(({ slot }) => slot);
      expect(Math.min(...slots)).toBeGreaterThanOrEqual(start);
      expect(Math.max(...slots)).toBeLessThan(start + width);
      expect(start + width).toBeLessThanOrEqual(arena.slotCount);
      expect(width).toBeLessThanOrEqual(Math.max(2, chosen.length * (1 + strangers)));
      expect(width).toBeGreaterThanOrEqual(2);
      owners.forEach(expectIntact);
    }
  });
});

describe("sampler", () => {
  const parameters = new ParameterStore(config);
  initializeParameters(parameters, 3);
  const requests = Array.from({ length: 10 }, (_, i): SampleRequest => {
    const rng = new Rng(i);
    return {
      tokens: Array.from({ length: rng.integer(1, 90) }, () => rng.integer(0, 23)),
      stream: i,
      maxTokens: 60,
      temperature: 1,
      stopIds: [2],
    };
  });
  type Answer = Omit<Sample, "policyVersion">;

  /** Submits request i at pass `when(i)` and returns all answers. */
  async function sampleAll(when: (i: number) => number, maxLiveRows: number): Promise<Answer[]> {
    const sampler = new Sampler(parameters, { seed: 9, threads: 2, maxLiveRows });
    const answers: Promise<Answer>[] = [];
    for (let pass = 0; sampler.isBusy || answers.filter(Boolean).length < requests.length; pass++) {
      requests.forEach((request, i) => {
        if (when(i) === pass) answers[i] = sampler.submit(request).sample;
      });
      await sampler.runPass();
    }
    const done = await Promise.all(answers);
    await sampler.close();
    return done;
  }

  test("a sampler gives the same bits whenever requests arrive and however few rows have room", async () => {
    const together = await sampleAll(() => 0, 64);
    expect(together.some(({ tokens }) => tokens.length === 60)).toBe(true);
    expect(await sampleAll((i) => i * 7, 64)).toEqual(together);
    expect(await sampleAll((i) => 30 - 3 * i, 2)).toEqual(together);
  });

  test("a sampler can reuse the prefix of a cancelled request", async () => {
    const sampler = new Sampler(parameters, { seed: 9, threads: 2, maxLiveRows: 4 });
    const request = { ...requests[1]!, stopIds: [], cacheKey: "k" };
    const whole = sampler.submit(request);
    while (sampler.isBusy) await sampler.runPass();
    const cut = sampler.submit(request);
    for (let pass = 0; pass < 5; pass++) await sampler.runPass();
    cut.cancel();
    while (sampler.isBusy) await sampler.runPass();
    const again = sampler.submit(request);
    while (sampler.isBusy) await sampler.runPass();
    const { tokens, stop } = await cut.sample;
    expect(stop).toBe("cancelled");
    expect(tokens.length).toBeGreaterThan(0);
    expect((await whole.sample).tokens.slice(0, tokens.length)).toEqual(tokens);
    expect(await again.sample).toEqual(await whole.sample);
    await sampler.close();
  });

  test("a sampler skips the passes that would fill a kept prefix again", async () => {
    const sampler = new Sampler(parameters, { seed: 9, threads: 2, maxLiveRows: 4 });
    const request = { ...requests[0]!, tokens: new Array(81).fill(4), maxTokens: 1, cacheKey: "k" };
    const countPasses = async (tokens: number[]) => {
      sampler.submit({ ...request, tokens });
      let count = 0;
      for (; sampler.isBusy; count++) await sampler.runPass();
      return count;
    };
    expect(await countPasses(request.tokens)).toBe(6);
    expect(await countPasses([...request.tokens, 5])).toBe(1);
    sampler.forgetPrefixes();
    expect(await countPasses(request.tokens)).toBe(6);
    await sampler.close();
  });
});

test("rows that grow together do not keep the memory of their earlier lengths", () => {
  const long = parseModelConfig({ ...config, contextLength: 1024 });
  const cache = new PrefixCache(long, { maxRows: 8, minSlots: 2 });
  const rows = Array.from({ length: 8 }, (_, i) => cache.acquireRow([i, 1], undefined)!);
  expect(cache.acquireRow([9, 1], undefined)).toBeUndefined();
  const one = new Float32Array(BLOCK_LENGTH * 8);
  const constantSource = {
    positionsPerRow: BLOCK_LENGTH,
    layers: [1, 2].map(() => ({ key: one, value: one })),
  };
  let largest = 0;
  for (let end = BLOCK_LENGTH; end < 1024; end += BLOCK_LENGTH) {
    for (const row of rows) cache.writeBlock(row, constantSource, 0, end);
    largest = Math.max(largest, cache.sizeBytes);
  }
  const full = 8 * 1024 * config.layers * config.kvHeads * config.headSize * 2 * 4;
  expect(largest).toBeGreaterThan(full);
  expect(largest).toBeLessThan(3 * full);
  for (const row of rows) cache.returnRow(row);
  expect(cache.acquireRow([9, 1], undefined)).toBeDefined();
});
