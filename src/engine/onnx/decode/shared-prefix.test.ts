/** Tests sampling with long shared prefixes: it gives what separate rows give, in less memory and fewer passes. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { Rng } from "../../../core/index.ts";
import type { Sample, SampleRequest } from "../../../spec/index.ts";
import { type Feeds, Session } from "../graph/index.ts";
import {
  AdapterStore,
  initializeAdapter,
  initializeParameters,
  ParameterStore,
  parseLoraOptions,
  parseModelConfig,
} from "../model/index.ts";
import { Trainer } from "../train/index.ts";
import { segmentCapacity } from "./arena-set.ts";
import { BLOCK_LENGTH } from "./decode-graphs.ts";
import { type CacheRow, PrefixCache } from "./prefix-cache.ts";
import { Sampler } from "./sampler.ts";
import { canUseSegments, SEGMENT_LENGTH } from "./segmented-attention.ts";

const config = parseModelConfig({
  vocabularySize: 64,
  hiddenSize: 48,
  layers: 2,
  heads: 6,
  kvHeads: 2,
  headSize: 8,
  intermediateSize: 64,
  contextLength: 1500,
  qkNorm: true,
});
const parameters = new ParameterStore(config);
initializeParameters(parameters, 3);

type Answer = Omit<Sample, "policyVersion">;

function randomTokens(seed: number, length: number): number[] {
  const rng = new Rng(seed);
  return Array.from({ length }, () => rng.integer(0, 63));
}

const COMMON = randomTokens(1, 1000);
/** Requests of three tasks with prompts of different lengths, two of each task. */
const requests = [0, 1, 2, 0, 1, 2].map(
  (task, stream): SampleRequest => ({
    tokens: [...COMMON, ...randomTokens(10 + task, 20 + 60 * task)],
    stream,
    maxTokens: 70 + 20 * stream,
    temperature: 1,
    stopIds: [],
  }),
);

function createAdapter(): AdapterStore {
  const options = { rank: 4, alpha: 8, targetModules: "all-linear" } as const;
  const adapter = new AdapterStore(config, parseLoraOptions(options, config));
  initializeAdapter(adapter, 1);
  addNoise(adapter, 2);
  return adapter;
}

function addNoise({ data }: AdapterStore, seed: number): void {
  const rng = new Rng(seed);
  for (let i = 0; i < data.length; i++) data[i]! += 0.02 * rng.normal();
}

/** Samples all requests. Request i is submitted at pass `i * passesApart`. */
async function sampleAll(sampler: Sampler, passesApart = 0): Promise<Answer[]> {
  const answers: Promise<Answer>[] = [];
  for (let pass = 0; sampler.isBusy || answers.length < requests.length; pass++) {
    for (let i = answers.length; i < requests.length && i * passesApart <= pass; i++)
      answers.push(sampler.submit(requests[i]!).sample);
    await sampler.runPass();
  }
  return Promise.all(answers);
}

/** Expects equal tokens up to the first that rounding changed, and log-probs up to there within 1e-5. */
function expectClose(withSharing: readonly Answer[], withoutSharing: readonly Answer[]): void {
  let equal = 0;
  for (const [i, { tokens, logprobs }] of withSharing.entries()) {
    const other = withoutSharing[i]!;
    for (let at = 0; at < tokens.length && tokens[at] === other.tokens[at]; at++, equal++)
      expect(Math.abs(logprobs[at]! - other.logprobs[at]!)).toBeLessThan(1e-5);
  }
  expect(equal).toBeGreaterThan(0.9 * withSharing.flatMap(({ tokens }) => tokens).length);
}

