/** Measures what continuous batching saves, in passes and rows of the graphs and never in seconds. */
import { afterEach, describe, expect, test, vi } from "vitest";
import type { SampleRequest } from "../../../spec/index.ts";
import { type Feeds, Session } from "../graph/index.ts";
import { initializeParameters, ParameterStore, parseModelConfig } from "../model/index.ts";
import { BLOCK_LENGTH } from "./decode-graphs.ts";
import { Sampler } from "./sampler.ts";

const config = parseModelConfig({
  vocabularySize: 24,
  hiddenSize: 16,
  layers: 1,
  heads: 2,
  kvHeads: 2,
  headSize: 8,
  intermediateSize: 24,
  contextLength: 160,
});
const parameters = new ParameterStore(config);
initializeParameters(parameters, 3);
const request: SampleRequest = {
  tokens: [1],
  stream: 0,
  maxTokens: 1,
  temperature: 1,
  stopIds: [],
};
/** A prompt of a little less than ten blocks, which nine passes fill. */
const PROMPT = Array.from({ length: 9 * BLOCK_LENGTH + 1 }, (_, i) => i % 23);

afterEach(() => {
  vi.restoreAllMocks();
});

/** Counts the rows of every run of the two decoding graphs. */
function countGraphRows() {
  const rows = { block: [] as number[], step: [] as number[] };
  const run = Session.prototype.run;
  vi.spyOn(Session.prototype, "run").mockImplementation(function (this: Session, feeds: Feeds) {
    rows[this.name as keyof typeof rows].push(feeds["position"]!.dims[0]!);
    return run.call(this, feeds);
  });
  return rows;
}

async function runUntilIdle(sampler: Sampler): Promise<number> {
  let passes = 0;
  for (; sampler.isBusy; passes++) await sampler.runPass();
  return passes;
}

describe("continuous batching", () => {
  test("a sampler finishes a queue far longer than its rows, and gives a finished row's place to the next request at once", async () => {
    const sampler = new Sampler(parameters, { seed: 9, threads: 1, maxLiveRows: 4 });
    const lengths = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 60 : 1));
    const answers = lengths.map(
      (maxTokens, stream) => sampler.submit({ ...request, stream, maxTokens }).sample,
    );
    const passes = await runUntilIdle(sampler);
    expect((await Promise.all(answers)).map(({ tokens }) => tokens.length)).toEqual(lengths);
    const total = lengths.reduce((sum, length) => sum + length, 0);
    // Without continuous batching, waves of four requests would take 10 * 60 passes.
    expect(passes).toBeLessThan(total / 4 + 60);
    await sampler.close();
  });

  test("a sampler computes a prompt once for a group of requests, whether they arrive together or later", async () => {
    const sampler = new Sampler(parameters, { seed: 9, threads: 1, maxLiveRows: 64 });
    const rows = countGraphRows();
    const submitMember = (stream: number) =>
      sampler.submit({ ...request, tokens: PROMPT, stream, maxTokens: 4, cacheKey: `${stream}` });
    const first = Array.from({ length: 6 }, (_, stream) => submitMember(stream));
    await runUntilIdle(sampler);
    // These are positions of one row, however many requests have the prompt.
    expect(rows.block).toEqual(new Array(9).fill(BLOCK_LENGTH));
    const later = Array.from({ length: 6 }, (_, i) => submitMember(6 + i));
    await runUntilIdle(sampler);
    expect(rows.block).toHaveLength(9);
    const samples = await Promise.all([...first, ...later].map(({ sample }) => sample));
    expect(new Set(samples.map(({ tokens }) => tokens.join())).size).toBeGreaterThan(6);
    await sampler.close();
  });

  test("a sampler computes only the new tokens of a turn, not the row before them", async () => {
    const sampler = new Sampler(parameters, { seed: 9, threads: 1, maxLiveRows: 8 });
    const rows = countGraphRows();
    const askNextTurn = async (tokens: readonly number[]) => {
      const { sample } = sampler.submit({ ...request, tokens, maxTokens: 2, cacheKey: "episode" });
      await runUntilIdle(sampler);
      return [...tokens, ...(await sample).tokens];
    };
    let row = await askNextTurn(PROMPT.slice(0, 4 * BLOCK_LENGTH + 1));
    expect(rows.block).toHaveLength(4);
    // The last sampled token and three observed ones are in one block.
    row = await askNextTurn([...row, 3, 4, 5]);
    expect(rows.block).toHaveLength(5);
    expect(rows.block.at(-1)).toBe(3);
    await askNextTurn([...row, ...PROMPT.slice(0, 2 * BLOCK_LENGTH)]);
    expect(rows.block).toHaveLength(8);
    await sampler.close();
  });

  test("a sampler continues all ready rows in one pass, however they arrived", async () => {
    const sampler = new Sampler(parameters, { seed: 9, threads: 1, maxLiveRows: 300 });
    const rows = countGraphRows();
    for (let stream = 0; stream < 256; stream++)
      sampler.submit({ ...request, stream, maxTokens: 8 });
    await runUntilIdle(sampler);
    expect(rows.step).toEqual(new Array(8).fill(256));
    await sampler.close();
  });
});
