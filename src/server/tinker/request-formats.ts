/**
 * The fields of requests in the Tinker protocol, as the official SDK up to version 0.38 sends them. A field that the
 * server does not obey is an error, so that no client relies on an option without effect.
 */
import { z } from "zod";
import {
  computed,
  defineFormat,
  type FieldRule,
  type FormatTable,
  formatSchema,
  harmless,
  harmlessIf,
  refused,
} from "../../core/index.ts";
import { tinkerWire as wire } from "../../engine/index.ts";

const metadata = z.record(z.string(), z.unknown()).nullish();
const keptMetadata = computed(metadata, "kept with the checkpoint");
const forPeople = harmless("it is for people who look at a session");
const isZero = z.literal(0);
const isFalse = z.literal(false);

const session = wire.createSessionRequestSchema.shape;
const createModel = wire.createModelRequestSchema.shape;
const lora = wire.loraConfigSchema.shape;
const save = wire.saveWeightsRequestSchema.shape;
const load = wire.loadWeightsRequestSchema.shape;
const sampler = wire.createSamplingSessionRequestSchema.shape;
const sample = wire.sampleRequestSchema.shape;
const sampling = wire.samplingParamsSchema.shape;

const tables: FormatTable[] = [];

/** Defines the table of a request's objects and returns their schema. */
function define<const F extends Readonly<Record<string, FieldRule>>>(name: string, fields: F) {
  const table = defineFormat({ name: `Tinker: ${name}`, unknown: "refused", fields });
  tables.push(table);
  return formatSchema(table);
}

const typeField = { type: harmless("the path says what is asked for") } as const;
const modelFields = {
  model_id: computed(save.model_id, "the model"),
  seq_id: computed(save.seq_id, "the order of a model's requests"),
  ...typeField,
} as const;
const optimizer = define("optimizer_config", {
  type: computed(z.literal("adamw"), "the only optimizer"),
});
const optimizer_config = computed(optimizer.nullish(), "the optimizer");
const sessionField = computed(createModel.session_id, "the session");
const baseModelField = computed(createModel.base_model, "must be the server's model");

const chunk = define("a chunk of a prompt", {
  type: computed(wire.chunkSchema.shape.type, "images and audio are refused"),
  tokens: computed(wire.chunkSchema.shape.tokens, "token ids"),
});
const modelInput = define("model_input", {
  chunks: computed(z.array(chunk).min(1), "joined"),
});
const sparse = refused("tensors must be dense");
const tensor = define("a tensor", {
  data: computed(wire.tensorDataSchema.shape.data, "values in row-major order"),
  dtype: computed(wire.tensorDataSchema.shape.dtype, "int64 or float32"),
  shape: computed(wire.tensorDataSchema.shape.shape, "sizes"),
  sparse_crow_indices: sparse,
  sparse_col_indices: sparse,
});
const datum = define("a datum", {
  model_input: computed(modelInput, "the sequence without its last token"),
  loss_fn_inputs: computed(z.record(z.string(), tensor), "tensors of the loss"),
});
const lossInput = define("the input of a loss", {
  data: computed(z.array(datum), "datums"),
  loss_fn: computed(z.string(), "the loss"),
  loss_fn_config: computed(z.record(z.string(), z.number()).nullish(), "its parameters"),
});
const adamParams = define("adam_params", {
  learning_rate: computed(z.number().nonnegative().default(1e-4), "AdamW's"),
  beta1: computed(z.number().min(0).lt(1).default(0.9), "AdamW's"),
  beta2: computed(z.number().min(0).lt(1).default(0.95), "AdamW's"),
  eps: computed(z.number().positive().default(1e-12), "AdamW's"),
  weight_decay: computed(z.number().nonnegative().default(0), "AdamW's"),
  grad_clip_norm: computed(z.number().nonnegative().default(0), "0 means no clipping"),
});
const loraConfig = define("lora_config", {
  rank: computed(lora.rank, "0 trains all weights"),
  seed: computed(lora.seed, "of the initial adapter"),
  train_mlp: computed(lora.train_mlp, "adapts the projections of the MLP"),
  train_attn: computed(lora.train_attn, "adapts the projections of attention"),
  train_unembed: harmless("the unembedding is frozen, as the session's info_message says"),
});
const samplingParams = define("sampling_params", {
  max_tokens: computed(sampling.max_tokens, "the most tokens"),
  seed: computed(sampling.seed, "the random streams"),
  stop: computed(sampling.stop, "texts or ids that end a sample"),
  temperature: computed(z.number().nonnegative().default(1), "0 is greedy"),
  top_k: computed(z.int().min(-1).default(-1), "0 and -1 mean no limit"),
  top_p: computed(z.number().min(0).max(1).default(1), "a filter"),
});

