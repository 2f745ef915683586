/**
 * Requests and answers of the Tinker REST protocol as they cross the wire; their fields are in snake case.
 *
 * Each is a zod schema, so a client checks answers and a server checks requests with the same definition. Fields that a
 * schema does not name are dropped, because services differ in what they add. NaN is null in JSON.
 * Source: the official Python SDK `tinker` 0.24 to 0.38; docs/reference/tinker.md says where servers differ.
 */
import { z } from "zod";

const nonEmptyText = z.string().min(1);
const tokenId = z.int();
const nonNegativeCount = z.int().nonnegative();
/** JSON has no NaN, so servers write null, which becomes NaN in memory. */
const floatOrNull = z
  .number()
  .nullable()
  .transform((value) => value ?? Number.NaN);

export const tensorDataSchema = z.object({
  /** The values in row-major order. */
  data: z.array(floatOrNull),
  dtype: z.enum(["int64", "float32"]),
  shape: z.array(nonNegativeCount).optional(),
});
export type TensorData = z.output<typeof tensorDataSchema>;

/** The protocol also has images and audio; this code takes text only. */
export const chunkSchema = z.object({
  type: z.literal("encoded_text"),
  tokens: z.array(tokenId),
});
export type Chunk = z.output<typeof chunkSchema>;

export const modelInputSchema = z.object({ chunks: z.array(chunkSchema) });
export type ModelInput = z.output<typeof modelInputSchema>;

/** For a whole sequence x of length L, `model_input` is x[0..L-2] and every tensor is aligned with x[1..L-1]. */
export const datumSchema = z.object({
  model_input: modelInputSchema,
  loss_fn_inputs: z.record(z.string(), tensorDataSchema),
});
export type Datum = z.output<typeof datumSchema>;

const lossInputSchema = z.object({
  data: z.array(datumSchema),
  loss_fn: z.string(),
  loss_fn_config: z.record(z.string(), z.number()).nullish(),
});
export type LossInput = z.output<typeof lossInputSchema>;

/** The fields of every request to a model. `seq_id` numbers a model's requests from 1 without a gap. */
const modelRequestFields = { model_id: nonEmptyText, seq_id: nonNegativeCount.nullish() };

/** The body of `POST /forward_backward` in the JSON dialect. */
export const forwardBackwardBodySchema = z.object({
  ...modelRequestFields,
  forward_backward_input: lossInputSchema,
});
/** The body of `POST /forward` in the JSON dialect. */
export const forwardBodySchema = z.object({
  ...modelRequestFields,
  forward_input: lossInputSchema,
});

/** A forward or forward-backward request in memory, with the fields of protobuf's `ForwardBackwardRequest`. */
export interface ForwardBackwardRequest {
  model_id: string;
  seq_id?: number;
  data: Datum[];
  loss_fn: string;
  loss_fn_config?: Record<string, number>;
  forward_only?: boolean;
}

export const forwardBackwardOutputSchema = z.object({
  loss_fn_output_type: z.string().default(""),
  /** The named outputs of each datum, in order; `logprobs` is always one of them. */
  loss_fn_outputs: z.array(z.record(z.string(), tensorDataSchema)),
  metrics: z
    .record(z.string(), floatOrNull)
    .nullish()
    .transform((value) => value ?? {}),
});
export type ForwardBackwardOutput = z.output<typeof forwardBackwardOutputSchema>;

export const samplingParamsSchema = z.object({
  max_tokens: z.int().positive().nullish(),
  seed: z.int().nullish(),
  stop: z.union([z.string(), z.array(z.string()), z.array(tokenId)]).nullish(),
  temperature: z.number().default(1),
  top_k: z.int().default(-1),
  top_p: z.number().default(1),
});
export type SamplingParams = z.input<typeof samplingParamsSchema>;

export const sampleRequestSchema = z.object({
  sampling_session_id: z.string().nullish(),
  seq_id: nonNegativeCount.nullish(),
  base_model: z.string().nullish(),
  model_path: z.string().nullish(),
  num_samples: z.int().positive().default(1),
  prompt: modelInputSchema,
  sampling_params: samplingParamsSchema.prefault({}),
  prompt_logprobs: z.boolean().nullish(),
  topk_prompt_logprobs: nonNegativeCount.nullish(),
});
export type SampleRequestBody = z.input<typeof sampleRequestSchema>;

export const sampledSequenceSchema = z.object({
  stop_reason: z.enum(["stop", "length"]),
  tokens: z.array(tokenId),
  logprobs: z.array(floatOrNull).nullish(),
});
export type SampledSequence = z.output<typeof sampledSequenceSchema>;

export const sampleResponseSchema = z.object({
  sequences: z.array(sampledSequenceSchema),
  /** One log-prob per prompt token, null where there is none. Some servers leave out the first token's. */
  prompt_logprobs: z.array(z.number().nullable()).nullish(),
  topk_prompt_logprobs: z.array(z.array(z.tuple([tokenId, z.number()])).nullable()).nullish(),
  prompt_cache_hit_tokens: nonNegativeCount.nullish(),
});
export type SampleResponse = z.output<typeof sampleResponseSchema>;

/** The parameters of AdamW with decoupled weight decay. A `grad_clip_norm` of 0 means no clipping. */
export const adamParamsSchema = z.object({
  learning_rate: z.number().default(1e-4),
  beta1: z.number().default(0.9),
  beta2: z.number().default(0.95),
  eps: z.number().default(1e-12),
  weight_decay: z.number().default(0),
  grad_clip_norm: z.number().default(0),
});
export type AdamParams = z.output<typeof adamParamsSchema>;

