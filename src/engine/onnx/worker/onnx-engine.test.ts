import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BowlineError } from "../../../core/index.ts";
import type { Engine, SampleRequest } from "../../../spec/index.ts";
import { parseModelConfig } from "../model/index.ts";
import { createOnnxEngine } from "./onnx-engine.ts";
import type { EngineSetup } from "./protocol.ts";
import { startWorker } from "./worker-link.ts";

const model = parseModelConfig({
  vocabularySize: 24,
  hiddenSize: 16,
  layers: 1,
  heads: 2,
  kvHeads: 1,
  headSize: 8,
  intermediateSize: 24,
  contextLength: 256,
});
const longRequest: SampleRequest = {
  tokens: [1, 2, 3],
  stream: 1,
  maxTokens: 250,
  temperature: 1,
  stopIds: [],
};
const row = { tokens: [1, 2, 3], at: [1, 2] };
const cotangents = { logprobs: [-1, -1] };
const step = {
  learningRate: 1e-3,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0,
  maxGradientNorm: 1,
};

describe("engine options", () => {
  test.each([
    [{ threads: 0 }, "threads"],
    [{ threads: 1.5 }, "threads"],
    [{ seed: Number.NaN }, "seed"],
    [{ maxLiveRows: 0 }, "maxLiveRows"],
    [{ model: { ...model, kvHeads: 3 } }, "kvHeads"],
    [{ model: { ...model, layers: 0 } }, "layers"],
  ])("the engine option %o is rejected by an error that names it", async (patch, name) => {
    const error = await createOnnxEngine({ model, seed: 1, ...patch }).catch((cause) => cause);
    expect(BowlineError.is(error) && error.code).toBe("config");
    expect(error.message).toContain(name);
  });
});

describe("the queue of an engine", () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await createOnnxEngine({ model, seed: 1, threads: 1 });
  });
  afterAll(() => engine.close());

  test("requests that do not change the weights are served while rows are sampled", async () => {
    const order: string[] = [];
    const recordName = (name: string) => () => order.push(name);
    const sampling = engine.sample([longRequest]).then(recordName("sample"));
    const evaluated = engine.evaluate([row]).then(recordName("evaluate"));
    const short = engine.sample([{ ...longRequest, maxTokens: 1 }]).then(recordName("short"));
    await Promise.all([sampling, evaluated, short]);
    expect(order).toEqual(["evaluate", "short", "sample"]);
  });

  test("an update waits for the sampler, and sampling afterwards needs publish", async () => {
    const before = await engine.sample([longRequest]);
    const sampling = engine.sample([longRequest]);
    await engine.accumulate([row], [cotangents]);
    await engine.update(step);
    expect(await sampling).toEqual(before);
    await expect(engine.sample([longRequest])).rejects.toThrow(/publish/);
    const version = await engine.publish();
    const [after] = await engine.sample([longRequest]);
    expect(after!.policyVersion).toBe(version);
    expect(after!.logprobs).not.toEqual(before[0]!.logprobs);
  });

  test("saving is rejected while a gradient is accumulated, and a failed load changes nothing", async () => {
    const nowhere = join(import.meta.dirname, "nowhere");
    const before = await engine.evaluate([row]);
    await engine.accumulate([row], [cotangents]);
    await expect(engine.save(nowhere)).rejects.toThrow(/gradient.*discard/);
    await engine.discard();
    const error = await engine.load(nowhere).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ name: "BowlineError", code: "checkpoint" });
    expect(error).toMatchObject({ message: expect.stringContaining(nowhere) });
    expect(await engine.evaluate([row])).toEqual(before);
  });

  test("a queued request that was cancelled still settles", async () => {
    const controller = new AbortController();
    const blocking = engine.sample([longRequest]);
    const updating = engine.update(step);
    const queued = engine.sample([longRequest], controller.signal);
    controller.abort();
    await Promise.all([blocking, updating]);
    await expect(queued).rejects.toThrow(/publish/);
    await engine.publish();
  });
});

describe("a worker that dies", () => {
  const entry = new URL("../../../../tests/support/dying-worker.js", import.meta.url);
  const startDyingWorker = (dies: string) => startWorker({ dies } as unknown as EngineSetup, entry);
  const expectEngineError = async (run: Promise<unknown>, words: RegExp) => {
    const error = await run.catch((cause: unknown) => cause);
    expect(error).toMatchObject({ name: "BowlineError", code: "engine" });
    expect(error).toMatchObject({ message: expect.stringMatching(words) });
  };

  test.each([
    ["with an exception", "loudly", /worker died: scuttled/],
    ["with an exit code", "quietly", /worker died.*exit code 7/],
  ])("a worker that dies %s rejects all pending and later calls", async (_, dies, words) => {
    const { call, terminate } = await startDyingWorker(dies);
    await Promise.all([
      expectEngineError(call("publish", {}), words),
      expectEngineError(call("discard", {}), words),
    ]);
    await expectEngineError(call("publish", {}), words);
    await terminate();
  });

  test("a worker that dies while it starts rejects the start", async () => {
    await expectEngineError(startDyingWorker("at once"), /worker died: scuttled/);
  });
});
