/**
 * The strict schemas of requests. A field that the server does not read is an error, so that no client relies on an
 * option without effect. Fields that the official SDK always sends are accepted when they request nothing.
 */
import { z } from "zod";
import { tinkerWire as wire } from "../../engine/index.ts";
import { ApiError, type FieldError } from "./api-error.ts";

const metadataField = z.record(z.string(), z.unknown()).nullish();
const typeTag = z.string().optional();
const typeField = { type: typeTag };
/** AdamW is the only optimizer of this server. */
const optimizer_config = z.strictObject({ type: z.literal("adamw") }).nullish();
const zeroOnly = z.literal(0).nullish();
const nullOnly = z.null().optional();

const modelInput = z.strictObject({
  chunks: z.array(z.strictObject(wire.chunkSchema.shape)).min(1),
});
const tensor = z.strictObject({
  ...wire.tensorDataSchema.shape,
  sparse_crow_indices: nullOnly,
  sparse_col_indices: nullOnly,
});
const lossInput = z.strictObject({
  data: z.array(
    z.strictObject({ model_input: modelInput, loss_fn_inputs: z.record(z.string(), tensor) }),
  ),
  loss_fn: z.string(),
  loss_fn_config: z.record(z.string(), z.number()).nullish(),
});
const modelRequestFields = wire.saveWeightsRequestSchema.pick({
  model_id: true,
  seq_id: true,
}).shape;

export const requests = {
  createSession: z.strictObject({
    ...wire.createSessionRequestSchema.shape,
    ...typeField,
    display_name: z.string().nullish(),
  }),
  heartbeat: z.strictObject({ ...wire.heartbeatRequestSchema.shape, ...typeField }),
  createModel: z.strictObject({
    ...wire.createModelRequestSchema.shape,
    ...typeField,
    lora_config: z.strictObject(wire.loraConfigSchema.shape).nullish(),
    optimizer_config,
  }),
  getInfo: z.strictObject({ ...wire.getInfoRequestSchema.shape, ...typeField }),
  unloadModel: z.strictObject({ ...wire.unloadModelRequestSchema.shape, ...typeField }),
  forwardBackward: z.strictObject({
    ...modelRequestFields,
    ...typeField,
    forward_backward_input: lossInput,
  }),
  forward: z.strictObject({ ...modelRequestFields, ...typeField, forward_input: lossInput }),
  optimStep: z.strictObject({
    ...modelRequestFields,
    ...typeField,
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
    ...typeField,
    ttl_seconds: z.number().positive().nullish(),
    user_metadata: metadataField,
  }),
  loadWeights: z.strictObject({
    ...wire.loadWeightsRequestSchema.shape,
    ...typeField,
    optimizer_config,
    weights_access_token: nullOnly,
    session_id: nullOnly,
    model_seq_id: nullOnly,
  }),
  /** The form of `load_weights` that also creates the model. */
  createByLoading: z.strictObject({
    ...wire.loadWeightsRequestSchema.omit({ model_id: true, seq_id: true }).shape,
    ...typeField,
    ...wire.createModelRequestSchema.pick({
      session_id: true,
      model_seq_id: true,
      user_metadata: true,
    }).shape,
    optimizer_config,
    weights_access_token: nullOnly,
    base_model: z.string().nullish(),
  }),
  saveForSampler: z.strictObject({
    ...wire.saveForSamplerRequestSchema.shape,
    ...typeField,
    ttl_seconds: z.number().positive().nullish(),
    kind: z.literal("snapshot").nullish(),
    user_metadata: metadataField,
  }),
  createSamplingSession: z.strictObject({
    ...wire.createSamplingSessionRequestSchema.shape,
    ...typeField,
  }),
  sample: z.strictObject({
    ...wire.sampleRequestSchema.shape,
    ...typeField,
    num_samples: z.int().min(1).max(1024).default(1),
    prompt: modelInput,
    sampling_params: z
      .strictObject({
        ...wire.samplingParamsSchema.shape,
        temperature: z.number().nonnegative().default(1),
        // The engine always samples from the whole distribution.
        top_k: z.literal(-1).default(-1),
        top_p: z.literal(1).default(1),
      })
      .prefault({}),
    topk_prompt_logprobs: zeroOnly,
    topk_sample_logprobs: zeroOnly,
    prompt_alt_tokens_k: zeroOnly,
    target_prompt_logprobs: nullOnly,
    prompt_logprobs_last_n: z.int().positive().nullish(),
    record_stability_info: z.literal(false).nullish(),
    include_prompt_logprobs: z.literal(false).nullish(),
  }),
  retrieveFuture: z.strictObject(wire.retrieveFutureRequestSchema.shape),
  cancelFuture: z.strictObject({ request_id: z.string().min(1) }),
  weightsInfo: z.strictObject({ tinker_path: z.string() }),
} as const;

/** Parses a request. Throws a 422 that names up to 16 wrong fields. */
export function parseRequest<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const result = schema.safeParse(body, { reportInput: true });
  if (result.success) return result.data;
  throw new ApiError(422, result.error.issues.slice(0, 16).flatMap(toFieldErrors));
}

type Issue = z.core.$ZodIssue;

function toFieldErrors(issue: Issue): FieldError[] {
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
  return [{ type: issue.code, loc, msg: issue.message, ...inputIfSmall(issue.input) }];
}

/** Returns the wrong value only when it is small, because a body may have megabytes. */
function inputIfSmall(input: unknown): { readonly input?: unknown } {
  const isPlain = input === null || ["string", "number", "boolean"].includes(typeof input);
  return isPlain && String(input).length <= 200 ? { input } : {};
}
