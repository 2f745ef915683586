/**
 * Tests that no field of a request is ignored in silence: each is obeyed, changes nothing, or is refused by its name.
 */
import { expect, test } from "vitest";
import { ApiError } from "./api-error.ts";
import { parseRequest, requests } from "./requests.ts";

type RequestName = keyof typeof requests;

/** A body of each request as the official SDK sends it. */
const BODIES: Readonly<Record<RequestName, object>> = {
  createSession: { tags: [], user_metadata: null, sdk_version: "0.38", type: "create_session" },
  heartbeat: { session_id: "s", type: "session_heartbeat" },
  createModel: {
    session_id: "s",
    model_seq_id: 0,
    base_model: "b",
    lora_config: { rank: 8, seed: 1, train_unembed: true, train_mlp: true, train_attn: true },
    type: "create_model",
  },
  getInfo: { model_id: "m", type: "get_info" },
  unloadModel: { model_id: "m", type: "unload_model" },
  forwardBackward: {
    model_id: "m",
    seq_id: 1,
    forward_backward_input: { data: [], loss_fn: "ppo" },
  },
  forward: {
    model_id: "m",
    seq_id: 1,
    forward_input: {
      data: [
        {
          model_input: { chunks: [{ type: "encoded_text", tokens: [1] }] },
          loss_fn_inputs: { weights: { data: [1], dtype: "float32", shape: [1] } },
        },
      ],
      loss_fn: "cross_entropy",
    },
  },
  optimStep: { model_id: "m", seq_id: 2, adam_params: { learning_rate: 1e-4 }, type: "optim_step" },
  saveWeights: { model_id: "m", seq_id: 3, path: "p", type: "save_weights" },
  loadWeights: { model_id: "m", seq_id: 1, path: "p", optimizer: true, type: "load_weights" },
  createByLoading: { session_id: "s", model_seq_id: 0, path: "p" },
  saveForSampler: { model_id: "m", seq_id: 4, sampling_session_seq_id: 0 },
  createSamplingSession: { session_id: "s", sampling_session_seq_id: 0, base_model: "b" },
  sample: {
    sampling_session_id: "x",
    seq_id: 0,
    num_samples: 1,
    prompt: { chunks: [{ type: "encoded_text", tokens: [1] }] },
    sampling_params: { max_tokens: 4, seed: 1, stop: [2], temperature: 1, top_k: -1, top_p: 1 },
    prompt_logprobs: false,
    topk_prompt_logprobs: 0,
    type: "sample",
  },
  retrieveFuture: { request_id: "r", allow_metadata_only: true },
  cancelFuture: { request_id: "r" },
  weightsInfo: { tinker_path: "p" },
};
const names = Object.keys(BODIES) as RequestName[];

/** Returns the fields that a parse refuses, with the kinds of their errors. */
function listRefusals(name: RequestName, body: object): [string, string][] {
  try {
    parseRequest(requests[name], body);
    return [];
  } catch (error) {
    const { detail } = error as ApiError;
    if (!(error instanceof ApiError) || typeof detail === "string") throw error;
    return detail.map(({ type, loc }) => [loc.slice(1).join("."), type]);
  }
}

function listObjects(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  // The names of a loss's inputs and parameters are checked with the loss.
  if (typeof value !== "object" || value === null || path.at(-1) === "loss_fn_inputs") return [];
  const inside = Object.entries(value).flatMap(([key, inner]) =>
    listObjects(inner, [...path, key]),
  );
  return Array.isArray(value) ? inside : [path, ...inside];
}

test.each(names)(
  "%s is accepted as the SDK sends it, and refuses an unknown field anywhere",
  (name) => {
    const body = BODIES[name];
    expect(listRefusals(name, body)).toEqual([]);
    for (const path of listObjects(body)) {
      const copy = structuredClone(body) as Record<string, unknown>;
      let target = copy;
      for (const key of path) target = target[key] as Record<string, unknown>;
      target["mood"] = 1;
      expect(listRefusals(name, copy)).toEqual([[[...path, "mood"].join("."), "extra_forbidden"]]);
    }
  },
);

test.each<[RequestName, object, string]>([
  ["createModel", { optimizer_config: { type: "muon" } }, "optimizer_config.type"],
  ["loadWeights", { weights_access_token: "t" }, "weights_access_token"],
  ["saveForSampler", { kind: "merged" }, "kind"],
  ["sample", { topk_prompt_logprobs: 3 }, "topk_prompt_logprobs"],
  ["sample", { target_prompt_logprobs: [] }, "target_prompt_logprobs"],
  ["sample", { record_stability_info: true }, "record_stability_info"],
  ["sample", { sampling_params: { top_p: 2 } }, "sampling_params.top_p"],
  ["sample", { num_samples: 0 }, "num_samples"],
])("%s with %j is refused by its name", (name, more, field) => {
  expect(listRefusals(name, { ...BODIES[name], ...more }).map(([path]) => path)).toEqual([field]);
});
