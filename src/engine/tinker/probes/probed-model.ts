/**
 * What a probe may do to a server: train and sample a throw-away model. A refusal is a value here, because what a server
 * refuses is what a probe may be after; what ends the examination is thrown.
 *
 * Two things are a `ProbedModel`: the doctor's, which sends anything once and shows the raw answer, and the client's, with
 * its checks and its patience, on which an engine examines the server that it is about to train with.
 */

/** A training datum. `targets[i]` is the token after `inputs[0..i]`; the other lists run along `targets`. */
export interface Example {
  readonly inputs: readonly number[];
  readonly targets: readonly number[];
  readonly weights?: readonly number[];
  readonly advantages?: readonly number[];
  /** Log-probs of the policy that sampled, nats. */
  readonly logprobs?: readonly number[];
}

export type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly ms: number }
  | {
      readonly ok: false;
      /** Of HTTP; 0 when no answer came in time. */
      readonly status: number;
      readonly message: string;
      /** The request had been accepted and failed later: its number is used up. */
      readonly accepted: boolean;
      readonly ms: number;
      /** What was thrown, where something was. */
      readonly cause?: unknown;
    };

export interface PassResult {
  /** Those of each example's targets; NaN where the server sent null or NaN. */
  readonly logprobs: readonly (readonly number[])[];
  readonly metrics: Readonly<Record<string, number>>;
}

/** AdamW's settings of one step, by the names of the protocol. */
export interface AdamParameters {
  readonly learning_rate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly eps: number;
  readonly weight_decay: number;
  readonly grad_clip_norm: number;
}

export interface SampleSettings {
  readonly prompt: readonly number[];
  readonly maxTokens: number;
  readonly samples: number;
  readonly temperature: number;
  readonly seed: number;
  readonly stop?: readonly number[];
  readonly promptLogprobs?: boolean;
}

export interface SampleResult {
  readonly sequences: readonly {
    readonly tokens: readonly number[];
    readonly logprobs: readonly number[];
    readonly stop: string;
  }[];
  /** As it came; NaN for null. */
  readonly promptLogprobs?: readonly number[];
}

export interface PassOptions {
  readonly config?: Readonly<Record<string, number>>;
}

export interface Sampler {
  sample(drawing: SampleSettings): Promise<Outcome<SampleResult>>;
}

export interface ProbedModel {
  /** Accumulates a gradient. */
  forwardBackward(
    examples: readonly Example[],
    loss: string,
    options?: PassOptions,
  ): Promise<Outcome<PassResult>>;
  /** No gradient. Fails where the server has no such request. */
  forward(examples: readonly Example[]): Promise<Outcome<PassResult>>;
  step(parameters: AdamParameters): Promise<Outcome<Readonly<Record<string, number>>>>;
  /** A sampler of the present weights. */
  createSampler(): Promise<Outcome<Sampler>>;
}
