/** Which operators of the engine's graphs run on the device, and what crosses to it and back. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { Sampler } from "../../src/engine/onnx/decode/index.ts";
import { readDeviceTraffic, Session } from "../../src/engine/onnx/graph/index.ts";
import {
  AdapterStore,
  initializeAdapter,
  initializeParameters,
  ParameterStore,
} from "../../src/engine/onnx/model/index.ts";
import { Trainer } from "../../src/engine/onnx/train/index.ts";
import { createTinyLora, createTinyModel } from "./tiny-model.ts";

const model = createTinyModel(64);
const lora = createTinyLora(model);
const rows = [19, 12].map((length) => ({
  tokens: Array.from({ length }, (_, i) => (i * 7) % model.vocabularySize),
  at: Array.from({ length: length - 1 }, (_, i) => i + 1),
}));
const cotangents = rows.map(({ at }) => ({
  logprobs: Array.from(at, () => 1),
  entropies: Array.from(at, () => 0.1),
}));

const folder = mkdtempSync(join(tmpdir(), "bowline-placement-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `work` and returns the operators with floats that ran on the CPU, by graph, and the number of others. */
async function profileOperators(name: string, work: () => Promise<void>) {
  const create = Session.create.bind(Session);
  const profiled = vi.spyOn(Session, "create").mockImplementation((graph, options) =>
    create(graph, {
      ...options,
      profile: join(folder, `${name}-${graph.name.replaceAll(/\W/g, "-")}`),
    }),
  );
  try {
    await work();
  } finally {
    profiled.mockRestore();
  }
  const onCpu: string[] = [];
  let onDevice = 0;
  for (const file of readdirSync(folder).filter((one) => one.startsWith(name))) {
    for (const event of JSON.parse(readFileSync(join(folder, file), "utf8"))) {
      const { args = {}, name: step = "" } = event;
      if (args.provider === undefined || !step.endsWith("kernel_time")) continue;
      const types = JSON.stringify([args.input_type_shape, args.output_type_shape]);
      if (args.provider !== "CPUExecutionProvider") onDevice++;
      else if (types.includes("float")) onCpu.push(`${file}: ${args.op_name}`);
    }
  }
  return { onCpu: [...new Set(onCpu)], onDevice };
}

test.each(["whole", "layered"] as const)(
  "no float operator of %s training runs on the CPU",
  async (training) => {
    const parameters = new ParameterStore(model);
    initializeParameters(parameters, 3);
    const trainer = new Trainer(parameters, { threads: 1, training });
    const placed = await profileOperators(training, async () => {
      await trainer.accumulate(rows, cotangents);
      await trainer.close();
    });
    expect(placed.onCpu).toEqual([]);
    expect(placed.onDevice).toBeGreaterThan(300);
  },
);

test.each(["f32", "q4"] as const)(
  "no float operator of sampling on %s runs on the CPU",
  async (base) => {
    const parameters = new ParameterStore(model, base);
    initializeParameters(parameters, 3);
    const sampler = new Sampler(parameters, { seed: 1, threads: 1, maxLiveRows: 4 });
    const placed = await profileOperators(`sampling-${base}`, async () => {
      const request = {
        tokens: [1, 2, 3, 4, 5],
        stream: 1,
        maxTokens: 3,
        temperature: 1,
        stopIds: [],
      };
      const { sample } = sampler.submit(request);
      while (sampler.isBusy) await sampler.runPass();
      expect((await sample).tokens).toHaveLength(3);
      await sampler.close();
    });
    expect(placed.onCpu).toEqual([]);
    expect(placed.onDevice).toBeGreaterThan(100);
  },
);

test("weights cross once, and neither a minibatch nor an optimizer step carries them or their gradients", async () => {
  const parameters = new ParameterStore(model);
  initializeParameters(parameters, 3);
  const adapter = new AdapterStore(model, lora);
  initializeAdapter(adapter, 4);
  const trainer = new Trainer(parameters, { threads: 1, training: "whole", adapter });
  const measure = async (work: () => Promise<unknown>) => {
    const before = readDeviceTraffic();
    await work();
    const after = readDeviceTraffic();
    return {
      up: after.uploadedBytes - before.uploadedBytes,
      down: after.downloadedBytes - before.downloadedBytes,
    };
  };
  const plain = rows.map(({ at }) => ({ logprobs: Array.from(at, () => 1) }));
  const first = await measure(() => trainer.evaluate(rows));
  expect(first.up).toBeGreaterThan(3 * parameters.elementCount);
  const tokens = rows.reduce((sum, row) => sum + row.tokens.length, 0);
  const again = await measure(() => trainer.evaluate(rows));
  // Padded rows; ids, positions, and where outputs are asked for.
  expect(again.up).toBeLessThan(100 * tokens);
  expect(again.down).toBeLessThan(8 * tokens);
  await trainer.accumulate(rows, plain);
  const step = await measure(() => trainer.accumulate(rows, plain));
  expect(step.up).toBeLessThan(100 * tokens);
  expect(step.down).toBeLessThan(8 * tokens);
  await trainer.update({
    learningRate: 1e-2,
    beta1: 0.9,
    beta2: 0.999,
    epsilon: 1e-8,
    weightDecay: 0,
    maxGradientNorm: 1,
  });
  const after = await measure(() => trainer.evaluate(rows));
  expect(after.up).toBe(again.up);
  await trainer.close();
});