export const optimStepRequestSchema = z.object({
  ...modelRequestFields,
  adam_params: adamParamsSchema.prefault({}),
});
export const optimStepResponseSchema = z.object({
  /** Servers differ in which metrics they send and how they name them. */
  metrics: z.record(z.string(), floatOrNull).nullish(),
});
export type OptimStepResponse = z.output<typeof optimStepResponseSchema>;

export const loraConfigSchema = z.object({
  /** Rank 0 means that all weights are trained, where a server offers that. */
  rank: nonNegativeCount,
  seed: z.int().nullish(),
  train_unembed: z.boolean().default(true),
  train_mlp: z.boolean().default(true),
  train_attn: z.boolean().default(true),
});
export type LoraConfig = z.input<typeof loraConfigSchema>;

export const createModelRequestSchema = z.object({
  session_id: nonEmptyText,
  model_seq_id: nonNegativeCount,
  base_model: z.string(),
  user_metadata: z.record(z.string(), z.unknown()).nullish(),
  lora_config: loraConfigSchema.nullish(),
});
export const createModelResponseSchema = z.object({ model_id: nonEmptyText });

export const getInfoResponseSchema = z.object({
  model_id: nonEmptyText,
  model_data: z
    .object({
      arch: z.string().nullish(),
      model_name: z.string().nullish(),
      tokenizer_id: z.string().nullish(),
    })
    .nullish(),
  is_lora: z.boolean().nullish(),
  lora_rank: nonNegativeCount.nullish(),
  model_name: z.string().nullish(),
});
export type ModelInfo = z.output<typeof getInfoResponseSchema>;

export const unloadModelResponseSchema = z.object({ model_id: z.string().nullish() });

export const saveWeightsRequestSchema = z.object({
  ...modelRequestFields,
  path: z.string().nullish(),
  ttl_seconds: z.number().nullish(),
  overwrite: z.boolean().nullish(),
});
/** The path is `tinker://{model}/weights/{name}`, or whatever else the server calls the saved weights. */
export const saveWeightsResponseSchema = z.object({ path: z.string() });

export const loadWeightsRequestSchema = z.object({
  ...modelRequestFields,
  path: z.string(),
  optimizer: z.boolean().default(true),
});
export const loadWeightsResponseSchema = z.object({ path: z.string().nullish() });

/**
 * With a `path` the sampler's weights are kept under that name; without one they last as long as the sampling session.
 */
export const saveForSamplerRequestSchema = z.object({
  ...modelRequestFields,
  path: z.string().nullish(),
  sampling_session_seq_id: nonNegativeCount.nullish(),
  ttl_seconds: z.number().nullish(),
});
export const saveForSamplerResponseSchema = z.object({
  path: z.string().nullish(),
  sampling_session_id: z.string().nullish(),
});
export type SaveForSamplerResponse = z.output<typeof saveForSamplerResponseSchema>;

export const createSamplingSessionRequestSchema = z.object({
  session_id: nonEmptyText,
  sampling_session_seq_id: nonNegativeCount,
  base_model: z.string().nullish(),
  model_path: z.string().nullish(),
});
export const createSamplingSessionResponseSchema = z.object({ sampling_session_id: nonEmptyText });

export const createSessionRequestSchema = z.object({
  tags: z.array(z.string()).default([]),
  user_metadata: z.record(z.string(), z.unknown()).nullish(),
  sdk_version: z.string(),
  project_id: z.string().nullish(),
});
export const createSessionResponseSchema = z.object({
  session_id: nonEmptyText,
  info_message: z.string().nullish(),
  warning_message: z.string().nullish(),
  error_message: z.string().nullish(),
});
export type SessionInfo = z.output<typeof createSessionResponseSchema>;

export const heartbeatResponseSchema = z.object({});

export const clientConfigRequestSchema = z.object({ sdk_version: z.string() });
export const clientConfigResponseSchema = z.object({
  pjwt_auth_enabled: z.boolean().default(false),
});
export const authTokenResponseSchema = z.object({ jwt: z.string().min(1) });

export const serverCapabilitiesSchema = z.object({
  supported_models: z.array(
    z.object({
      model_name: z.string().nullish(),
      max_context_length: z.int().positive().nullish(),
    }),
  ),
});
export type ServerCapabilities = z.output<typeof serverCapabilitiesSchema>;

export const retrieveFutureRequestSchema = z.object({
  request_id: nonEmptyText,
  allow_metadata_only: z.boolean().nullish(),
});

/** The immediate answer to a call whose result comes later, as a future. SkyRL already sends a new model's id here. */
export const untypedFutureSchema = z.object({
  request_id: nonEmptyText,
  model_id: z.string().nullish(),
});
export type UntypedFuture = z.output<typeof untypedFutureSchema>;

export const tryAgainSchema = z.object({
  type: z.literal("try_again"),
  queue_state: z.string().nullish(),
  queue_state_reason: z.string().nullish(),
});
export const completeMetadataSchema = z.object({
  status: z.literal("complete_metadata"),
  response_payload_size: nonNegativeCount,
});
/** The answer for a future that has failed and will not be retried by the server. */
export const failedFutureSchema = z.object({
  error: z.string(),
  category: z.string().default("unknown"),
});
