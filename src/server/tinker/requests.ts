/**
 * What requests may hold: the wire's schemas, made strict. A field that nothing here reads is an error, so that no
 * client believes in an option that has no effect; fields of the official SDK that ask for nothing are let through.
 */
import { z } from "zod";
import { tinkerWire as wire } from "../../engine/index.ts";
import { ApiError, type FieldError } from "./api-error.ts";

const metadata = z.record(z.string(), z.unknown()).nullish();
const type = z.string().optional();
const tag = { type };
/** The only optimizer here. */
const optimizer_config = z.strictObject({ type: z.literal("adamw") }).nullish();
const none = z.literal(0).nullish();
const absent = z.null().optional();

const modelInput = z.strictObject({
  chunks: z.array(z.strictObject(wire.chunkSchema.shape)).min(1),
});
const tensor = z.strictObject({
  ...wire.tensorDataSchema.shape,
  sparse_crow_indices: absent,
  sparse_col_indices: absent,
});
const lossInput = z.strictObject({
  data: z.array(
    z.strictObject({ model_input: modelInput, loss_fn_inputs: z.record(z.string(), tensor) }),
  ),
  loss_fn: z.string(),
  loss_fn_config: z.record(z.string(), z.number()).nullish(),
});
const ofModel = wire.saveWeightsRequestSchema.pick({ model_id: true, seq_id: true }).shape;

export const requests = {
  createSession: z.strictObject({
    ...wire.createSessionRequestSchema.shape,
    ...tag,
    display_name: z.string().nullish(),
  }),
  heartbeat: z.strictObject({ ...wire.heartbeatRequestSchema.shape, ...tag }),
  createModel: z.strictObject({
    ...wire.createModelRequestSchema.shape,
    ...tag,
    lora_config: z.strictObject(wire.loraConfigSchema.shape).nullish(),
    optimizer_config,
  }),
  getInfo: z.strictObject({ ...wire.getInfoRequestSchema.shape, ...tag }),
  unloadModel: z.strictObject({ ...wire.unloadModelRequestSchema.shape, ...tag }),
  forwardBackward: z.strictObject({ ...ofModel, ...tag, forward_backward_input: lossInput }),
  forward: z.strictObject({ ...ofModel, ...tag, forward_input: lossInput }),
  optimStep: z.strictObject({
    ...ofModel,
    ...tag,
    adam_params: z
      .strictObject({
        learning_rate: z.number().nonnegative().default(1e-4),
        beta1: z.number().min(0).lt(1).default(0.9),
        beta2: z.number().min(0).lt(1).default(0.95),
        eps: z.number().positive().default(1e-12),
        weight_decay: z.number().nonnegative().default(0),
        grad_clip_norm: z.number().nonnegative().default(0),
      })
      .prefault({}),
  }),
  saveWeights: z.strictObject({
    ...wire.saveWeightsRequestSchema.shape,
    ...tag,
    ttl_seconds: z.number().positive().nullish(),
    user_metadata: metadata,
  }),
  loadWeights: z.strictObject({
    ...wire.loadWeightsRequestSchema.shape,
    ...tag,
    optimizer_config,
    weights_access_token: absent,
    session_id: absent,
    model_seq_id: absent,
  }),
  /** `load_weights` as a model's creation. */
  createByLoading: z.strictObject({
    ...wire.loadWeightsRequestSchema.omit({ model_id: true, seq_id: true }).shape,
    ...tag,
    ...wire.createModelRequestSchema.pick({
      session_id: true,
      model_seq_id: true,
      user_metadata: true,
    }).shape,
    optimizer_config,
    weights_access_token: absent,
    base_model: z.string().nullish(),
  }),
  saveForSampler: z.strictObject({
    ...wire.saveForSamplerRequestSchema.shape,
    ...tag,
    ttl_seconds: z.number().positive().nullish(),
    kind: z.literal("snapshot").nullish(),
    user_metadata: metadata,
  }),
  createSamplingSession: z.strictObject({
    ...wire.createSamplingSessionRequestSchema.shape,
    ...tag,
  }),
  sample: z.strictObject({
    ...wire.sampleRequestSchema.shape,
    ...tag,
    num_samples: z.int().min(1).max(1024).default(1),
    prompt: modelInput,
    sampling_params: z
      .strictObject({
        ...wire.samplingParamsSchema.shape,
        temperature: z.number().nonnegative().default(1),
        // The engine samples from the whole distribution.
        top_k: z.literal(-1).default(-1),
        top_p: z.literal(1).default(1),
      })
      .prefault({}),
    topk_prompt_logprobs: none,
    topk_sample_logprobs: none,
    prompt_alt_tokens_k: none,
    target_prompt_logprobs: absent,
    prompt_logprobs_last_n: z.int().positive().nullish(),
    record_stability_info: z.literal(false).nullish(),
    include_prompt_logprobs: z.literal(false).nullish(),
  }),
  retrieveFuture: z.strictObject(wire.retrieveFutureRequestSchema.shape),
  cancelFuture: z.strictObject({ request_id: z.string().min(1) }),
  weightsInfo: z.strictObject({ tinker_path: z.string() }),
} as const;

/** The request, or a 422 whose entries name every field that is wrong. */
export function parsed<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const result = schema.safeParse(body, { reportInput: true });
  if (result.success) return result.data;
  throw new ApiError(422, result.error.issues.slice(0, 16).flatMap(fieldErrors));
}

type Issue = z.core.$ZodIssue;

function fieldErrors(issue: Issue): FieldError[] {
  const loc = ["body", ...issue.path.map((part) => (typeof part === "symbol" ? "?" : part))];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      type: "extra_forbidden",
      loc: [...loc, key],
      msg: "Extra inputs are not permitted",
    }));
  }
  const missing = issue.code === "invalid_type" && issue.input === undefined;
  if (missing) return [{ type: "missing", loc, msg: "Field required" }];
  return [{ type: issue.code, loc, msg: issue.message, ...shown(issue.input) }];
}

/** Only what is small: a body may have megabytes. */
function shown(input: unknown): { readonly input?: unknown } {
  const isPlain = input === null || ["string", "number", "boolean"].includes(typeof input);
  return isPlain && String(input).length <= 200 ? { input } : {};
}
