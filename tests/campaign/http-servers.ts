/** The servers that the campaign sends hostile requests to, each with requests that it answers well. */
import { join } from "node:path";
import { tinkerWire as wire } from "../../src/engine/index.ts";
import { openGateway, openStudio, startTinkerServer } from "../../src/server/index.ts";
import { scriptedSession } from "../../src/testing/scripted-session.ts";
import { writeSyntheticRun } from "../e2e/support/synthetic-run.ts";
import { CHAT, GOOGLE, MESSAGES, RESPONSES, RICH } from "../support/gateway-requests.ts";
import { createFakeBackend } from "../support/tinker-fake-backend.ts";

/** A request that the server answers with a 2xx or 4xx. */
export interface GoodRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A value is sent as JSON, and bytes as they are. */
  readonly body?: unknown;
}

export interface AttackedServer {
  readonly name: string;
  readonly port: number;
  readonly requests: readonly GoodRequest[];
  /** A request that is answered with 200 as long as the server lives. */
  readonly probe: GoodRequest;
  close(): Promise<unknown>;
}

const json = { "content-type": "application/json" };

/** Opens a gateway with a session that says little, in all dialects. */
async function openAttackedGateway(): Promise<AttackedServer> {
  const gateway = await openGateway({ graceMs: 2000, keepAliveMs: 500 });
  const session = scriptedSession((_, turn) =>
    turn % 2 === 0 ? "Yes." : { reasoning: "hm", text: "No." },
  );
  const { key, openaiBaseURL, anthropicBaseURL, googleBaseURL } = gateway.open(session);
  const headers = { ...json, authorization: `Bearer ${key}` };
  const user = [{ role: "user", content: "?" }];
  const dialects = [
    {
      url: openaiBaseURL,
      action: "chat/completions",
      cases: CHAT,
      rich: RICH["chat"]!,
      base: { messages: user },
    },
    {
      url: openaiBaseURL,
      action: "responses",
      cases: RESPONSES,
      rich: RICH["responses"]!,
      base: { input: "?" },
    },
    {
      url: anthropicBaseURL,
      action: "v1/messages",
      cases: MESSAGES,
      rich: RICH["messages"]!,
      base: { max_tokens: 9, messages: user },
    },
    ...["generateContent", "streamGenerateContent"].map((method) => ({
      url: googleBaseURL,
      action: `v1beta/models/m:${method}`,
      cases: GOOGLE,
      rich: RICH["google"]!,
      base: { contents: [{ parts: [{ text: "?" }] }] },
    })),
  ];
  const requests = dialects.flatMap(({ url, action, cases, rich, base }) => {
    const path = `${new URL(url).pathname}/${action}`;
    const bodies = [rich, ...cases.map(([fields]) => ({ ...base, ...fields }))];
    return bodies.flatMap((body) =>
      [body, { ...body, stream: true }].map((sent) => ({
        method: "POST",
        path,
        headers,
        body: sent,
      })),
    );
  });
  const base = new URL(openaiBaseURL).pathname;
  const count = `${new URL(anthropicBaseURL).pathname}/v1/messages/count_tokens`;
  const episode = base.replace(/\/openai.*/, "");
  const probe = { method: "GET", path: `${base}/models`, headers };
  return {
    name: "gateway",
    port: gateway.port,
    requests: [
      ...requests,
      probe,
      { method: "POST", path: count, headers, body: { messages: user } },
      { method: "POST", path: `${episode}/reward`, headers, body: { value: 1, metrics: { a: 2 } } },
    ],
    probe,
    close: () => gateway.close(),
  };
}

const TOKENS = { chunks: [{ type: "encoded_text", tokens: [1, 2, 3] }] };
const tensor = (data: readonly number[], dtype: string) => ({ data, dtype, shape: [data.length] });
const LOSS_INPUT = {
  data: [
    {
      model_input: TOKENS,
      loss_fn_inputs: {
        target_tokens: tensor([2, 3, 4], "int64"),
        weights: tensor([1, 1, 0], "float32"),
      },
    },
  ],
  loss_fn: "cross_entropy",
};

