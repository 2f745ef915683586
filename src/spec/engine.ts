/**
 * The contract of an Engine, which holds weights, continues tokens, evaluates log-probs, differentiates and updates.
 *
 * An engine knows tokens, but nothing of agents, rewards or RL. A learning algorithm is a cotangent: the caller
 * computes d(loss)/d(log-prob) in closed form, and the engine turns it into parameter gradients.
 */

/**
 * Leaves the most likely tokens of a distribution and renormalises it. The filters apply after the temperature and in
 * this order, each to what the one before left. Each of them keeps at least the most likely token.
 */
export interface SampleFilter {
  /** Keeps the k most likely tokens and those that are as likely as the last of them; at least 1. */
  readonly topK?: number;
  /** Keeps the most likely tokens until their probabilities sum to at least this, from 0 to 1. */
  readonly topP?: number;
  /** Keeps the tokens that are at least this part as likely as the most likely one, from 0 to 1. */
  readonly minP?: number;
}

/**
 * A request to continue `tokens`. The token at position p is a function of (weights, tokens, `stream`, p, temperature,
 * filter) alone.
 */
export interface SampleRequest {
  /** The whole row so far: prompt, earlier turns and observations. */
  readonly tokens: readonly number[];
  /** The id of the rollout's random stream, an unsigned 32-bit integer. */
  readonly stream: number;
  readonly maxTokens: number;
  /**
   * The temperature; 0 is greedy. Log-probs are of the distribution that was sampled from, with its temperature and
   * filter. At temperature 0 they are of the untempered and unfiltered distribution. `evaluate` knows no filter, so
   * rollouts that are trained on are sampled without one.
   */
  readonly temperature: number;
  readonly stopIds: readonly number[];
  /** Restricts the tokens that may be drawn. Only for engines with `capabilities.filteredSamples`. */
  readonly filter?: SampleFilter;
  /**
   * An opaque key. When a request extends the tokens of an earlier one with the same key, the kept prefix is reused.
   */
  readonly cacheKey?: string;
  /**
   * The published version to sample with; by default the newest. An engine that no longer holds this version rejects
   * the request.
   */
  readonly policyVersion?: number;
}

/** The tokens with which a policy continued a row. */
export interface Sample {
  /** The sampled ids. The last one is the stop token if `stop` is "stop". */
  readonly tokens: readonly number[];
  readonly logprobs: readonly number[];
  readonly stop: "stop" | "length" | "cancelled";
  readonly policyVersion: number;
}

/**
 * A training row. `at` contains the token indices (each >= 1) for which outputs are returned: log p(tokens[i] |
 * tokens[0..i-1]).
 */
export interface Row {
  readonly tokens: ArrayLike<number>;
  readonly at: ArrayLike<number>;
}

/** Outputs with one entry for each index in `Row.at`, in that order. Log-probs and entropies are in nats. */
export interface TokenOutputs {
  readonly logprobs: Float32Array;
  /** Entropies, if the caller asked for them and the engine supports them. */
  readonly entropies?: Float32Array;
  /**
   * A critic's value of the state before tokens[i], if the caller asked for it and the engine supports it. It is a
   * function of the hidden state at i - 1, as the log-prob of tokens[i] is, and it does not depend on the temperature.
   */
  readonly values?: Float32Array;
}

/**
 * The ratio to old log-probs, r = exp(logprob - old). With it, a row's derivatives are r times the given ones while r is
 * from `lowest` to `highest`, and 0 outside. So a gradient of a clipped objective needs no pass that computes the
 * current log-probs first.
 */
export interface RatioFactor {
  /** One old log-prob for each entry of `Row.at`, in nats. The entries of `at` must differ. */
  readonly oldLogprobs: ArrayLike<number>;
  /** From 0 to 1. */
  readonly lowest: number;
  /** At least 1; `Infinity` is no bound. */
  readonly highest: number;
}

/** d(loss)/d(output) for each entry of `Row.at`, including all normalisation. An update makes the loss smaller. */
export interface Cotangents {
  readonly logprobs: ArrayLike<number>;
  /** Only for engines with `capabilities.ratioCotangents`, and then for every row of a call or for none. */
  readonly ratio?: RatioFactor;
  readonly entropies?: ArrayLike<number>;
  /** Derivatives for the values. They reach only the value head, never the policy. */
  readonly values?: ArrayLike<number>;
}

/** What `evaluate` computes besides log-probs, and with which weights. */
export interface EvaluateOptions {
  /** The temperature, which divides the logits before the softmax. The default is 1. */
  readonly temperature?: number;
  readonly entropies?: boolean;
  /** True to ask for a critic's values. They exist only for the `live` weights. */
  readonly values?: boolean;
  /**
   * The weights to use; the default is `live`. `base` means a LoRA model without its adapter, and `ref` the weights
   * that `snapshot` froze.
   */
  readonly weights?: "live" | "base" | "ref";
}

/** A `maxGradientNorm` of this size or more means no clipping. Configurations use it, because JSON has no Infinity. */
export const NO_CLIP = 1e9;

/** A step of AdamW with decoupled weight decay, after clipping the global gradient norm. */
export interface OptimizerStep {
  readonly learningRate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly weightDecay: number;
  /** The norm to clip the gradient to; `NO_CLIP` or more, Infinity included, means no clipping. */
  readonly maxGradientNorm: number;
}

/** Optimizer steps by parameter group. A group without a step is frozen, and its gradient is dropped. */
export interface GroupSteps {
  readonly policy?: OptimizerStep;
  /** The optimizer step for the value head. */
  readonly value?: OptimizerStep;
}

