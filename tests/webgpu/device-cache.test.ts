/** Keys and values on the device: rows join, leave and grow there, and almost nothing crosses. */
import { afterEach, expect, test } from "vitest";
import { Rng } from "../../src/core/index.ts";
import { Sampler } from "../../src/engine/onnx/decode/index.ts";
import {
  type Provider,
  readDeviceTraffic,
  setProvider,
} from "../../src/engine/onnx/graph/index.ts";
import { initializeParameters, ParameterStore } from "../../src/engine/onnx/model/index.ts";
import type { SampleRequest } from "../../src/spec/index.ts";
import { createTinyModel } from "./tiny-model.ts";

const model = createTinyModel(320);

afterEach(() => setProvider("webgpu"));

/** Returns rows of different lengths, some of which begin alike; the last of them outgrows the shortest slot. */
function makeRequests(): SampleRequest[] {
  const rng = new Rng(8);
  const draw = (length: number) => Array.from({ length }, () => rng.integer(0, 47));
  const common = draw(40);
  const prompts = [draw(5), [...common, ...draw(3)], draw(20), [...common, ...draw(9)], draw(247)];
  return prompts.map((tokens, stream) => ({
    tokens,
    stream,
    maxTokens: 3 + 3 * stream,
    temperature: 0,
    stopIds: [],
    cacheKey: `row ${stream}`,
  }));
}

/** Samples rows that join one after the other while others leave, and then continues one of them. */
async function sampleOn(provider: Provider) {
  setProvider(provider);
  const parameters = new ParameterStore(model);
  initializeParameters(parameters, 3);
  const sampler = new Sampler(parameters, { seed: 1, threads: 1, maxLiveRows: 4 });
  const requests = makeRequests();
  const samples = [];
  for (const request of requests) {
    samples.push(sampler.submit(request).sample);
    for (let pass = 0; pass < 3 && sampler.isBusy; pass++) await sampler.runPass();
  }
  while (sampler.isBusy) await sampler.runPass();
  const last = requests.at(-1)!;
  const sampled = (await samples.at(-1)!).tokens;
  samples.push(sampler.submit({ ...last, tokens: [...last.tokens, ...sampled, 7] }).sample);
  while (sampler.isBusy) await sampler.runPass();
  await sampler.close();
  return Promise.all(samples);
}

test("rows that join, leave, grow and continue get the CPU's tokens and log-probs", async () => {
  const expected = await sampleOn("cpu");
  const found = await sampleOn("webgpu");
  expect(found.map(({ tokens }) => tokens)).toEqual(expected.map(({ tokens }) => tokens));
  const gaps = found.flatMap(({ logprobs }, row) =>
    logprobs.map((logprob, i) => Math.abs(logprob - expected[row]!.logprobs[i]!)),
  );
  expect(Math.max(...gaps)).toBeLessThan(1e-4);
});

test.each(["f32", "q4"] as const)(
  "a decode step on %s moves at most 64 bytes a row each way",
  async (base) => {
    const parameters = new ParameterStore(model, base);
    initializeParameters(parameters, 3);
    const sampler = new Sampler(parameters, { seed: 1, threads: 1, maxLiveRows: 8 });
    const [request] = makeRequests();
    const rows = 6;
    const sampleAll = async () => {
      const steps: { up: number; down: number }[] = [];
      const samples = Array.from({ length: rows }, (_, stream) =>
        sampler.submit({
          ...request!,
          stream,
          temperature: 1,
          maxTokens: 14,
          cacheKey: `${stream}`,
        }),
      );
      while (sampler.isBusy) {
        const before = readDeviceTraffic();
        await sampler.runPass();
        const after = readDeviceTraffic();
        steps.push({
          up: (after.uploadedBytes - before.uploadedBytes) / rows,
          down: (after.downloadedBytes - before.downloadedBytes) / rows,
        });
      }
      await Promise.all(samples.map(({ sample }) => sample));
      sampler.forgetPrefixes();
      return steps;
    };
    // Weights go up with the first pass. The pass in which a row's block is full moves the block.
    await sampleAll();
    const [, ...steps] = await sampleAll();
    await sampler.close();
    expect(steps).toHaveLength(14);
    for (const { up, down } of steps) {
      expect(up).toBeLessThanOrEqual(64);
      expect(down).toBeLessThanOrEqual(16);
    }
  },
);
