/** Tests the protocol with the shipped server and a tiny model that really trains. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  createDatum,
  createPrompt,
  RawClient,
  readLogprobs,
} from "../../../tests/support/tinker-raw.ts";
import { startTestServer, type TestServer, TINY } from "../../../tests/support/tinker-server.ts";
import { createOnnxEngine, tinkerWire as wire } from "../../engine/index.ts";

// The limit only ends tests that hang; it is long because the machine may be busy.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let server: TestServer;
let raw: RawClient;
beforeAll(async () => {
  server = await startTestServer({ maxModels: 12, pollMs: 200 });
  raw = await RawClient.open(server);
});
afterAll(() => server.close());

const ROWS = [
  [3, 9, 4, 11, 5, 20],
  [7, 1, 2, 2, 40],
];
const weights = (row: readonly number[]) => row.slice(1).map(() => 1);
const data = ROWS.map((row) => createDatum(row, { weights: weights(row) }));
const STEP = {
  learningRate: 0.01,
  beta1: 0.9,
  beta2: 0.95,
  epsilon: 1e-12,
  weightDecay: 0,
  maxGradientNorm: Infinity,
};

describe("sessions and models", () => {
  it("the server answers requests for its health, capabilities and configuration", async () => {
    expect(await raw.get("healthz")).toEqual({ status: 200, body: { status: "ok" } });
    const { body } = await raw.get("get_server_capabilities");
    expect(body["supported_models"]).toEqual([
      {
        model_name: "tiny",
        max_context_length: TINY.contextLength,
        trainable: true,
        sampleable: true,
      },
    ]);
    const config = await raw.post("client/config", { sdk_version: "0" });
    expect(config.body).toEqual({ pjwt_auth_enabled: false });
  });

  it("a heartbeat succeeds for a session and gets a 404 for an unknown one", async () => {
    const alive = await raw.post("session_heartbeat", { session_id: raw.sessionId });
    expect(alive.status).toBe(200);
    const dead = await raw.post("session_heartbeat", { session_id: "nobody" });
    expect(dead).toMatchObject({ status: 404, body: { detail: /no session nobody/ } });
  });

  it("a model's id contains its session's, get_info describes it, and unload_model removes it", async () => {
    const model = await raw.createModel({ rank: 4, seed: 1 });
    expect(model).toMatch(new RegExp(`^${raw.sessionId}:train:\\d+$`));
    const { body } = await raw.post("get_info", { model_id: model });
    expect(body).toMatchObject({ model_id: model, is_lora: true, lora_rank: 4 });
    expect(await raw.postAndAwait("unload_model", { model_id: model })).toMatchObject({
      model_id: model,
    });
    expect((await raw.post("get_info", { model_id: model })).status).toBe(400);
  });
});

describe("training", () => {
  // This engine runs in a worker thread, as the engines of the shipped server do.
  it("gives the same bits as the embedded engine", async () => {
    const model = await raw.createModel({ rank: 0 });
    const engine = await createOnnxEngine({
      model: TINY,
      seed: 0,
      threads: 1,
      maxLiveRows: 1,
      weights: server.directory,
    });
    const rows = ROWS.map((tokens) => ({ tokens, at: tokens.slice(1).map((_, i) => i + 1) }));
    const slope = rows.map(({ at }) => ({ logprobs: at.map(() => -1) }));
    for (let step = 0; step < 3; step++) {
      const expected = await engine.accumulate(rows, slope);
      const output = await raw.forwardBackward(model, data);
      expect(readLogprobs(output)).toEqual(expected.map(({ logprobs }) => [...logprobs]));
      const loss = expected.flatMap(({ logprobs }) => [...logprobs]).reduce((a, b) => a - b, 0);
      expect(output.metrics["loss:sum"]).toBeCloseTo(loss, 5);
      const { gradientNorm } = await engine.update(STEP);
      const { metrics } = await raw.optimStep(model);
      expect(metrics).toMatchObject({ "grad_norm:mean": gradientNorm });
    }
    await engine.close();
  });

  it("both dialects give the same numbers", async () => {
    const model = await raw.createModel({ rank: 4, seed: 1 });
    const json = await raw.forward(model, data);
    const { model_id, seq_id } = raw.nextRequest(model);
    const request = { model_id, seq_id, data, loss_fn: "cross_entropy", forward_only: true };
    const accepted = await raw.postProtobuf("forward_backward", request);
    await raw.awaitResult(accepted);
    const proto = wire.decodeForwardBackwardOutput(await raw.fetchProtobufResult(accepted));
    expect(readLogprobs(proto)).toEqual(json);
  });

  it("gradients of several requests add up, and a step without a gradient is refused", async () => {
    const [once, twice] = [await raw.createModel({ rank: 0 }), await raw.createModel({ rank: 0 })];
    await raw.forwardBackward(once, data);
    await raw.forwardBackward(twice, data.slice(0, 1));
    await raw.forwardBackward(twice, data.slice(1));
    const norms = [await raw.optimStep(once), await raw.optimStep(twice)].map(({ metrics }) => {
      return (metrics as Record<string, number>)["grad_norm:mean"]!;
    });
    expect(norms[1]! / norms[0]!).toBeCloseTo(1, 5);
    expect(await raw.optimStep(once)).toMatchObject({
      category: "user",
      error: /without a gradient/,
    });
  });
});

it("training continues after a restart with the same numbers as without one", async () => {
  const train = async (model: string, steps: number) => {
    for (let step = 0; step < steps; step++) {
      await raw.forwardBackward(model, data);
      await raw.optimStep(model);
    }
  };
  const whole = await raw.createModel({ rank: 0 });
  await train(whole, 4);
  const expected = await raw.forward(whole, data);
  const cut = await raw.createModel({ rank: 0 });
  await train(cut, 2);
  const { path } = await raw.postAndAwait("save_weights", {
    ...raw.nextRequest(cut),
    path: "middle",
  });
  await server.restart();
  await raw.openSession();
  const resumed = await raw.createModel({ rank: 0 });
  await raw.postAndAwait("load_weights", { ...raw.nextRequest(resumed), path, optimizer: true });
  await train(resumed, 2);
  expect(await raw.forward(resumed, data)).toEqual(expected);
  const afresh = await raw.createModel({ rank: 0 });
  await raw.postAndAwait("load_weights", { ...raw.nextRequest(afresh), path, optimizer: false });
  await train(afresh, 2);
  expect(await raw.forward(afresh, data)).not.toEqual(expected);
});

describe("losses", () => {
  it("the gradient of every loss is its stated derivative", async () => {
    const [row] = ROWS as [number[]];
    const model = await raw.createModel({ rank: 4, seed: 1 });
    const [present] = (await raw.forward(model, [createDatum(row)])) as [number[]];
    const inputs = {
      logprobs: present.map((lp, t) => lp - 0.05 * (t - 2)),
      advantages: [1, -1, 0.5, 0, 2],
    };
    const norms: Record<string, number> = {};
    const slopes: Record<string, (ratio: number, A: number) => number> = {
      importance_sampling: (ratio, A) => -ratio * A,
      ppo: (ratio, A) => -ratio * A,
      cispo: (ratio, A) => -ratio * A,
      dro: (ratio, A) => -(A - 0.3 * Math.log(ratio)),
    };
    for (const [loss, slope] of Object.entries(slopes)) {
      const config = loss === "dro" ? { beta: 0.3 } : undefined;
      await raw.forwardBackward(model, [createDatum(row, inputs)], loss, config);
      const { metrics } = await raw.optimStep(model, { learning_rate: 0 });
      // Cross entropy with minus the derivative as weights has the same gradient.
      const weights = present.map((lp, t) => {
        return -slope(Math.exp(lp - inputs.logprobs[t]!), inputs.advantages[t]!);
      });
      await raw.forwardBackward(model, [createDatum(row, { weights })]);
      const same = (await raw.optimStep(model, { learning_rate: 0 })).metrics;
      const norm = (value: unknown) => (value as Record<string, number>)["grad_norm:mean"]!;
      norms[loss] = norm(metrics);
      expect(norm(metrics) / norm(same)).toBeCloseTo(1, 4);
    }
    expect(norms["dro"]).not.toBeCloseTo(norms["ppo"]!, 3);
  });
});

describe("sampling", () => {
  it("a sampling session keeps its weights while training continues", async () => {
    const model = await raw.createModel({ rank: 4, seed: 1 });
    const first = await raw.createSampler(model, 100);
    const before = await raw.sample({ sampling_session_id: first, seq_id: 0 });
    for (let step = 0; step < 4; step++) {
      await raw.forwardBackward(model, data);
      await raw.optimStep(model, { learning_rate: 0.1 });
    }
    const second = await raw.createSampler(model, 101);
    const after = await raw.sample({ sampling_session_id: second, seq_id: 0 });
    const again = await raw.sample({ sampling_session_id: first, seq_id: 1 });
    expect(again.sequences).toEqual(before.sequences);
    expect(after.sequences).not.toEqual(before.sequences);
  });

  it("the base model can be sampled by its name", async () => {
    const { sequences } = await raw.sample({ base_model: "tiny", num_samples: 3 });
    expect(sequences.map(({ tokens }) => tokens.length)).toEqual([6, 6, 6]);
  });

  it("log-probs of samples and of a prompt equal the trainer's", async () => {
    const model = await raw.createModel({ rank: 4, seed: 1 });
    const session = await raw.createSampler(model, 102);
    const { sequences } = await raw.sample({ sampling_session_id: session, seq_id: 0 });
    const [{ tokens, logprobs }] = sequences as [wire.SampledSequence];
    const row = [1, 2, 3, ...tokens];
    const [own] = await raw.forward(model, [createDatum(row)]);
    for (const [i, value] of logprobs!.entries()) expect(value).toBeCloseTo(own![2 + i]!, 4);
    const scored = await raw.sample({
      sampling_session_id: session,
      seq_id: 1,
      prompt: createPrompt(row),
      prompt_logprobs: true,
      sampling_params: { max_tokens: 1 },
    });
    expect(scored.prompt_logprobs).toHaveLength(row.length);
    expect(scored.prompt_logprobs![0]).toBeNull();
    expect(scored.prompt_logprobs![5]).toBeCloseTo(own![4]!, 4);
  });
});
