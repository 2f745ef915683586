/**
 * The interface through which a probe trains and samples a throw-away model on a server. A refusal is a value, because
 * a probe may measure what a server refuses. Errors that end the measurement are thrown.
 *
 * There are two implementations. The doctor's sends each request once, unchecked, and shows the raw answer. The
 * engine's uses the client, with its checks and retries, to measure the server that it will train on.
 */

/** A training datum. `targets[i]` is the token after `inputs[0..i]`; the other lists are aligned with `targets`. */
export interface Example {
  readonly inputs: readonly number[];
  readonly targets: readonly number[];
  readonly weights?: readonly number[];
  readonly advantages?: readonly number[];
  /** The log-probs under the policy that sampled, in nats. */
  readonly logprobs?: readonly number[];
}

export type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly ms: number }
  | {
      readonly ok: false;
      /** The HTTP status, or 0 when no answer came in time. */
      readonly status: number;
      readonly message: string;
      /** Whether the server accepted the request before it failed, so that its number is used up. */
      readonly accepted: boolean;
      readonly ms: number;
      /** The error that was thrown, if any. */
      readonly cause?: unknown;
    };

export interface PassResult {
  /** The log-probs of each example's targets; NaN where the server sent null or NaN. */
  readonly logprobs: readonly (readonly number[])[];
  readonly metrics: Readonly<Record<string, number>>;
}

/** The AdamW settings of one step, with the protocol's field names. */
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
  /** The prompt log-probs as the server sent them, with NaN for null. */
  readonly promptLogprobs?: readonly number[];
}

export interface PassOptions {
  readonly config?: Readonly<Record<string, number>>;
}

export interface Sampler {
  sample(drawing: SampleSettings): Promise<Outcome<SampleResult>>;
}

export interface ProbedModel {
  /** Runs a pass that accumulates a gradient. */
  forwardBackward(
    examples: readonly Example[],
    loss: string,
    options?: PassOptions,
  ): Promise<Outcome<PassResult>>;
  /** Runs a pass without a gradient. Fails when the server has no such request. */
  forward(examples: readonly Example[]): Promise<Outcome<PassResult>>;
  step(parameters: AdamParameters): Promise<Outcome<Readonly<Record<string, number>>>>;
  /** Makes a sampler of the present weights. */
  createSampler(): Promise<Outcome<Sampler>>;
}
