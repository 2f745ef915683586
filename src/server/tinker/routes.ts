/**
 * Routes requests. Each handler parses the request, calls one of the server's parts, and answers. Long work is answered
 * with `{request_id}`, and `retrieve_future` returns its result.
 */
import { errorMessage } from "../../core/index.ts";
import { tinkerWire as wire } from "../../engine/index.ts";
import { HttpRefusal, readJsonText, readMediaType } from "../http/index.ts";
import { ApiError, throwApiError } from "./api-error.ts";
import { type CheckpointKind, type CheckpointRecord, formatCheckpointPath } from "./checkpoints.ts";
import type { Exchange, HttpCall, HttpReply } from "./exchange.ts";
import { type LossInput, parseLossBatch } from "./loss-batch.ts";
import { parseRequest, requests } from "./requests.ts";
import { retrieveFuture } from "./retrieve-future.ts";
import type { Service } from "./service.ts";

type Handler = (
  service: Service,
  call: HttpCall,
  captured: readonly string[],
) => Promise<unknown> | unknown;

const PREFIX = "/api/v1";

/** A notice for clients, sent when a session is created. */
const NOTICE =
  "embedded engine: LoRA adapts the attention and MLP projections; train_unembed has no effect, because the unembedding is frozen";

const POST: Readonly<Record<string, Handler>> = {
  "/client/config": () => ({ pjwt_auth_enabled: false }),
  "/client/dynamic_config": () => ({ sample_cancel_enabled: true }),
  "/telemetry": () => ({ status: "accepted" }),
  "/create_session": ({ sessions }, call) => {
    parseRequest(requests.createSession, parseJsonBody(call));
    return { type: "create_session", session_id: sessions.createSession(), info_message: NOTICE };
  },
  "/session_heartbeat": ({ sessions }, call) => {
    sessions.recordActivity(parseRequest(requests.heartbeat, parseJsonBody(call)).session_id);
    return { type: "session_heartbeat" };
  },
  "/create_model": ({ models }, call) => {
    return models.createModel(parseRequest(requests.createModel, parseJsonBody(call)));
  },
  "/get_info": ({ models }, call) => {
    return models.describeModel(parseRequest(requests.getInfo, parseJsonBody(call)).model_id);
  },
  "/unload_model": ({ models }, call) => {
    return futureReply(
      models.unload(parseRequest(requests.unloadModel, parseJsonBody(call)).model_id),
    );
  },
  "/forward_backward": (service, call) => {
    if (isProtobuf(call)) return submitProtobufForwardBackward(service, call.body);
    const body = parseRequest(requests.forwardBackward, parseJsonBody(call));
    return submitForwardBackward(service, body, body.forward_backward_input, false);
  },
  "/forward": (service, call) => {
    const body = parseRequest(requests.forward, parseJsonBody(call));
    return submitForwardBackward(service, body, body.forward_input, true);
  },
  "/optim_step": ({ training }, call) => {
    const body = parseRequest(requests.optimStep, parseJsonBody(call));
    return futureReply(training.optimStep(body, body.adam_params));
  },
  "/save_weights": ({ training }, call) => {
    return futureReply(
      training.saveWeights(parseRequest(requests.saveWeights, parseJsonBody(call))),
    );
  },
  "/load_weights": ({ models, training }, call) => {
    const loadBody = parseJsonBody(call);
    if (isObject(loadBody) && "session_id" in loadBody && !("model_id" in loadBody)) {
      return models.createModelByLoading(parseRequest(requests.createByLoading, loadBody));
    }
    const body = parseRequest(requests.loadWeights, loadBody);
    return futureReply(training.loadWeights(body, body.path, body.optimizer));
  },
  "/save_weights_for_sampler": ({ samplers }, call) => {
    return futureReply(samplers.save(parseRequest(requests.saveForSampler, parseJsonBody(call))));
  },
  "/create_sampling_session": ({ samplers }, call) => {
    const sampling_session_id = samplers.createSession(
      parseRequest(requests.createSamplingSession, parseJsonBody(call)),
    );
    return { type: "create_sampling_session", sampling_session_id };
  },
  "/asample": ({ samplers }, call) => {
    const body = parseRequest(requests.sample, parseJsonBody(call));
    const request_id = samplers.sample(body);
    const ids = Array.from({ length: body.num_samples }, (_, i) => `${request_id}:${i}`);
    return { request_id, sample_sequence_ids: ids };
  },
  "/retrieve_future": (service, call) => {
    const { request_id } = parseRequest(requests.retrieveFuture, parseJsonBody(call));
    return retrieveFuture(service, request_id, call);
  },
  "/cancel_future": ({ futures }, call) => {
    const { request_id } = parseRequest(requests.cancelFuture, parseJsonBody(call));
    return { request_id, cancelled: futures.cancel(request_id) };
  },
  "/weights_info": ({ checkpoints }, call) => {
    const { tinker_path } = parseRequest(requests.weightsInfo, parseJsonBody(call));
    const { record } = checkpoints.read(tinker_path);
    const { base_model, lora_rank, train_mlp, train_attn } = record;
    const is_lora = lora_rank > 0;
    return { base_model, is_lora, lora_rank, train_unembed: !is_lora, train_mlp, train_attn };
  },
};

