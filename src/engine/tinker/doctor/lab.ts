/**
 * What a probe may do to a server: train and sample throw-away models, with the answers as they came.
 *
 * The client that trains refuses what it knows to be wrong and repairs what servers get wrong. A probe needs neither: it
 * has to send the wrong thing and see the raw answer. So refusals are values here, a null log-prob is NaN, and nothing is
 * checked, aligned or sent again.
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
    };

export interface Pass {
  /** Those of each example's targets; NaN where the server sent null or NaN. */
  readonly logprobs: readonly (readonly number[])[];
  readonly metrics: Readonly<Record<string, number>>;
  readonly requestId: string;
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

export interface Drawing {
  readonly prompt: readonly number[];
  readonly maxTokens: number;
  readonly samples: number;
  readonly temperature: number;
  readonly seed: number;
  readonly stop?: readonly number[];
  readonly promptLogprobs?: boolean;
}

export interface Drawn {
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
  /** The number of the request within its model; the next free one unless given. */
  readonly number?: number;
  readonly dialect?: Dialect;
}

export type Dialect = "json" | "proto";

export interface Sampler {
  sample(drawing: Drawing): Promise<Outcome<Drawn>>;
}

export interface ProbeModel {
  /** The number that the next request will carry. */
  readonly nextNumber: number;
  /** Accumulates a gradient. */
  pass(examples: readonly Example[], loss: string, options?: PassOptions): Promise<Outcome<Pass>>;
  /** No gradient. Fails where the server has no such request. */
  forward(examples: readonly Example[]): Promise<Outcome<Pass>>;
  step(parameters: AdamParameters): Promise<Outcome<Readonly<Record<string, number>>>>;
  /** A sampler of the present weights. */
  sampler(): Promise<Outcome<Sampler>>;
  /** The path under which the weights and the optimizer are kept. */
  save(name: string): Promise<Outcome<string>>;
  load(path: string): Promise<Outcome<void>>;
  /** Deletes what was saved, where the server can. */
  forget(path: string): Promise<void>;
  unload(): Promise<Outcome<void>>;
}

export interface Lab {
  readonly rank: number;
  createModel(): Promise<Outcome<ProbeModel>>;
  /** One request that costs the server nothing. */
  heartbeat(): Promise<Outcome<void>>;
}