async function evaluateLogprobs(answers: readonly Answer[], adapter?: AdapterStore) {
  const trainer = new Trainer(parameters, { threads: 2, adapter });
  const rows = answers.map(({ tokens }, i) => {
    const before = requests[i]!.tokens;
    return { tokens: [...before, ...tokens], at: tokens.map((_, k) => before.length + k) };
  });
  const outputs = await trainer.evaluate(rows);
  await trainer.close();
  return outputs.flatMap(({ logprobs }) => [...logprobs]);
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each([
  { name: "weights alone", adapter: undefined },
  { name: "with LoRA", adapter: createAdapter() },
])("sampling rows with a shared prefix, $name", ({ adapter }) => {
  const options = { seed: 9, threads: 2, maxLiveRows: 16, adapter };

  test("rows that share a prefix sample what they sample without sharing, and the same bits whenever they arrive", async () => {
    const shared = new Sampler(parameters, options);
    const separate = new Sampler(parameters, { ...options, sharePrefixes: false });
    const together = await sampleAll(shared);
    expectClose(together, await sampleAll(separate));
    expect(await sampleAll(shared, 90)).toEqual(together);
    const learned = await evaluateLogprobs(together, adapter);
    const gaps = together.flatMap(({ logprobs }) => logprobs).map((x, i) => x - learned[i]!);
    expect(Math.max(...gaps.map(Math.abs))).toBeLessThan(1e-5);
    await shared.close();
    await separate.close();
  });
});

test("a sampler uses no prefix of the old weights after forgetPrefixes", async () => {
  const adapter = createAdapter();
  const options = { seed: 9, threads: 1, maxLiveRows: 16, adapter };
  const sampler = new Sampler(parameters, options);
  const before = await sampleAll(sampler);
  addNoise(adapter, 5);
  sampler.forgetPrefixes();
  const after = await sampleAll(sampler);
  expect(after).not.toEqual(before);
  const createCache = new Sampler(parameters, options);
  expect(await sampleAll(createCache)).toEqual(after);
  await sampler.close();
  await createCache.close();
});

test("a shared prefix is computed once, and rows of different lengths run in one pass", async () => {
  const passes: string[] = [];
  const shared: number[] = [];
  const run = Session.prototype.run;
  vi.spyOn(Session.prototype, "run").mockImplementation(function (this: Session, feeds: Feeds) {
    passes.push(this.name);
    if (this.name === "segmented step") shared.push(feeds["sharedMask"]!.dims[0]!);
    return run.call(this, feeds);
  });
  const sampler = new Sampler(parameters, { seed: 9, threads: 1, maxLiveRows: 16 });
  await sampleAll(sampler);
  const countPasses = (name: string) => passes.filter((pass) => pass === name).length;
  expect(countPasses("block")).toBe(512 / BLOCK_LENGTH);
  // The common rest, and for the three tasks no more passes than the longest has blocks, for each number of own
  // segments.
  expect(countPasses("segmented block")).toBeLessThan((1000 - 512) / BLOCK_LENGTH + 3 * 10);
  expect(countPasses("step")).toBe(0);
  // Rows have different numbers of own segments, and run together when their slots have the same capacity.
  expect(countPasses("segmented step")).toBeLessThan(2.2 * 250);
  expect(new Set(shared)).toEqual(new Set([Math.floor(1000 / SEGMENT_LENGTH)]));
  await sampler.close();
});

describe("the cache of rows with a shared prefix", () => {
  const one = new Float32Array(BLOCK_LENGTH * config.kvHeads * config.headSize);
  const source = {
    positionsPerRow: BLOCK_LENGTH,
    layers: [1, 2].map(() => ({ key: one, value: one })),
  };
  const positionBytes = config.layers * config.kvHeads * config.headSize * 2 * 4;
  const createCache = (maxBytes?: number) =>
    new PrefixCache(config, { maxRows: 64, minSlots: 2, usesSegments: true, maxBytes });

  function fillRows(cache: PrefixCache, rows: readonly CacheRow[], end: number): void {
    for (const row of rows) {
      while (row.cachedLength < end)
        cache.writeBlock(row, source, 0, Math.min(end, row.cachedLength + BLOCK_LENGTH));
    }
  }

  /** Fills all rows block by block, in turn. */
  function fillRowsInTurn(cache: PrefixCache, rows: readonly CacheRow[], end: number): void {
    for (let at = BLOCK_LENGTH; at <= end; at += BLOCK_LENGTH) fillRows(cache, rows, at);
  }

  test("a cache stores a shared prefix once", () => {
    const cache = createCache();
    const rows = requests.map(({ tokens }) => cache.acquireRow(tokens, undefined)!);
    fillRowsInTurn(cache, rows, 992);
    const shared = 7;
    expect(rows.map((row) => row.sharedSegments)).toEqual(rows.map(() => shared));
    expect(new Set(rows.map(({ prefix: root }) => root)).size).toBe(1);
    const before = cache.sizeBytes;
    const later = Array.from(
      { length: 40 },
      () => cache.acquireRow(requests[0]!.tokens, undefined)!,
    );
    expect(later.map((row) => row.sharedSegments)).toEqual(later.map(() => shared));
    // A slot holds an own segment and the rest; arenas double, and an arena that rows passed through stays allocated.
    expect(cache.sizeBytes - before).toBeLessThan(0.6 * 40 * 992 * positionBytes);
  });

  test("a second row with the same beginning creates a shared prefix, and a third row that differs earlier shortens it", () => {
    const cache = createCache();
    const first = cache.acquireRow([...COMMON, ...randomTokens(3, 200)], undefined)!;
    fillRows(cache, [first], 1152);
    expect([first.prefix, first.ownSegments]).toEqual([undefined, 9]);
    const second = cache.acquireRow([...COMMON, ...randomTokens(3, 300)], undefined)!;
    expect([
      first.sharedSegments,
      first.ownSegments,
      second.sharedSegments,
      second.ownSegments,
    ]).toEqual([9, 0, 9, 0]);
    const third = cache.acquireRow([...COMMON, ...randomTokens(4, 200)], undefined)!;
    expect(
      [first, second, third].map(({ sharedSegments: shared, ownSegments: own }) => [shared, own]),
    ).toEqual([
      [7, 2],
      [7, 2],
      [7, 0],
    ]);
    const stranger = cache.acquireRow(
      [...COMMON.slice(0, 600), ...randomTokens(5, 300)],
      undefined,
    )!;
    expect([stranger.sharedSegments, stranger.cachedLength, first.sharedSegments]).toEqual([
      4, 592, 4,
    ]);
    const elsewhere = cache.acquireRow(randomTokens(6, 900), undefined)!;
    expect([elsewhere.sharedSegments, elsewhere.cachedLength]).toEqual([0, 0]);
  });

  test("a cache admits rows by the memory that they may need, and counts a shared prefix once", () => {
    const cache = createCache(3 * 1200 * positionBytes);
    const acquireTaskRow = (task: number) =>
      cache.acquireRow([...COMMON, ...randomTokens(task, 10)], undefined, 1200);
    const rows = [acquireTaskRow(20)!, acquireTaskRow(21)!, acquireTaskRow(22)!];
    expect(acquireTaskRow(23)).toBeUndefined();
    fillRowsInTurn(cache, rows, 992);
    const more = [23, 24, 25, 26, 27].map(acquireTaskRow);
    expect(more.every((row) => row !== undefined)).toBe(true);
    expect(acquireTaskRow(28)).toBeUndefined();
    cache.returnRow(rows[0]!);
    expect(acquireTaskRow(28)).toBeDefined();
  });

  test("a cache always has room for one row", () => {
    expect(createCache(1).acquireRow([1, 2], undefined)).toBeDefined();
  });
});

test("the number of segments for which a slot has room grows in steps", () => {
  expect([0, 1, 2, 3, 4, 5, 7, 9, 13, 17].map(segmentCapacity)).toEqual([
    1, 1, 2, 3, 4, 6, 8, 12, 16, 24,
  ]);
});

test("segments are not used for heads wider than a kernel stride when threads divide a product", () => {
  expect(canUseSegments({ ...config, headSize: 128 }, 2)).toBe(true);
  expect(canUseSegments({ ...config, headSize: 256 }, 1)).toBe(true);
  expect(canUseSegments({ ...config, headSize: 256 }, 2)).toBe(false);
});
