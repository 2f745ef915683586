/** The departures and faults of the test server do what they say, on a model that really trains. */
import { afterAll, expect, it, vi } from "vitest";
import type { OnnxEngine } from "../../src/engine/index.ts";
import type { Behaviour } from "../../src/server/index.ts";
import { createInlineEngine } from "./inline-engine.ts";
import {
  failureIs,
  ignoresGradientClip,
  ignoresStop,
  jsonOnly,
  meanReduction,
  noImplicitStop,
  pendingIs408,
  poisons,
  protoOnly,
  sharedSlot,
  shortPromptLogprobs,
  temperedLogprobs,
} from "./tinker-behaviours.ts";
import { testEngines } from "./tinker-engines.ts";
import { FAULT_KINDS, faults } from "./tinker-faults.ts";
import { datum, logprobsOf, prompt, Raw, type RawAnswer } from "./tinker-raw.ts";
import { startTestServer, type TestServer, TINY } from "./tinker-server.ts";

// Worker threads on a busy machine: a limit is there to end what hangs, not to measure.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const engines = testEngines();
afterAll(() => engines.close());

async function withServer<T>(
  behaviours: readonly Behaviour[],
  run: (raw: Raw, server: TestServer) => Promise<T>,
): Promise<T> {
  const server = await startTestServer({ behaviours, engines, pollMs: 100, stopIds: [7] });
  try {
    return await run(await Raw.open(server), server);
  } finally {
    await server.close();
  }
}

const ROWS = [
  [3, 9, 4, 11, 5, 20],
  [7, 1, 2],
];
const data = ROWS.map((row) => datum(row, { weights: row.slice(1).map(() => 1) }));
const FULL = { rank: 0 };