/** The routes with variable parts, which are tried in order. */
const PATTERNS: readonly (readonly [method: string, pattern: RegExp, handler: Handler])[] = [
  ["GET", /^\/healthz$/, () => ({ status: "ok" })],
  [
    "GET",
    /^\/get_server_capabilities$/,
    ({ backend: { base } }) => ({
      supported_models: [
        {
          model_name: base.name,
          max_context_length: base.contextLength,
          trainable: true,
          sampleable: true,
        },
      ],
    }),
  ],
  ["GET", /^\/samplers\/([^/]+)$/, ({ samplers }, _, [id]) => samplers.describeSession(id!)],
  [
    "GET",
    /^\/training_runs\/([^/]+)\/checkpoints$/,
    ({ checkpoints }, _, [id]) => ({ checkpoints: checkpoints.list(id!).map(formatCheckpoint) }),
  ],
  // The SDK reads the URL from the `location` header and downloads it without a key.
  [
    "GET",
    /^\/training_runs\/([^/]+)\/checkpoints\/(weights|sampler_weights)\/([^/]+)\/archive$/,
    ({ checkpoints }, { headers }, [id, kind, name]) => {
      checkpoints.read(checkpointPathFromRoute([id!, kind!, name!]));
      const route = `${PREFIX}/training_runs/${encodeURIComponent(id!)}/checkpoints/${kind}/${name}`;
      const url = `http://${headers["host"]}${route}/archive.tar`;
      return { status: 302, json: { url }, headers: { location: url } };
    },
  ],
  [
    "GET",
    /^\/training_runs\/([^/]+)\/checkpoints\/(weights|sampler_weights)\/([^/]+)\/archive\.tar$/,
    ({ checkpoints }, _, named) => ({
      status: 200,
      archive: checkpoints.archive(checkpointPathFromRoute(named)),
    }),
  ],
  [
    "DELETE",
    /^\/training_runs\/([^/]+)\/checkpoints\/(weights|sampler_weights)\/([^/]+)$/,
    ({ checkpoints }, _, named) => {
      checkpoints.remove(checkpointPathFromRoute(named));
      return {};
    },
  ],
];

/** Returns the `tinker://` path of the checkpoint that a route names by model, kind and name. */
function checkpointPathFromRoute([modelId, kind, name]: readonly string[]): string {
  return formatCheckpointPath({ modelId: modelId!, kind: kind as CheckpointKind, name: name! });
}

/** Makes the exchange, which turns errors into answers: an ApiError into its status, any other error into a 500. */
export function createExchange(service: Service): Exchange {
  return async (call) => {
    try {
      const answer = await routeCall(service, call);
      return isReply(answer) ? answer : { status: 200, json: answer };
    } catch (error) {
      if (error instanceof ApiError)
        return { status: error.status, json: { detail: error.detail } };
      if (error instanceof HttpRefusal)
        return { status: error.status, json: { detail: error.message } };
      return { status: 500, json: { detail: errorMessage(error) } };
    }
  };
}

function routeCall(service: Service, call: HttpCall): unknown {
  const path = call.path.startsWith(`${PREFIX}/`) ? call.path.slice(PREFIX.length) : "";
  const post = POST[path];
  if (post) {
    if (call.method !== "POST") throwApiError(405, "Method Not Allowed");
    return post(service, call, []);
  }
  for (const [method, pattern, handler] of PATTERNS) {
    const found = pattern.exec(path);
    if (found && method === call.method) {
      return handler(service, call, found.slice(1).map(decodePathPart));
    }
  }
  throwApiError(404, "Not Found");
}

function decodePathPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throwApiError(400, "the path is not correctly URL-encoded");
  }
}

function futureReply(request_id: string): { readonly request_id: string } {
  return { request_id };
}

function submitForwardBackward(
  { models, training, backend }: Service,
  call: { readonly model_id: string; readonly seq_id?: number | null | undefined },
  input: LossInput,
  forwardOnly: boolean,
) {
  models.getOptions(call.model_id);
  return futureReply(
    training.forwardBackward(call, parseLossBatch(input, backend.base), forwardOnly),
  );
}

function submitProtobufForwardBackward(service: Service, body: Uint8Array) {
  const { forward_only = false, ...request } = decodeProtobufBody(body);
  return submitForwardBackward(service, request, request, forward_only);
}

function decodeProtobufBody(body: Uint8Array): wire.ForwardBackwardRequest {
  try {
    return wire.decodeForwardBackwardRequest(body);
  } catch (error) {
    throwApiError(422, errorMessage(error));
  }
}

function formatCheckpoint({ path, created, expires, user_metadata }: CheckpointRecord) {
  const [, kind, name] = /\/(weights|sampler_weights)\/(.+)$/.exec(path) ?? [];
  const formatTime = (seconds: number) => new Date(seconds * 1000).toISOString();
  return {
    checkpoint_id: `${kind}/${name}`,
    checkpoint_type: kind === "weights" ? "training" : "sampler",
    tinker_path: path,
    time: formatTime(created),
    public: false,
    ...(expires !== undefined && { expires_at: formatTime(expires) }),
    ...(user_metadata && { user_metadata }),
  };
}

function isProtobuf(call: HttpCall): boolean {
  return readMediaType(call.headers) === wire.PROTOBUF;
}

/**
 * Parses a JSON body and refuses other media types. Any web page can send those to a local server, but for JSON a
 * browser first asks the server for permission and does not get it.
 */
function parseJsonBody(call: HttpCall): unknown {
  if (readMediaType(call.headers) !== "application/json") {
    throwApiError(
      415,
      `expected Content-Type application/json, got ${readMediaType(call.headers) || "none"}`,
    );
  }
  const text = readJsonText(call.body);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ApiError(422, [
      { type: "json_invalid", loc: ["body"], msg: `JSON decode error: ${errorMessage(error)}` },
    ]);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isReply(answer: unknown): answer is HttpReply {
  return (
    isObject(answer) &&
    "status" in answer &&
    ("json" in answer || "proto" in answer || "archive" in answer)
  );
}
