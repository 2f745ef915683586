/**
 * Tests of failures of memory and numbers: each is a typed error, and the parts that are intact stay usable. (Dying
 * threads: onnx-engine.test.ts, and in a whole run tests/slow/failed-runs.test.ts.)
 */
import { closeSync, fstatSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { SampleRequest } from "../../../spec/index.ts";
import { Session } from "../graph/index.ts";
import { parseModelConfig } from "../model/index.ts";
import { EngineHost } from "./engine-host.ts";
import { createOnnxEngine } from "./onnx-engine.ts";
import type { EngineSetup, MessageFromWorker, MessageToWorker, WorkerRequest } from "./protocol.ts";
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
const setup: EngineSetup = { model, seed: 1, threads: 1, maxLiveRows: 8, provider: "cpu" };
const request: SampleRequest = {
  tokens: [1, 2, 3],
  stream: 1,
  maxTokens: 250,
  temperature: 1,
  stopIds: [],
};
const row = { tokens: [1, 2, 3], at: [1, 2] };
const step = {
  learningRate: 1e-3,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0,
  maxGradientNorm: 1,
};

const catchError = async (run: Promise<unknown>) =>
  run.then(
    () => "no error",
    (error: unknown) => error,
  );
const matchEngineError = (words: RegExp) =>
  expect.objectContaining({
    name: "BowlineError",
    code: "engine",
    message: expect.stringMatching(words),
  });

afterEach(() => {
  vi.restoreAllMocks();
});

describe("an engine without enough memory", () => {
  test("an engine rejects at its start a model that does not fit in memory", async () => {
    const huge = { ...model, hiddenSize: 8192, layers: 128, intermediateSize: 65_536 };
    const starting = catchError(createOnnxEngine({ model: huge, seed: 1 }));
    expect(await starting).toEqual(matchEngineError(/ran out of memory.*smaller model/));
  });

  test("an engine reports that the heap of its thread is full", async () => {
    const entry = new URL("../../../../tests/support/dying-worker.js", import.meta.url);
    const hungry = { dies: "of hunger" } as unknown as EngineSetup;
    const link = await startWorker(hungry, entry, { maxOldGenerationSizeMb: 48 });
    expect(await catchError(link.call("publish", {}))).toEqual(
      matchEngineError(/ran out of memory/),
    );
    await link.terminate();
  }, 60_000);

  test("an engine rejects only the requests of a failed pass, and does not update with an incomplete gradient", async () => {
    const host = createHost(setup);
    const cotangents = [{ logprobs: Float32Array.of(-1, -1) }];
    const rows = [{ tokens: Int32Array.from(row.tokens), at: Int32Array.from(row.at) }];
    const accumulate = { type: "accumulate", rows, cotangents, temperature: 1 } as const;
    const before = await host.call({ type: "sample", requests: [request], aborted: false });
    vi.spyOn(Session.prototype, "run").mockRejectedValue(new Error("std::bad_alloc"));
    const outOfMemory = { code: "engine", message: expect.stringMatching(/ran out of memory/) };
    expect(await host.call({ type: "sample", requests: [request], aborted: false })).toEqual(
      outOfMemory,
    );
    expect(await host.call(accumulate)).toEqual(outOfMemory);
    vi.restoreAllMocks();
    expect(await host.call({ type: "update", steps: { policy: step } })).toMatchObject({
      message: expect.stringMatching(/incomplete.*discard/),
    });
    expect(await host.call({ type: "sample", requests: [request], aborted: false })).toEqual(
      before,
    );
    await host.call({ type: "discard" });
    await host.call(accumulate);
    expect(await host.call({ type: "update", steps: { policy: step } })).toMatchObject({
      gradientNorm: expect.any(Number),
    });
  });
});

describe("numbers that are not finite", () => {
  test("weights that are not finite are neither sampled nor updated until a valid checkpoint is loaded", async () => {
    const folder = mkdtempSync(join(tmpdir(), "bowline-nan-"));
    const engine = await createOnnxEngine({ model, seed: 1, threads: 1 });
    try {
      const [sound, spoilt] = [join(folder, "sound"), join(folder, "spoilt")];
      const before = await engine.sample([request]);
      await engine.save(sound);
      await engine.save(spoilt);
      overwriteWithNaN(join(spoilt, "model.safetensors"));
      const loaded = await catchError(engine.load(spoilt));
      if (loaded === "no error") {
        expect(await catchError(engine.sample([request]))).toEqual(matchEngineError(/not finite/));
        await engine.accumulate([row], [{ logprobs: [-1, -1] }]);
        expect(await catchError(engine.update(step))).toEqual(
          matchEngineError(/gradient norm is NaN/),
        );
      } else {
        expect(loaded).toMatchObject({
          code: "checkpoint",
          message: expect.stringMatching(/finite/),
        });
      }
      await engine.load(sound);
      expect(await engine.sample([request])).toEqual(before);
    } finally {
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("an update with a gradient that is not finite is rejected and leaves the weights unchanged", async () => {
    const engine = await createOnnxEngine({ model, seed: 1, threads: 1 });
    const before = await engine.evaluate([row]);
    await engine.accumulate([row], [{ logprobs: [3e38, -3e38] }]);
    expect(await catchError(engine.update(step))).toEqual(
      matchEngineError(/gradient norm.*weights are/),
    );
    await engine.discard();
    expect(await engine.evaluate([row])).toEqual(before);
    await engine.accumulate([row], [{ logprobs: [-1, -1] }]);
    expect((await engine.update(step)).gradientNorm).toBeGreaterThan(0);
    await engine.close();
  });
});

/** Overwrites the file's last float32 with NaN. */
function overwriteWithNaN(path: string): void {
  const file = openSync(path, "r+");
  const bytes = new Uint8Array(Float32Array.of(Number.NaN).buffer);
  writeSync(file, bytes, 0, 4, fstatSync(file).size - 4);
  closeSync(file);
  // The digests would find the change first.
  rmSync(join(dirname(path), "sha256sums.txt"));
}

type HostCall = WorkerRequest extends infer R
  ? R extends WorkerRequest
    ? Omit<R, "id">
    : never
  : never;

/** Runs the worker's half of the engine in this thread, so that a test can make its sessions fail. */
function createHost(hostSetup: EngineSetup) {
  const waiting = new Map<number, (value: unknown) => void>();
  const host = new EngineHost(hostSetup, (message: MessageFromWorker) => {
    if (message.type === "ready") return;
    waiting.get(message.id)?.(message.type === "answer" ? message.value : message.error);
  });
  let nextId = 0;
  const call = (message: HostCall): Promise<unknown> =>
    new Promise((resolve) => {
      const id = nextId++;
      waiting.set(id, resolve);
      host.receive({ ...message, id } as MessageToWorker);
    });
  return { call };
}