/** Log-probs after one step of an engine with these slopes. */
async function afterStep(slopes: readonly (readonly number[])[]): Promise<number[][]> {
  const directory = await engines.base(TINY, 1);
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
/** With an epsilon this large the size of a gradient shows in the step. */
const ADAM = { learning_rate: 0.01, eps: 1e-3 };

it("a mean is over each datum's tokens, then over all datums since the last step", async () => {
  const [sum, mean] = [
    ROWS.map((row) => row.slice(1).map(() => -1)),
    ROWS.map((row) => row.slice(1).map(() => -1 / (row.length - 1) / 2)),
  ];
  const trained = (behaviours: readonly Behaviour[]) =>
    withServer(behaviours, async (raw) => {
      const model = await raw.createModel(FULL);
      await raw.forwardBackward(model, data.slice(0, 1));
      await raw.forwardBackward(model, data.slice(1));
      await raw.optimStep(model, ADAM);
      return raw.forward(model, data);
    });
  const close = (ours: number[][], theirs: number[][]) => {
    for (const [d, row] of ours.entries()) {
      for (const [t, value] of row.entries()) expect(value).toBeCloseTo(theirs[d]![t]!, 5);
    }
  };
  close(await trained([]), await afterStep(sum));
  close(await trained([meanReduction()]), await afterStep(mean));
});

it("a clip that is ignored leaves the whole step", async () => {
  const adam = { ...ADAM, grad_clip_norm: 1e-3 };
  const step = (behaviours: readonly Behaviour[]) =>
    withServer(behaviours, async (raw) => {
      const model = await raw.createModel(FULL);
      await raw.forwardBackward(model, data);
      await raw.optimStep(model, adam);
      return raw.forward(model, data);
    });
  const [clipped, ignored] = [await step([]), await step([ignoresGradientClip])];
  expect(ignored).not.toEqual(clipped);
});

it("sampling departs as it is told to", async () => {
  const ask = (behaviours: readonly Behaviour[]) =>
    withServer(behaviours, (raw) =>
      raw.sample({
        base_model: "tiny",
        prompt: prompt([1, 2, 3, 4]),
        prompt_logprobs: true,
        num_samples: 16,
        sampling_params: { max_tokens: 24, temperature: 2, seed: 3 },
      }),
    );
  const honest = await ask([]);
  expect(honest.prompt_logprobs).toHaveLength(4);
  const ended = honest.sequences.filter(({ stop_reason }) => stop_reason === "stop");
  expect(ended.length).toBeGreaterThan(0);
  for (const { tokens } of ended) expect(tokens.indexOf(7)).toBe(tokens.length - 1);

  const endless = await ask([noImplicitStop, shortPromptLogprobs]);
  expect(endless.prompt_logprobs).toHaveLength(3);
  expect(endless.sequences.every(({ stop_reason }) => stop_reason === "length")).toBe(true);
  const stopless = await ask([ignoresStop]);
  expect(stopless.sequences.every(({ tokens }) => tokens.length === 24)).toBe(true);
  expect(stopless.sequences.every(({ stop_reason }) => stop_reason === "stop")).toBe(true);

  const tempered = await ask([temperedLogprobs]);
  const [raw, cool] = [honest, tempered].map(({ sequences }) => sequences[0]!);
  expect(cool!.tokens).toEqual(raw!.tokens);
  expect(cool!.logprobs).not.toEqual(raw!.logprobs);
});

it("in a shared slot an older sampler is loaded over what was trained", async () => {
  const corrupted = (behaviours: readonly Behaviour[]) =>
    withServer(behaviours, async (raw) => {
      const model = await raw.createModel({ rank: 2, seed: 1 });
      const old = await raw.sampler(model, 0);
      await raw.forwardBackward(model, data);
      await raw.optimStep(model, { learning_rate: 0.1 });
      await raw.sampler(model, 1);
      const before = await raw.forward(model, data);
      await raw.sample({ sampling_session_id: old, seq_id: 0 });
      return JSON.stringify(before) !== JSON.stringify(await raw.forward(model, data));
    });
  expect(await corrupted([])).toBe(false);
  expect(await corrupted([sharedSlot()])).toBe(true);
});

it("dialects and status codes", async () => {
  const proto = { model_id: "", seq_id: 1, data, loss_fn: "cross_entropy" };
  await withServer([jsonOnly, pendingIs408, failureIs(400)], async (raw) => {
    const model = await raw.createModel(FULL);
    expect((await raw.postProto("forward_backward", { ...proto, model_id: model })).status).toBe(
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
    await raw.run("forward", forward);
    expect(await raw.result(waiting)).toEqual({ detail: expect.stringMatching(/without a grad/) });
  });
  await withServer([protoOnly], async (raw) => {
    const model = await raw.createModel(FULL);
    const forward_backward_input = { data, loss_fn: "cross_entropy" };
    const json = { model_id: model, seq_id: 1, forward_backward_input };
    expect((await raw.post("forward_backward", json)).status).toBe(415);
    const accepted = await raw.postProto("forward_backward", { ...proto, model_id: model });
    expect((await raw.protoResult(accepted)).length).toBeGreaterThan(20);
  });
});

it("a poisoned model is NaN until it is made anew", async () => {
  await withServer([poisons(2)], async (raw) => {
    const model = await raw.createModel(FULL);
    const sound = logprobsOf(await raw.forwardBackward(model, data));
    expect(sound.flat().every(Number.isFinite)).toBe(true);
    const poisoned = logprobsOf(await raw.forwardBackward(model, data));
    expect(poisoned.flat().some(Number.isFinite)).toBe(false);
    const anew = await raw.createModel(FULL);
    expect(await raw.forward(anew, data)).toEqual(sound);
  });
});

/** A client that only knows to try again: what every client of this protocol must at least do. */
class Stubborn extends Raw {
  override async post(...args: Parameters<Raw["post"]>): Promise<RawAnswer> {
    for (let attempt = 0; attempt < 50; attempt++) {
      const answer = await super.post(...args).catch(() => undefined);
      const again = !answer || answer.status === 429 || answer.status >= 500;
      if (!again) return answer;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    throw new Error("the server never came back");
  }

  /** A lost future is asked for again by its request. */
  override async run(path: string, body: unknown): Promise<RawAnswer["body"]> {
    for (;;) {
      const answer = await this.post(path, body);
      const { request_id } = answer.body;
      const polled = await this.post("retrieve_future", { request_id });
      if (polled.status === 200 && polled.body["type"] !== "try_again") return polled.body;
    }
  }
}

it("under faults of every kind, a client that tries again trains the same weights", async () => {
  const train = (behaviours: readonly Behaviour[]) =>
    withServer(behaviours, async (_, server) => {
      const raw = new Stubborn(server);
      await raw.openSession();
      const model = await raw.createModel(FULL);
      for (let step = 0; step < 12; step++) {
        await raw.forwardBackward(model, data);
        await raw.optimStep(model, ADAM);
      }
      return raw.forward(model, data);
    });
  const injected = faults({ seed: 5, probability: 0.7, most: 40, slowMs: 1 });
  expect(await train([injected])).toEqual(await train([]));
  expect(injected.total).toBe(40);
  const missing = FAULT_KINDS.filter((kind) => kind !== "restart" && injected.counts[kind] === 0);
  expect(missing).toEqual([]);
});