/** Euclidean gradient norms before clipping. Each parameter group is clipped separately. */
export interface UpdateResult {
  /** The norm of the policy's gradient; NaN if the engine cannot compute it (`capabilities.gradientNorm` is false). */
  readonly gradientNorm: number;
  /** The norm of the value head's gradient, if there is a value head. */
  readonly valueNorm?: number;
}

/**
 * The optional parts of the contract that an engine supports. A run that needs a part which is missing is refused
 * before it starts.
 */
export interface Capabilities {
  readonly entropy: boolean;
  /** True if the engine has a value head, with a separate optimizer. */
  readonly value: boolean;
  readonly snapshot: boolean;
  readonly gradientClip: boolean;
  readonly discard: boolean;
  /** True if versions before the newest can still be sampled while training continues. The default is false. */
  readonly heldVersions?: boolean;
  /** True if `evaluate` and `accumulate` accept temperatures other than 1. The default is true. */
  readonly tempered?: boolean;
  /**
   * True if `sample` accepts temperatures other than 0 and 1 and returns log-probs at that temperature. The default is
   * true.
   */
  readonly temperedSamples?: boolean;
  /** `sample` obeys a request's `filter`. Without this, a request with a filter is an error. The default is false. */
  readonly filteredSamples?: boolean;
  /** True if `update` returns the norm of the gradient. The default is true. */
  readonly gradientNorm?: boolean;
  /** True if `accumulate` accepts cotangents with a `ratio`. The default is false. */
  readonly ratioCotangents?: boolean;
}

/**
 * How far numbers that should be equal may differ. An engine with one set of kernels is exact
 * up to rounding. A service that samples and trains on different machines in half precision is not.
 */
export interface LogprobTolerance {
  /** The mean over tokens of |sampler - learner|, in nats. */
  readonly samplerGap: number;
  /** The largest |ratio - 1| of a token of the first minibatch, which compares `evaluate` with `accumulate`. */
  readonly firstRatio: number;
}

/** Describes an engine: its model and its capabilities. The description does not change while the engine is open. */
export interface EngineInfo {
  readonly name: string;
  readonly vocabularySize: number;
  readonly contextLength: number;
  /** The number of the model's weights, not counting those of an adapter. */
  readonly parameters: number;
  /**
   * The number of weights that `update` changes: all weights, or those of a LoRA adapter. The weights of a value head
   * are not counted.
   */
  readonly trainableParameters: number;
  readonly threads: number;
  readonly capabilities: Capabilities;
  /** How a frozen base is stored. If it is absent, its weights are float32. */
  readonly base?: FrozenBase;
  /** The tolerance of log-probs. If it is absent, the sampler, `evaluate` and `accumulate` agree up to rounding. */
  readonly tolerance?: LogprobTolerance;
}

/** A frozen base of fewer bits, under LoRA. */
export interface FrozenBase {
  /** Eight or four bits a weight, in blocks of 32 with a scale each. */
  readonly type: "q8" | "q4";
  /**
   * What rounding to these bits cost: the root of the sum of squared errors over that of squared weights, of all
   * matrices that were not already in such blocks.
   */
  readonly relativeError: number;
  /** The bytes of all matrices, scales included. */
  readonly sizeBytes: number;
}

/** Whether `load` restores the optimizer's moments and its number of steps, or starts them at zero. */
export type OptimizerMoments = "kept" | "fresh";

/** What `load` reads from a checkpoint besides the weights. */
export interface LoadOptions {
  /** The default is `kept`. */
  readonly moments?: OptimizerMoments;
}

/** A model's weights with a sampler, a differentiable forward pass and an optimizer. */
export interface Engine {
  readonly info: EngineInfo;
  /** Continues all requests. Concurrent calls share decoding batches. Aborted samples have `stop: "cancelled"`. */
  sample(requests: readonly SampleRequest[], signal?: AbortSignal): Promise<readonly Sample[]>;
  /** Frees the prefix that is kept under this cache key. */
  release(cacheKey: string): void;
  /** Returns the outputs of the rows, without a gradient. */
  evaluate(rows: readonly Row[], options?: EvaluateOptions): Promise<readonly TokenOutputs[]>;
  /** Adds d(sum of derivative * output)/d(theta) to the gradient. Returns the same outputs as `evaluate`. */
  accumulate(
    rows: readonly Row[],
    cotangents: readonly Cotangents[],
    options?: Pick<EvaluateOptions, "temperature">,
  ): Promise<readonly TokenOutputs[]>;
  /**
   * Takes an optimizer step and clears the gradient of every group. A single `OptimizerStep` is for the policy. If a
   * gradient is not finite, throws an `engine` error and takes no step.
   */
  update(step: OptimizerStep | GroupSteps): Promise<UpdateResult>;
  /** Drops the gradient that was accumulated since the last update. */
  discard(): Promise<void>;
  /** Makes the sampler use the current weights, and drops kept prefixes. Returns the new policy version. */
  publish(): Promise<number>;
  /**
   * Freezes the current weights as `ref`, until the next snapshot or load. This makes a second copy of all weights or,
   * with LoRA, of the adapter. LOOP never uses it.
   */
  snapshot(): Promise<void>;
  /** Writes the configuration, weights, optimizer moments, step and version, so that `load` can continue exactly. */
  save(directory: string): Promise<void>;
  /** Loads what `save` wrote. With `fresh` moments, the optimizer starts as if it had taken no step. */
  load(directory: string, options?: LoadOptions): Promise<void>;
  close(): Promise<void>;
}

/** Turns text into token ids and back. */
export interface Tokenizer {
  readonly vocabularySize: number;
  /** Returns the ids of a text. It never returns special tokens, whatever the text contains. */
  encode(text: string): readonly number[];
  decode(ids: readonly number[]): string;
  /** Returns the id of a special token such as `<|task|>`. Throws a `config` error if there is none. */
  special(name: string): number;
}
