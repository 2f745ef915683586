/**
 * The interface of a backend, which trains models and samples from frozen weights. It knows nothing of HTTP, sessions,
 * order or futures. `embedded-backend.ts` implements it with the embedded engine.
 *
 * Calls for one model come one at a time, in order. Errors that the client can correct are ApiErrors.
 */
import type { SampleFilter, Tokenizer } from "../../spec/index.ts";
import type { LossBatch } from "./losses.ts";

export interface BaseModel {
  readonly name: string;
  readonly vocabularySize: number;
  readonly contextLength: number;
  /** The token ids that end every sample. */
  readonly stopIds: readonly number[];
  /** Decodes tokens to find stop strings; absent when the server has no tokenizer. */
  readonly tokenizer?: Pick<Tokenizer, "decode"> | undefined;
  /** The folder with `tokenizer.json`, for clients on the same machine. */
  readonly tokenizerDirectory?: string | undefined;
}

export interface ModelOptions {
  /** The adapter's rank; with 0 all weights are trained. */
  readonly rank: number;
  readonly trainMlp: boolean;
  readonly trainAttention: boolean;
  /** The seed of the adapter's first weights, an unsigned 32-bit integer. */
  readonly seed: number;
}

/** Weights on disk that never change. */
export interface FrozenWeights extends Pick<ModelOptions, "rank" | "trainMlp" | "trainAttention"> {
  readonly directory: string;
  readonly modelId: string;
}

/** The settings of AdamW with the protocol's field names. */
export interface AdamParams {
  readonly learning_rate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly eps: number;
  readonly weight_decay: number;
  /** The bound on the gradient's norm; 0 means no clipping. */
  readonly grad_clip_norm: number;
}

/** The result of a pass. Its lists have one entry per datum, with one number per target token. */
export interface BatchResult {
  readonly logprobs: readonly Float32Array[];
  readonly losses: readonly Float32Array[];
  /** The sum over tokens and datums. A model with finite weights never gives NaN. */
  readonly loss: number;
  /** How many targets were skipped: their log-prob cannot change the loss and is returned as 0. */
  readonly skipped: number;
}

export interface SamplingJob {
  readonly prompt: readonly number[];
  /** One random stream per sample, each an unsigned 32-bit integer. */
  readonly streams: readonly number[];
  readonly maxTokens: number;
  readonly temperature: number;
  /** The filter of the distribution, which the log-probs do not include unless they are tempered. */
  readonly filter?: SampleFilter;
  readonly stopIds: readonly number[];
  readonly stopTexts: readonly string[];
  /** Whether the model's own stop ids also end a sample. */
  readonly endsAtModelStop: boolean;
  /** Whether to return log-probs of the tempered and filtered distribution instead of the model's own. */
  readonly temperedLogprobs: boolean;
  /** How many of the prompt's last tokens get log-probs. */
  readonly promptLogprobs: number;
}

export interface SampleResult {
  readonly sequences: readonly {
    readonly stop: "stop" | "length";
    /** The sampled tokens, including the stop token. */
    readonly tokens: readonly number[];
    /** The log-probs at temperature 1, or at the sampling temperature with `temperedLogprobs`. */
    readonly logprobs: readonly number[];
  }[];
  /** One entry per prompt token, null for the first token and for those that were not requested. */
  readonly promptLogprobs?: readonly (number | null)[];
}

export interface Backend {
  readonly base: BaseModel;
  createModel(id: string, options: ModelOptions): Promise<void>;
  /** Adds the batch's gradient to the accumulated gradient. */
  forwardBackward(id: string, batch: LossBatch): Promise<BatchResult>;
  forward(id: string, batch: LossBatch): Promise<BatchResult>;
  /** Takes a step and returns metrics. The ending of a metric's name says how to combine it (`grad_norm:mean`). */
  optimStep(id: string, adam: AdamParams): Promise<Record<string, number>>;
  /** Saves weights, moments and step, which is all that training needs to continue. */
  saveTraining(id: string, directory: string): Promise<void>;
  loadTraining(id: string, directory: string, options: { optimizer: boolean }): Promise<void>;
  /** Saves the weights only. */
  saveSampler(id: string, directory: string): Promise<void>;
  unloadModel(id: string): Promise<void>;
  /** Samples from `weights`, or from the base model when undefined. When aborted, sequences end where they are. */
  sample(
    weights: FrozenWeights | undefined,
    job: SamplingJob,
    signal: AbortSignal,
  ): Promise<SampleResult>;
  close(): Promise<void>;
}
