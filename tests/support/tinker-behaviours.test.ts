/** Tests the simulated behaviours and faults of servers on a model that really trains. */
import { afterAll, expect, it, vi } from "vitest";
import type { OnnxEngine } from "../../src/engine/index.ts";
import type { Behaviour } from "../../src/server/index.ts";
import { createInlineEngine } from "./inline-engine.ts";
import {
  failedFutureIsHttpError,
  ignoresGradientClip,
  ignoresStop,
  jsonOnly,
  meanReduction,
  noImplicitStop,
  pendingIs408,
  poisonModelAt,
  protoOnly,
  sharedSlot,
  shortPromptLogprobs,
  temperedLogprobs,
} from "./tinker-behaviours.ts";
import { createTestEngines } from "./tinker-engines.ts";
import { createFaults, FAULT_KINDS } from "./tinker-faults.ts";
import {
  createDatum,
  createPrompt,
  type RawAnswer,
  RawClient,
  readLogprobs,
} from "./tinker-raw.ts";
import { startTestServer, type TestServer, TINY } from "./tinker-server.ts";

// The time limit is long, because the machine may be busy. It only ends tests that hang.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const engines = createTestEngines();
afterAll(() => engines.close());

async function runWithServer<T>(
  behaviours: readonly Behaviour[],
  run: (raw: RawClient, server: TestServer) => Promise<T>,
): Promise<T> {
  const server = await startTestServer({ behaviours, engines, pollMs: 100, stopIds: [7] });
  try {
    return await run(await RawClient.open(server), server);
  } finally {
    await server.close();
  }
}

const ROWS = [
  [3, 9, 4, 11, 5, 20],
  [7, 1, 2],
];
const data = ROWS.map((row) => createDatum(row, { weights: row.slice(1).map(() => 1) }));
const FULL = { rank: 0 };

/** Returns the log-probs after one step of an engine with these cotangents. */
async function logprobsAfterStep(slopes: readonly (readonly number[])[]): Promise<number[][]> {
  const directory = await engines.createBaseFolder(TINY, 1);
  const engine: OnnxEngine = await createInlineEngine({
    ...{ model: TINY, seed: 0, threads: 1, maxLiveRows: 1, weights: directory },
  });
  const rows = ROWS.map((tokens) => ({ tokens, at: tokens.slice(1).map((_, i) => i + 1) }));
  await engine.accumulate(
    rows,
    slopes.map((logprobs) => ({ logprobs })),
  );
  await engine.update({
    ...{ learningRate: 0.01, beta1: 0.9, beta2: 0.95, epsilon: 1e-3, weightDecay: 0 },
    maxGradientNorm: Infinity,
  });
  const outputs = await engine.evaluate(rows);
  await engine.close();
  return outputs.map(({ logprobs }) => [...logprobs]);
}
/** The epsilon is so large that the size of a step depends on the size of the gradient. */
const ADAM = { learning_rate: 0.01, eps: 1e-3 };

it("with meanReduction, the loss is averaged over each datum's tokens, then over all datums since the last step", async () => {
  const [sum, mean] = [
    ROWS.map((row) => row.slice(1).map(() => -1)),
    ROWS.map((row) => row.slice(1).map(() => -1 / (row.length - 1) / 2)),
  ];
  const trainOn = (behaviours: readonly Behaviour[]) =>
    runWithServer(behaviours, async (raw) => {
      const model = await raw.createModel(FULL);
      await raw.forwardBackward(model, data.slice(0, 1));
      await raw.forwardBackward(model, data.slice(1));
      await raw.optimStep(model, ADAM);
      return raw.forward(model, data);
    });
  const expectClose = (ours: number[][], theirs: number[][]) => {
    for (const [d, row] of ours.entries()) {
      for (const [t, value] of row.entries()) expect(value).toBeCloseTo(theirs[d]![t]!, 5);
    }
  };
  expectClose(await trainOn([]), await logprobsAfterStep(sum));
  expectClose(await trainOn([meanReduction()]), await logprobsAfterStep(mean));
});

it("with ignoresGradientClip, the server takes an optimizer step with the unclipped gradient", async () => {
  const adam = { ...ADAM, grad_clip_norm: 1e-3 };
  const trainOneStep = (behaviours: readonly Behaviour[]) =>
    runWithServer(behaviours, async (raw) => {
      const model = await raw.createModel(FULL);
      await raw.forwardBackward(model, data);
      await raw.optimStep(model, adam);
      return raw.forward(model, data);
    });
  const [clipped, ignored] = [await trainOneStep([]), await trainOneStep([ignoresGradientClip])];
  expect(ignored).not.toEqual(clipped);
});

