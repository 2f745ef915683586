/** What continuous batching saves, counted in passes and rows that the graphs are run over, never in seconds. */
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
/** A prompt of ten blocks less a little: nine passes fill it. */
const PROMPT = Array.from({ length: 9 * BLOCK_LENGTH + 1 }, (_, i) => i % 23);

afterEach(() => {
  vi.restoreAllMocks();
});

/** Rows of every run of the graph that fills blocks, and of the one that makes steps. */
function countRows() {
  const rows = { block: [] as number[], step: [] as number[] };
  const run = Session.prototype.run;
  vi.spyOn(Session.prototype, "run").mockImplementation(function (this: Session, feeds: Feeds) {
    rows[this.name as keyof typeof rows].push(feeds["position"]!.dims[0]!);
    return run.call(this, feeds);
  });
  return rows;
}

async function drain(sampler: Sampler): Promise<number> {
  let passes = 0;
  for (; sampler.isBusy; passes++) await sampler.runPass();
  return passes;
}

describe("continuous batching", () => {
  test("a queue far longer than the rows finishes, and a finished row's place is taken at once", async () => {
    const sampler = new Sampler(parameters, { seed: 9, threads: 1, maxLiveRows: 4 });
    const lengths = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 60 : 1));
    const answers = lengths.map(
      (maxTokens, stream) => sampler.submit({ ...request, stream, maxTokens }).sample,
    );
    const passes = await drain(sampler);
    expect((await Promise.all(answers)).map(({ tokens }) => tokens.length)).toEqual(lengths);
    const total = lengths.reduce((sum, length) => sum + length, 0);
    // Waves of four would take 10 * 60 passes.
    expect(passes).toBeLessThan(total / 4 + 60);
    await sampler.close();
  });

  test("a group's prompt is computed once, together or one after another", async () => {
    const sampler = new Sampler(parameters, { seed: 9, threads: 1, maxLiveRows: 64 });
    const rows = countRows();
    const member = (stream: number) =>
      sampler.submit({ ...request, tokens: PROMPT, stream, maxTokens: 4, cacheKey: `${stream}` });
    const first = Array.from({ length: 6 }, (_, stream) => member(stream));
    await drain(sampler);
    // Positions, one row's however many ask.
    expect(rows.block).toEqual(new Array(9).fill(BLOCK_LENGTH));
    const later = Array.from({ length: 6 }, (_, i) => member(6 + i));
    await drain(sampler);
    expect(rows.block).toHaveLength(9);
    const samples = await Promise.all([...first, ...later].map(({ sample }) => sample));
    expect(new Set(samples.map(({ tokens }) => tokens.join())).size).toBeGreaterThan(6);
    await sampler.close();
  });

  test("a turn computes what was heard since the last one, not what was said before", async () => {
    const sampler = new Sampler(parameters, { seed: 9, threads: 1, maxLiveRows: 8 });
    const rows = countRows();
    const ask = async (tokens: readonly number[]) => {
      const { sample } = sampler.submit({ ...request, tokens, maxTokens: 2, cacheKey: "episode" });
      await drain(sampler);
      return [...tokens, ...(await sample).tokens];
    };
    let row = await ask(PROMPT.slice(0, 4 * BLOCK_LENGTH + 1));
    expect(rows.block).toHaveLength(4);
    // The last sampled token and three heard ones, in one block.
    row = await ask([...row, 3, 4, 5]);
    expect(rows.block).toHaveLength(5);
    expect(rows.block.at(-1)).toBe(3);
    await ask([...row, ...PROMPT.slice(0, 2 * BLOCK_LENGTH)]);
    expect(rows.block).toHaveLength(8);
    await sampler.close();
  });

  test("ready rows go on together, however they came", async () => {
    const sampler = new Sampler(parameters, { seed: 9, threads: 1, maxLiveRows: 300 });
    const rows = countRows();
    for (let stream = 0; stream < 256; stream++)
      sampler.submit({ ...request, stream, maxTokens: 8 });
    await drain(sampler);
    expect(rows.step).toEqual(new Array(8).fill(256));
    await sampler.close();
  });
});