const saveFields = {
  ...modelFields,
  path: computed(save.path, "the checkpoint's name"),
  ttl_seconds: computed(z.number().positive().nullish(), "the checkpoint expires"),
  user_metadata: keptMetadata,
} as const;
const noToken = refused("checkpoints need no token");
const loadFields = {
  path: computed(load.path, "the checkpoint"),
  optimizer: computed(load.optimizer, "false: the optimizer starts afresh"),
  optimizer_config,
  weights_access_token: noToken,
  ...typeField,
} as const;
const onlyToCreate = refused("it belongs to a request that creates a model");
const noAlternatives = harmlessIf(isZero, "0", "only the sampled token's log-prob is returned");

export const requests = {
  createSession: define("create_session", {
    tags: harmless("it is for people who look at a session"),
    sdk_version: computed(session.sdk_version, "the client's version"),
    user_metadata: forPeople,
    project_id: forPeople,
    display_name: forPeople,
    ...typeField,
  }),
  heartbeat: define("session_heartbeat", { session_id: sessionField, ...typeField }),
  createModel: define("create_model", {
    session_id: sessionField,
    model_seq_id: computed(createModel.model_seq_id, "the model's number in its session"),
    base_model: baseModelField,
    lora_config: computed(loraConfig.nullish(), "without it, all weights are trained"),
    optimizer_config,
    user_metadata: forPeople,
    ...typeField,
  }),
  getInfo: define("get_info", { model_id: modelFields.model_id, ...typeField }),
  unloadModel: define("unload_model", { model_id: modelFields.model_id, ...typeField }),
  forwardBackward: define("forward_backward", {
    ...modelFields,
    forward_backward_input: computed(lossInput, "the batch"),
  }),
  forward: define("forward", { ...modelFields, forward_input: computed(lossInput, "the batch") }),
  optimStep: define("optim_step", {
    ...modelFields,
    adam_params: computed(adamParams.prefault({}), "the step"),
  }),
  saveWeights: define("save_weights", {
    ...saveFields,
    overwrite: computed(save.overwrite, "true replaces a checkpoint of the same name"),
  }),
  loadWeights: define("load_weights", {
    ...modelFields,
    ...loadFields,
    session_id: onlyToCreate,
    model_seq_id: onlyToCreate,
  }),
  /** The form of `load_weights` that also creates the model. */
  createByLoading: define("load_weights that creates a model", {
    ...loadFields,
    session_id: sessionField,
    model_seq_id: computed(createModel.model_seq_id, "the model's number in its session"),
    base_model: computed(z.string().nullish(), "must be the server's model"),
    user_metadata: forPeople,
  }),
  saveForSampler: define("save_weights_for_sampler", {
    ...saveFields,
    sampling_session_seq_id: computed(
      wire.saveForSamplerRequestSchema.shape.sampling_session_seq_id,
      "without a path, a sampling session of this number is made",
    ),
    kind: harmlessIf(z.literal("snapshot"), "snapshot", "weights are saved as they are"),
  }),
  createSamplingSession: define("create_sampling_session", {
    session_id: sessionField,
    sampling_session_seq_id: computed(sampler.sampling_session_seq_id, "its number"),
    base_model: computed(sampler.base_model, "samples the server's model"),
    model_path: computed(sampler.model_path, "samples a checkpoint"),
    ...typeField,
  }),
  sample: define("asample", {
    sampling_session_id: computed(sample.sampling_session_id, "what to sample"),
    seq_id: computed(sample.seq_id, "a repeated number gives the first answer"),
    base_model: computed(sample.base_model, "samples the server's model"),
    model_path: computed(sample.model_path, "samples a checkpoint"),
    num_samples: computed(z.int().min(1).max(1024).default(1), "samples of one prompt"),
    prompt: computed(modelInput, "the prompt"),
    sampling_params: computed(samplingParams.prefault({}), "how to sample"),
    prompt_logprobs: computed(sample.prompt_logprobs, "log-probs of the prompt"),
    prompt_logprobs_last_n: computed(z.int().positive().nullish(), "of its last tokens only"),
    topk_prompt_logprobs: noAlternatives,
    topk_sample_logprobs: noAlternatives,
    prompt_alt_tokens_k: noAlternatives,
    target_prompt_logprobs: refused("use forward"),
    record_stability_info: harmlessIf(isFalse, "false", "it is not recorded"),
    include_prompt_logprobs: harmlessIf(isFalse, "false", "use prompt_logprobs"),
    ...typeField,
  }),
  retrieveFuture: define("retrieve_future", {
    request_id: computed(wire.retrieveFutureRequestSchema.shape.request_id, "the future"),
    allow_metadata_only: harmless("the whole result is returned"),
  }),
  cancelFuture: define("cancel_future", {
    request_id: computed(z.string().min(1), "the future"),
  }),
  weightsInfo: define("weights_info", { tinker_path: computed(z.string(), "the checkpoint") }),
} as const;

/** The tables of this protocol, for the page about formats. */
export const tinkerFormats: readonly FormatTable[] = tables;