it("each simulated behaviour of sampling changes stop tokens, prompt log-probs or log-probs as its name says", async () => {
  const sampleFrom = (behaviours: readonly Behaviour[]) =>
    runWithServer(behaviours, (raw) =>
      raw.sample({
        base_model: "tiny",
        prompt: createPrompt([1, 2, 3, 4]),
        prompt_logprobs: true,
        num_samples: 16,
        sampling_params: { max_tokens: 24, temperature: 2, seed: 3 },
      }),
    );
  const honest = await sampleFrom([]);
  expect(honest.prompt_logprobs).toHaveLength(4);
  const ended = honest.sequences.filter(({ stop_reason }) => stop_reason === "stop");
  expect(ended.length).toBeGreaterThan(0);
  for (const { tokens } of ended) expect(tokens.indexOf(7)).toBe(tokens.length - 1);

  const endless = await sampleFrom([noImplicitStop, shortPromptLogprobs]);
  expect(endless.prompt_logprobs).toHaveLength(3);
  expect(endless.sequences.every(({ stop_reason }) => stop_reason === "length")).toBe(true);
  const stopless = await sampleFrom([ignoresStop]);
  expect(stopless.sequences.every(({ tokens }) => tokens.length === 24)).toBe(true);
  expect(stopless.sequences.every(({ stop_reason }) => stop_reason === "stop")).toBe(true);

  const tempered = await sampleFrom([temperedLogprobs]);
  const [raw, cool] = [honest, tempered].map(({ sequences }) => sequences[0]!);
  expect(cool!.tokens).toEqual(raw!.tokens);
  expect(cool!.logprobs).not.toEqual(raw!.logprobs);
});

it("with sharedSlot, using an older sampler overwrites the trained weights", async () => {
  const isTrainingCorrupted = (behaviours: readonly Behaviour[]) =>
    runWithServer(behaviours, async (raw) => {
      const model = await raw.createModel({ rank: 2, seed: 1 });
      const old = await raw.createSampler(model, 0);
      await raw.forwardBackward(model, data);
      await raw.optimStep(model, { learning_rate: 0.1 });
      await raw.createSampler(model, 1);
      const before = await raw.forward(model, data);
      await raw.sample({ sampling_session_id: old, seq_id: 0 });
      return JSON.stringify(before) !== JSON.stringify(await raw.forward(model, data));
    });
  expect(await isTrainingCorrupted([])).toBe(false);
  expect(await isTrainingCorrupted([sharedSlot()])).toBe(true);
});

it("the simulated behaviours of dialects and status codes answer as the real servers do", async () => {
  const proto = { model_id: "", seq_id: 1, data, loss_fn: "cross_entropy" };
  await runWithServer([jsonOnly, pendingIs408, failedFutureIsHttpError(400)], async (raw) => {
    const model = await raw.createModel(FULL);
    expect((await raw.postProtobuf("forward_backward", { ...proto, model_id: model })).status).toBe(
      415,
    );
    const waiting = await raw.post("optim_step", { model_id: model, seq_id: 2, adam_params: {} });
    const { request_id } = waiting.body;
    expect((await raw.post("retrieve_future", { request_id })).status).toBe(408);
    const forward = {
      model_id: model,
      seq_id: 1,
      forward_input: { data, loss_fn: "cross_entropy" },
    };
    await raw.postAndAwait("forward", forward);
    expect(await raw.awaitResult(waiting)).toEqual({
      detail: expect.stringMatching(/without a grad/),
    });
  });
  await runWithServer([protoOnly], async (raw) => {
    const model = await raw.createModel(FULL);
    const forward_backward_input = { data, loss_fn: "cross_entropy" };
    const json = { model_id: model, seq_id: 1, forward_backward_input };
    expect((await raw.post("forward_backward", json)).status).toBe(415);
    const accepted = await raw.postProtobuf("forward_backward", { ...proto, model_id: model });
    expect((await raw.fetchProtobufResult(accepted)).length).toBeGreaterThan(20);
  });
});

it("a poisoned model returns NaN until a new model is created", async () => {
  await runWithServer([poisonModelAt(2)], async (raw) => {
    const model = await raw.createModel(FULL);
    const sound = readLogprobs(await raw.forwardBackward(model, data));
    expect(sound.flat().every(Number.isFinite)).toBe(true);
    const poisoned = readLogprobs(await raw.forwardBackward(model, data));
    expect(poisoned.flat().some(Number.isFinite)).toBe(false);
    const anew = await raw.createModel(FULL);
    expect(await raw.forward(anew, data)).toEqual(sound);
  });
});

/** A client that only retries every request. Every client of the protocol must do at least this. */
class RetryingClient extends RawClient {
  override async post(...args: Parameters<RawClient["post"]>): Promise<RawAnswer> {
    for (let attempt = 0; attempt < 50; attempt++) {
      const answer = await super.post(...args).catch(() => undefined);
      const mustRetry = !answer || answer.status === 429 || answer.status >= 500;
      if (!mustRetry) return answer;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    throw new Error("the server never came back");
  }

  /** Sends the request again when its future was lost. */
  override async postAndAwait(path: string, body: unknown): Promise<RawAnswer["body"]> {
    for (;;) {
      const answer = await this.post(path, body);
      const { request_id } = answer.body;
      const polled = await this.post("retrieve_future", { request_id });
      if (polled.status === 200 && polled.body["type"] !== "try_again") return polled.body;
    }
  }
}

it("a client that retries trains the same weights under faults of every kind", async () => {
  const train = (behaviours: readonly Behaviour[]) =>
    runWithServer(behaviours, async (_, server) => {
      const raw = new RetryingClient(server);
      await raw.openSession();
      const model = await raw.createModel(FULL);
      for (let step = 0; step < 12; step++) {
        await raw.forwardBackward(model, data);
        await raw.optimStep(model, ADAM);
      }
      return raw.forward(model, data);
    });
  const injected = createFaults({ seed: 5, probability: 0.7, maxFaults: 40, slowMs: 1 });
  expect(await train([injected])).toEqual(await train([]));
  expect(injected.total).toBe(40);
  const missing = FAULT_KINDS.filter((kind) => kind !== "restart" && injected.counts[kind] === 0);
  expect(missing).toEqual([]);
});