/** Opens a Tinker server without weights, with a session and a model. */
async function openAttackedTinkerServer(folder: string): Promise<AttackedServer> {
  const server = await startTinkerServer({
    backend: createFakeBackend(),
    stateDirectory: join(folder, "tinker"),
    pollMs: 20,
    bodyLimitBytes: 2 ** 20,
  });
  const post = async (path: string, body: object) => {
    const request = { method: "POST", headers: json, body: JSON.stringify(body) };
    return (await fetch(`${server.url}/api/v1/${path}`, request)).json() as Promise<
      Record<string, string>
    >;
  };
  const { session_id } = await post("create_session", { tags: [], sdk_version: "0.30.0" });
  const createModel = { session_id, model_seq_id: 0, base_model: "tiny", lora_config: { rank: 4 } };
  const { request_id } = await post("create_model", createModel);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const { model_id = "none" } = await post("retrieve_future", { request_id });
  const sampling = { session_id, sampling_session_seq_id: 0, base_model: "tiny" };
  const { sampling_session_id } = await post("create_sampling_session", sampling);
  const bodies: Readonly<Record<string, object>> = {
    create_session: { tags: ["a"], sdk_version: "0.30.0" },
    session_heartbeat: { session_id },
    create_model: { ...createModel, model_seq_id: 1 },
    get_info: { model_id },
    unload_model: { model_id: "other" },
    forward_backward: { model_id, seq_id: 1, forward_backward_input: LOSS_INPUT },
    forward: { model_id, seq_id: 2, forward_input: LOSS_INPUT },
    optim_step: { model_id, seq_id: 3, adam_params: { learning_rate: 0.1 } },
    save_weights: { model_id, seq_id: 4, path: "a" },
    load_weights: { model_id, seq_id: 5, path: `tinker://${model_id}/weights/a` },
    save_weights_for_sampler: { model_id, seq_id: 6, path: "b" },
    create_sampling_session: { ...sampling, sampling_session_seq_id: 1 },
    asample: {
      sampling_session_id,
      seq_id: 1,
      num_samples: 2,
      prompt: TOKENS,
      sampling_params: { max_tokens: 3 },
    },
    retrieve_future: { request_id },
    cancel_future: { request_id },
    weights_info: { tinker_path: `tinker://${model_id}/weights/a` },
    telemetry: { events: [] },
    "client/config": { sdk_version: "0.30.0" },
  };
  const protobuf = wire.encodeForwardBackwardRequest({
    model_id,
    seq_id: 7,
    data: [
      {
        model_input: { chunks: [{ type: "encoded_text", tokens: [1, 2, 3] }] },
        loss_fn_inputs: { target_tokens: { data: [2, 3, 4], dtype: "int64", shape: [3] } },
      },
    ],
    loss_fn: "cross_entropy",
  });
  const training = `/api/v1/training_runs/${model_id}/checkpoints`;
  const gets = [
    "/api/v1/get_server_capabilities",
    `/api/v1/samplers/${sampling_session_id}`,
    training,
    `${training}/weights/a/archive`,
    `${training}/weights/a/archive.tar`,
  ];
  return {
    name: "Tinker server",
    port: server.port,
    requests: [
      ...Object.entries(bodies).map(([path, body]) => ({
        method: "POST",
        path: `/api/v1/${path}`,
        headers: json,
        body,
      })),
      ...Array.from({ length: 6 }, () => ({
        method: "POST",
        path: "/api/v1/forward_backward",
        headers: { "content-type": wire.PROTOBUF },
        body: protobuf,
      })),
      ...gets.map((path) => ({ method: "GET", path })),
      { method: "DELETE", path: `${training}/weights/a` },
    ],
    probe: { method: "GET", path: "/api/v1/healthz" },
    close: () => server.close(),
  };
}

/** Opens the studio on a run that was not trained. Its requests open and play episodes of the toy world. */
async function openAttackedStudio(folder: string): Promise<AttackedServer> {
  const root = join(folder, "runs");
  writeSyntheticRun(join(root, "one"));
  const studio = await openStudio({ root });
  const headers = { authorization: `Bearer ${studio.token}` };
  const sent = { ...headers, ...json };
  const post = (path: string, body: unknown) => ({
    method: "POST",
    path: `/api/${path}`,
    headers: sent,
    body,
  });
  const opened = await fetch(`http://127.0.0.1:${studio.port}/api/episodes`, {
    method: "POST",
    headers: sent,
    body: JSON.stringify({ from: "task", world: "toy", seed: 1, task: "train/3/1" }),
  });
  const { id = "none" } = (await opened.json()) as { id?: string };
  const file = "runs/one/files/train-0001";
  const gets = [
    "studio",
    "runs",
    "runs/one",
    "runs/one/metrics",
    "runs/one/grid",
    "runs/one/files",
    "runs/one/behaviour?split=dev",
    "runs/one/trainer",
    `${file}/groups?offset=0&limit=5`,
    `${file}/rollouts`,
    `${file}/rollouts/1%2F0%2F0`,
    `${file}/rollouts/1%2F0%2F0/tokens`,
    `${file}/rollouts/1%2F0%2F0/replay?checks=1`,
    "documents",
    "documents/a",
    "worlds",
    "worlds/toy?seed=1",
    "worlds/toy/apps/shelf",
    "worlds/toy/tables/shelf.items?find=a&offset=0",
    "worlds/toy/tasks?split=dev&scenarios=2",
    `episodes/${id}`,
    `episodes/${id}/tables/shelf.items`,
  ];
  const probe = { method: "GET", path: "/api/studio", headers };
  return {
    name: "studio",
    port: studio.port,
    requests: [
      ...gets.map((path) => ({ method: "GET", path: `/api/${path}`, headers })),
      { method: "GET", path: "/" },
      post("episodes", { from: "task", world: "toy", seed: 1, task: "train/3/2" }),
      post("episodes", {
        from: "rollout",
        run: "one",
        file: "train-0001",
        rollout: "1/0/0",
        turn: 0,
      }),
      post(`episodes/${id}/step`, { code: "print(1)" }),
      post(`episodes/${id}/evaluate`, {}),
      post(`episodes/${id}/continue`, { turns: 1 }),
      post("runs", { setting: "smoke", method: "loop", name: "x", overrides: {} }),
      post("runs/one/resume", {}),
      post("runs/one/stop", {}),
    ],
    probe,
    close: () => studio.close(),
  };
}

/** Opens the three servers. `folder` gets their files. */
export function openAttackedServers(folder: string): Promise<AttackedServer[]> {
  return Promise.all([
    openAttackedGateway(),
    openAttackedTinkerServer(folder),
    openAttackedStudio(folder),
  ]);
}
