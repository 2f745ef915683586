/** Tests the server's protocol with a fake backend: order, repeated requests, refusals, checkpoints and restarts. */
import { existsSync } from "node:fs";
import { get } from "node:http";
import { dirname } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createFakeBackend, type FakeBackend } from "../../../tests/support/tinker-fake-backend.ts";
import { createDatum, createPrompt, RawClient } from "../../../tests/support/tinker-raw.ts";
import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from "../../../tests/support/tinker-server.ts";
import { tinkerWire as wire } from "../../engine/index.ts";

// The limit only ends tests that hang; it is long because the machine may be busy.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let server: TestServer;
let backend: FakeBackend;
let raw: RawClient;
async function openServer(options: TestServerOptions = {}): Promise<void> {
  backend = createFakeBackend();
  server = await startTestServer({ backend, pollMs: 30, ...options });
  raw = await RawClient.open(server);
}
afterEach(() => server.close());

const data = [createDatum([1, 2, 3])];
const forwardBackwardBody = (model_id: string, seq_id: number, count = 1) => ({
  model_id,
  seq_id,
  forward_backward_input: {
    data: new Array(count).fill(data[0]),
    loss_fn: "cross_entropy",
  },
});
const stepBody = (model_id: string, seq_id: number, learning_rate = 1) => ({
  model_id,
  seq_id,
  adam_params: { learning_rate },
});

describe("order of requests", () => {
  it("a model's requests run in the order of their numbers, and a poll names the missing number", async () => {
    await openServer();
    const model = await raw.createModel();
    const second = await raw.post("optim_step", stepBody(model, 2));
    const pending = await raw.post("retrieve_future", { request_id: second.body["request_id"] });
    expect(pending.body).toEqual({
      type: "try_again",
      request_id: `${model}:2`,
      queue_state: "active",
      queue_state_reason: "waiting for seq_id 1",
    });
    const first = await raw.post("forward_backward", forwardBackwardBody(model, 1));
    await Promise.all([raw.awaitResult(first), raw.awaitResult(second)]);
    expect(backend.done.slice(1)).toEqual(["forward_backward 1", "optim_step 1"]);
  });

  it("a repeated request in either dialect gets the same future and is done once", async () => {
    await openServer();
    const model = await raw.createModel();
    const body = forwardBackwardBody(model, 1);
    const answers = [await raw.post("forward_backward", body)];
    await raw.awaitResult(answers[0]!);
    answers.push(await raw.post("forward_backward", body));
    const { data, loss_fn } = body.forward_backward_input;
    const proto = { model_id: model, seq_id: 1, data, loss_fn };
    answers.push(await raw.postProtobuf("forward_backward", proto));
    expect(new Set(answers.map(({ body }) => body["request_id"]))).toEqual(new Set([`${model}:1`]));
    expect(backend.done).toEqual([`create ${model}`, "forward_backward 1"]);
  });

  it("refuses a different request with a used number", async () => {
    await openServer();
    const model = await raw.createModel();
    await raw.post("forward_backward", forwardBackwardBody(model, 1));
    const other = await raw.post("forward_backward", forwardBackwardBody(model, 1, 2));
    expect(other).toMatchObject({ status: 409, body: { detail: /number was reused/ } });
    const kind = await raw.post("optim_step", stepBody(model, 1));
    expect(kind.status).toBe(409);
  });

  it("a refused request does not use up its number", async () => {
    await openServer();
    const model = await raw.createModel();
    const wrong = {
      ...forwardBackwardBody(model, 1),
      forward_backward_input: { data, loss_fn: "pp" },
    };
    const refused = await raw.post("forward_backward", wrong);
    expect(refused).toMatchObject({ status: 422, body: { detail: /did you mean ppo/ } });
    const right = await raw.post("forward_backward", forwardBackwardBody(model, 1));
    expect((await raw.awaitResult(right))["loss_fn_outputs"]).toHaveLength(1);
  });

  it("repeated calls create a model and a sampling session only once", async () => {
    await openServer();
    const body = {
      session_id: raw.sessionId,
      model_seq_id: 0,
      base_model: "tiny",
      lora_config: { rank: 2 },
    };
    const [once, twice] = [
      await raw.post("create_model", body),
      await raw.post("create_model", body),
    ];
    expect(twice).toEqual(once);
    const other = { ...body, lora_config: { rank: 3 } };
    expect((await raw.post("create_model", other)).status).toBe(409);
    const sampling = {
      session_id: raw.sessionId,
      sampling_session_seq_id: 0,
      base_model: "tiny",
    };
    const session = await raw.post("create_sampling_session", sampling);
    expect(await raw.post("create_sampling_session", sampling)).toEqual(session);
    const id = session.body["sampling_session_id"] as string;
    const sample = {
      sampling_session_id: id,
      seq_id: 0,
      prompt: createPrompt([1]),
      num_samples: 2,
    };
    const seeded = { ...sample, sampling_params: { seed: 5, max_tokens: 2 } };
    const [first, again] = [await raw.post("asample", seeded), await raw.post("asample", seeded)];
    expect(again).toEqual(first);
    await raw.awaitResult(first);
    expect(backend.done.filter((line) => line.startsWith("sample"))).toEqual(["sample base 5,6"]);
    const changed = { ...seeded, num_samples: 1 };
    expect((await raw.post("asample", changed)).status).toBe(409);
  });

  it("a call repeated with its idempotency key gets the first answer, and another call with that key is refused", async () => {
    await openServer();
    const body = { tags: [], sdk_version: "test" };
    const key = { "x-idempotency-key": "k" };
    const first = await raw.post("create_session", body, key);
    expect(await raw.post("create_session", body, key)).toEqual(first);
    expect(await raw.post("create_session", body)).not.toEqual(first);
    const other = await raw.post("create_session", { ...body, tags: ["x"] }, key);
    expect(other.status).toBe(422);
  });
});

