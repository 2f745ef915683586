/**
 * What a server computes, without HTTP, sessions, order or futures: models that are trained, and frozen weights that are
 * sampled. `embedded-backend.ts` does it with the embedded engine.
 *
 * Calls for one model come one at a time, in order. Errors that the client can mend are ApiErrors.
 */
import type { Tokenizer } from "../../spec/index.ts";
import type { LossBatch } from "./losses.ts";

export interface BaseModel {
  readonly name: string;
  readonly vocabularySize: number;
  readonly contextLength: number;
  /** Ids that end every sample. */
  readonly stopIds: readonly number[];
  /** What stop strings are looked for with; absent: there is none. */
  readonly tokenizer?: Pick<Tokenizer, "decode"> | undefined;
  /** The folder with `tokenizer.json`, for clients on the same machine. */
  readonly tokenizerDirectory?: string | undefined;
}

export interface ModelOptions {
  /** Of the adapter; 0: all weights are trained. */
  readonly rank: number;
  readonly trainMlp: boolean;
  readonly trainAttention: boolean;
  /** Of the adapter's first weights; an unsigned 32-bit integer. */
  readonly seed: number;
}

/** Weights on disk that do not change any more. */
export interface FrozenWeights extends Pick<ModelOptions, "rank" | "trainMlp" | "trainAttention"> {
  readonly directory: string;
  readonly modelId: string;
}

/** AdamW as the protocol names its parts. */
export interface AdamParams {
  readonly learning_rate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly eps: number;
  readonly weight_decay: number;
  /** 0: no clipping. */
  readonly grad_clip_norm: number;
}

/** One entry a datum, each with one number a target token. */
export interface BatchResult {
  readonly logprobs: readonly Float32Array[];
  readonly losses: readonly Float32Array[];
  /** Sum over tokens and datums; NaN never comes out of a finite model. */
  readonly loss: number;
  /** Positions whose log-prob was not computed and is given as 0: they have no weight and no successor's target. */
  readonly skipped: number;
}

export interface SamplingJob {
  readonly prompt: readonly number[];
  /** One sample each; unsigned 32-bit integers that name its random numbers. */
  readonly streams: readonly number[];
  readonly maxTokens: number;
  readonly temperature: number;
  readonly stopIds: readonly number[];
  readonly stopTexts: readonly string[];
  /** Whether the model's own stop ids end a sample too. */
  readonly endsAtModelStop: boolean;
  /** Log-probs of the tempered distribution in place of the model's own. */
  readonly temperedLogprobs: boolean;
  /** Log-probs of this many last tokens of the prompt; 0: none. */
  readonly promptLogprobs: number;
}

export interface SampleResult {
  readonly sequences: readonly {
    readonly stop: "stop" | "length";
    /** The stop token is included. */
    readonly tokens: readonly number[];
    /** At temperature 1, whatever the tokens were drawn at, unless `temperedLogprobs` was asked for. */
    readonly logprobs: readonly number[];
  }[];
  /** One entry a prompt token; null: not asked for, or the first. */
  readonly promptLogprobs?: readonly (number | null)[];
}

export interface Backend {
  readonly base: BaseModel;
  createModel(id: string, options: ModelOptions): Promise<void>;
  /** Adds the batch's gradient to what was accumulated. */
  forwardBackward(id: string, batch: LossBatch): Promise<BatchResult>;
  forward(id: string, batch: LossBatch): Promise<BatchResult>;
  /** Resolves to metrics; keys end in how they are combined (`grad_norm:mean`). */
  optimStep(id: string, adam: AdamParams): Promise<Record<string, number>>;
  /** Weights, moments and step: all that training goes on with. */
  saveTraining(id: string, directory: string): Promise<void>;
  loadTraining(id: string, directory: string, options: { optimizer: boolean }): Promise<void>;
  /** The weights alone. */
  saveSampler(id: string, directory: string): Promise<void>;
  unloadModel(id: string): Promise<void>;
  /** `weights` undefined: the base model. Aborted: sequences end where they are. */
  sample(
    weights: FrozenWeights | undefined,
    job: SamplingJob,
    signal: AbortSignal,
  ): Promise<SampleResult>;
  close(): Promise<void>;
}