it("a model is unloaded once, after its earlier requests", async () => {
  await openServer();
  const model = await raw.createModel();
  await raw.post("forward_backward", forwardBackwardBody(model, 1));
  const [first, second] = [
    await raw.post("unload_model", { model_id: model }),
    await raw.post("unload_model", { model_id: model }),
  ];
  expect(second).toEqual(first);
  expect(await raw.awaitResult(first)).toMatchObject({ model_id: model });
  expect(await raw.post("unload_model", { model_id: model })).toEqual(first);
  expect(backend.done.slice(1)).toEqual(["forward_backward 1", `unload ${model}`]);
});

describe("refusals", () => {
  it("a 422 names every wrong field, as FastAPI does", async () => {
    await openServer();
    const { status, body } = await raw.post("create_model", {
      session_id: raw.sessionId,
      base_model: 3,
      lora_config: { rank: 2, alpha: 8 },
    });
    expect(status).toBe(422);
    expect(body["detail"]).toEqual([
      { type: "missing", loc: ["body", "model_seq_id"], msg: "Field required" },
      expect.objectContaining({ type: "invalid_type", loc: ["body", "base_model"], input: 3 }),
      {
        type: "extra_forbidden",
        loc: ["body", "lora_config", "alpha"],
        msg: "Extra inputs are not permitted",
      },
    ]);
  });

  it.each<[string, wire.Datum, RegExp]>([
    [
      "an id outside the vocabulary",
      createDatum([1, 48, 3]),
      /data\[0\]\.model_input\[1\].* 0 to 47, got 48/,
    ],
    ["a target outside the vocabulary", createDatum([1, 2, 99]), /target_tokens\[1\].*got 99/],
    ["too few weights", createDatum([1, 2, 3], { weights: [1] }), /weights: expected 2 values/],
    ["a weight of NaN", createDatum([1, 2], { weights: [Number.NaN] }), /weights\[0\].*NaN/],
    [
      "an input that belongs to another loss",
      createDatum([1, 2], { advantages: [1] }),
      /has no input advantages/,
    ],
    [
      "a row longer than the context",
      createDatum(new Array(66).fill(1)),
      /exceed the context of 64/,
    ],
  ])("forward_backward refuses %s", async (_, bad, message) => {
    await openServer();
    const model = await raw.createModel();
    const { status, body } = await raw.post("forward_backward", {
      model_id: model,
      seq_id: 1,
      forward_backward_input: { data: [bad], loss_fn: "cross_entropy" },
    });
    expect([status, body["detail"]]).toEqual([400, expect.stringMatching(message)]);
  });

  it.each([
    [
      "an unknown parameter",
      "ppo",
      { clip: 0.1 },
      /has no parameter clip; its parameters are clip_low/,
    ],
    ["a missing parameter", "dro", {}, /dro needs the parameter beta/],
    ["a lower bound above the upper bound", "cispo", { clip_high_threshold: -1 }, /expected 0 <=/],
  ])("forward_backward refuses %s of a loss", async (_, loss_fn, loss_fn_config, message) => {
    await openServer();
    const model = await raw.createModel();
    const inputs = { logprobs: [-1, -1], advantages: [1, 1] };
    const { status, body } = await raw.post("forward_backward", {
      model_id: model,
      seq_id: 1,
      forward_backward_input: { data: [createDatum([1, 2, 3], inputs)], loss_fn, loss_fn_config },
    });
    expect([status, body["detail"]]).toEqual([422, expect.stringMatching(message)]);
  });

  it.each<[string, object, number]>([
    ["a top_p above 1", { top_p: 1.1 }, 422],
    ["min_p", { min_p: 0.1 }, 422],
    ["a negative temperature", { temperature: -1 }, 422],
    ["stop texts without a tokenizer", { stop: "end" }, 400],
    ["a stop id outside the vocabulary", { stop: [48] }, 400],
  ])("asample refuses %s", async (_, sampling_params, status) => {
    await openServer();
    const request = { base_model: "tiny", prompt: createPrompt([1]), sampling_params };
    expect((await raw.post("asample", request)).status).toBe(status);
  });

  it("wrong media types, broken JSON, large bodies and unknown routes get their HTTP status", async () => {
    await openServer({ bodyLimitBytes: 2000 });
    const text = await raw.post("create_session", "{}", { "content-type": "text/plain" });
    expect(text.status).toBe(415);
    expect(await raw.post("create_session", "{")).toMatchObject({
      status: 422,
      body: { detail: [{ type: "json_invalid" }] },
    });
    const large = JSON.stringify({ tags: ["x".repeat(3000)], sdk_version: "" });
    expect((await raw.post("create_session", large)).status).toBe(413);
    expect((await raw.post("nothing", {})).status).toBe(404);
    expect((await raw.get("create_session")).status).toBe(405);
    expect((await raw.post("retrieve_future", { request_id: "x" })).status).toBe(404);
    const model = await raw.createModel();
    const [other] = [
      await fetch(`${server.url}/api/v1/forward_backward`, {
        method: "POST",
        headers: { "content-type": wire.PROTOBUF },
        body: Uint8Array.from([255, 1, 2]),
      }),
    ];
    expect([other.status, model]).toEqual([422, expect.any(String)]);
  });

  it("a request for another host name gets a 421", async () => {
    await openServer();
    const status = await new Promise((resolve, reject) => {
      const headers = { host: "elsewhere.example" };
      get(`${server.url}/api/v1/healthz`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on("error", reject);
    });
    expect(status).toBe(421);
  });

  it("work that fails gives an error outcome that says who caused it", async () => {
    await openServer();
    const model = await raw.createModel();
    backend.failure = new Error("the disk is full");
    const failed = await raw.postAndAwait("save_weights", { ...raw.nextRequest(model), path: "a" });
    expect(failed).toEqual({ error: "the disk is full", category: "server" });
    const saved = await raw.postAndAwait("save_weights", { ...raw.nextRequest(model), path: "a" });
    expect(saved["path"]).toBe(`tinker://${model}/weights/a`);
  });
});

describe("checkpoints", () => {
  it("can be listed, described, loaded and deleted by their paths", async () => {
    await openServer();
    const model = await raw.createModel({ rank: 3 });
    const save = { ...raw.nextRequest(model), path: "first", user_metadata: { step: 1 } };
    const path = (await raw.postAndAwait("save_weights", save))["path"] as string;
    const again = await raw.post("save_weights", { ...raw.nextRequest(model), path: "first" });
    expect(again).toMatchObject({ status: 409, body: { detail: /exists already/ } });
    const info = await raw.post("weights_info", { tinker_path: path });
    expect(info.body).toMatchObject({ base_model: "tiny", is_lora: true, lora_rank: 3 });
    const listed = await raw.get(`training_runs/${encodeURIComponent(model)}/checkpoints`);
    expect(listed.body["checkpoints"]).toMatchObject([
      { checkpoint_id: "weights/first", tinker_path: path, user_metadata: { step: 1 } },
    ]);
    const other = await raw.createModel({ rank: 4 });
    const unlike = await raw.post("load_weights", {
      ...raw.nextRequest(other),
      path,
      optimizer: true,
    });
    expect(unlike).toMatchObject({ status: 400, body: { detail: /has rank 3.*has rank 4/ } });
    const same = await raw.createModel({ rank: 3 });
    await raw.postAndAwait("load_weights", { ...raw.nextRequest(same), path, optimizer: true });
    const late = await raw.post("load_weights", {
      ...raw.nextRequest(same),
      path,
      optimizer: true,
    });
    expect(late).toMatchObject({
      status: 400,
      body: { detail: /LoadWeights is not permitted with seq_id 2/ },
    });
    const created = await raw.postAndAwait("load_weights", {
      session_id: raw.sessionId,
      model_seq_id: 99,
      path,
      optimizer: false,
    });
    expect(created).toMatchObject({ model_id: `${raw.sessionId}:train:99` });
    const described = await raw.post("get_info", { model_id: created["model_id"] });
    expect(described.body).toMatchObject({ lora_rank: 3 });
    expect(backend.done.slice(-2)).toEqual([`create ${created["model_id"]}`, "load true false"]);
    const address = `${server.url}/api/v1/training_runs/${model}/checkpoints/weights/first`;
    expect((await fetch(address, { method: "DELETE" })).status).toBe(200);
    expect((await raw.post("weights_info", { tinker_path: path })).status).toBe(404);
  });

  it("cannot have names that lead to another folder", async () => {
    await openServer();
    const model = await raw.createModel();
    for (const path of ["..", "a/b", "", "-x"]) {
      const { status } = await raw.post("save_weights", { model_id: model, seq_id: 1, path });
      expect([path, status]).toEqual([path, 422]);
    }
    const tinker_path = "tinker://../weights/x";
    expect((await raw.post("weights_info", { tinker_path })).status).toBe(400);
  });

  it("expire after their ttl_seconds", async () => {
    let now = 1000;
    await openServer({ now: () => now });
    const model = await raw.createModel();
    const save = { ...raw.nextRequest(model), path: "brief", ttl_seconds: 60 };
    const { path: tinker_path } = await raw.postAndAwait("save_weights", save);
    expect((await raw.post("weights_info", { tinker_path })).status).toBe(200);
    now += 61;
    expect((await raw.post("weights_info", { tinker_path })).status).toBe(404);
  });

  it("of unnamed sampler weights only the newest are kept", async () => {
    await openServer({ keptSamplers: 2 });
    const model = await raw.createModel();
    const sessions = [];
    for (let n = 0; n < 3; n++) sessions.push(await raw.createSampler(model, n));
    const ask = (sampling_session_id: string) =>
      raw.post("asample", { sampling_session_id, seq_id: 0, prompt: createPrompt([1]) });
    expect((await ask(sessions[0]!)).status).toBe(404);
    expect((await ask(sessions[2]!)).status).toBe(200);
    const { body } = await raw.get(`samplers/${encodeURIComponent(sessions[2]!)}`);
    expect(body).toEqual({ sampler_id: sessions[2], base_model: "tiny" });
  });
});

describe("a restart", () => {
  it("loses models, sessions and running requests, and keeps checkpoints and results", async () => {
    await openServer();
    const model = await raw.createModel();
    const done = await raw.post("forward_backward", forwardBackwardBody(model, 1));
    const result = await raw.awaitResult(done);
    const saved = await raw.postAndAwait("save_weights", {
      model_id: model,
      seq_id: 2,
      path: "kept",
    });
    let letGo = () => {};
    backend.blockedUntil = new Promise((resolve) => {
      letGo = resolve;
    });
    const running = await raw.post("forward_backward", forwardBackwardBody(model, 3));
    await server.restart();
    letGo();
    expect(await raw.awaitResult(done)).toEqual(result);
    const lost = await raw.post("retrieve_future", { request_id: running.body["request_id"] });
    expect(lost.status).toBe(410);
    const gone = await raw.post("optim_step", stepBody(model, 4));
    expect(gone).toMatchObject({ status: 400, body: { detail: /is not loaded/ } });
    expect((await raw.post("session_heartbeat", { session_id: raw.sessionId })).status).toBe(404);
    await raw.openSession();
    const next = await raw.createModel();
    expect(next).not.toBe(model);
    const load = { ...raw.nextRequest(next), path: saved["path"], optimizer: true };
    expect(await raw.postAndAwait("load_weights", load)).toMatchObject({ path: saved["path"] });
  });

  it("writes new sampler weights to another folder than an earlier process that is still writing", async () => {
    await openServer();
    const folders: string[] = [];
    const { saveSampler } = backend;
    backend.saveSampler = (id, folder) => {
      folders.push(folder);
      return saveSampler(id, folder);
    };
    const save = (model_id: string) =>
      raw.post("save_weights_for_sampler", {
        ...raw.nextRequest(model_id),
        sampling_session_seq_id: 1,
      });
    let letGo = () => {};
    const model = await raw.createModel();
    backend.blockedUntil = new Promise((resolve) => {
      letGo = resolve;
    });
    await save(model);
    await vi.waitFor(() => expect(folders).toHaveLength(1));
    const { blockedUntil } = backend;
    await server.restart();
    backend.blockedUntil = undefined;
    await raw.openSession();
    await raw.awaitResult(await save(await raw.createModel()));
    letGo();
    await blockedUntil;
    await vi.waitFor(() =>
      expect(folders.map((folder) => existsSync(folder))).toEqual([true, true]),
    );
    expect(new Set(folders.map((folder) => dirname(folder))).size).toBe(2);
    // The next start removes the folders of the earlier starts.
    await server.restart();
    expect(folders.map((folder) => existsSync(folder))).toEqual([false, false]);
  });
});
