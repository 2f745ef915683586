/**
 * The contract of an Engine: it holds weights, continues tokens, evaluates log-probs, differentiates, updates.
 *
 * It knows tokens and nothing of agents, rewards or RL. A learning algorithm is a cotangent: the caller
 * computes d(loss)/d(log-prob) in closed form and the engine turns it into parameter gradients.
 */

/** Continues `tokens`. The token at absolute position p is a function of (weights, tokens, `stream`, p) alone. */
export interface SampleRequest {
  /** The whole row so far: prompt, earlier turns and observations. */
  readonly tokens: readonly number[];
  /** Names this rollout's random stream; an unsigned 32-bit integer. */
  readonly stream: number;
  readonly maxTokens: number;
  /** 0 is greedy. Log-probs are of the distribution that was sampled from (at 0: of the untempered one). */
  readonly temperature: number;
  readonly stopIds: readonly number[];
  /** Opaque. Requests with the same key that extend each other's tokens reuse the kept prefix. */
  readonly cacheKey?: string;
  /** Sample with this published version instead of the newest; an engine that no longer holds it rejects. */
  readonly policyVersion?: number;
}

/** What a policy continued a row with. */
export interface Sample {
  /** Sampled ids; the last one is the stop token when `stop` is "stop". */
  readonly tokens: readonly number[];
  readonly logprobs: readonly number[];
  readonly stop: "stop" | "length" | "cancelled";
  readonly policyVersion: number;
}

/** A training row. Outputs are asked for at token indices `at` (each >= 1): log p(tokens[i] | tokens[0..i-1]). */
export interface Row {
  readonly tokens: ArrayLike<number>;
  readonly at: ArrayLike<number>;
}

/** One entry per index in `Row.at`, in its order. Nats. */
export interface TokenOutputs {
  readonly logprobs: Float32Array;
  /** Where asked for and offered. */
  readonly entropies?: Float32Array;
  /**
   * Where asked for and offered: a critic's value of the state before tokens[i], which tokens[0..i-1] make. It is a
   * function of the hidden state at i - 1, so it knows no more than the log-prob there, and temperature does not matter.
   */
  readonly values?: Float32Array;
}

/** d(loss)/d(output) for each entry of `Row.at`; normalisation lives here. The engine descends the loss. */
export interface Cotangents {
  readonly logprobs: ArrayLike<number>;
  readonly entropies?: ArrayLike<number>;
  /** They reach the value head alone, never the policy. */
  readonly values?: ArrayLike<number>;
}

/** What `evaluate` computes beside log-probs, and of which weights. */
export interface EvaluateOptions {
  /** Divides the logits before the softmax; default 1. */
  readonly temperature?: number;
  readonly entropies?: boolean;
  /** Of the `live` weights only. */
  readonly values?: boolean;
  /** `base`: with LoRA, the model without its adapter. `ref`: what `snapshot` froze. Default `live`. */
  readonly weights?: "live" | "base" | "ref";
}

/** The `maxGradientNorm` from which on nothing is clipped: what a configuration says, whose JSON has no Infinity. */
export const NO_CLIP = 1e9;

/** AdamW with decoupled weight decay, after clipping the global gradient norm. */
export interface OptimizerStep {
  readonly learningRate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly weightDecay: number;
  /** Infinity: no clipping. */
  readonly maxGradientNorm: number;
}

/** One optimizer a parameter group; a group that is left out is frozen, and its gradient is dropped. */
export interface GroupSteps {
  readonly policy?: OptimizerStep;
  /** Of the value head. */
  readonly value?: OptimizerStep;
}

/** Euclidean norms before clipping; each group is clipped on its own. */
export interface UpdateResult {
  /** Of the policy's gradient; NaN where the engine cannot tell (`capabilities.gradientNorm` is false). */
  readonly gradientNorm: number;
  /** Of the value head's, where there is one. */
  readonly valueNorm?: number;
}

/** What an engine offers of the optional parts of the contract; what it lacks is refused before any work starts. */
export interface Capabilities {
  readonly entropy: boolean;
  /** A value head with an optimizer of its own. */
  readonly value: boolean;
  readonly snapshot: boolean;
  readonly gradientClip: boolean;
  readonly discard: boolean;
  /** Versions that were published before the newest can still be sampled, while training goes on. Absent: no. */
  readonly heldVersions?: boolean;
  /** `evaluate` and `accumulate` at temperatures other than 1. Absent: yes. */
  readonly tempered?: boolean;
  /** `sample` at temperatures other than 0 and 1, with the log-probs of what was drawn from. Absent: yes. */
  readonly temperedSamples?: boolean;
  /** `update` tells the gradient's norm. Absent: yes. */
  readonly gradientNorm?: boolean;
}

/**
 * How far apart log-probs may be that should be equal, in nats. One engine with one set of kernels is exact but for
 * rounding; a service that samples and trains on different machines in half precision is not.
 */
export interface LogprobTolerance {
  /** Mean over tokens of |sampler - learner|. */
  readonly samplerGap: number;
  /** |ratio - 1| of any token of the first minibatch: `evaluate` against `accumulate`. */
  readonly firstRatio: number;
}

/** What an engine holds and can do; fixed while it is open. */
export interface EngineInfo {
  readonly name: string;
  readonly vocabularySize: number;
  readonly contextLength: number;
  /** Weights of the model; an adapter's are not counted. */
  readonly parameters: number;
  /** What `update` changes: all weights, or with LoRA those of the adapter. A value head's are not counted. */
  readonly trainableParameters: number;
  readonly threads: number;
  readonly capabilities: Capabilities;
  /** Absent: sampler, `evaluate` and `accumulate` agree to rounding. */
  readonly tolerance?: LogprobTolerance;
}

/** Of the optimizer, its steps among them: as they were saved, or zero. */
export type OptimizerMoments = "kept" | "fresh";

/** What `load` takes of a checkpoint beside the weights. */
export interface LoadOptions {
  /** Default `kept`. */
  readonly moments?: OptimizerMoments;
}

/** Weights, a sampler, a differentiable forward pass and an optimizer. */
export interface Engine {
  readonly info: EngineInfo;
  /** Resolves when all requests are done; concurrent calls share decoding batches. Aborted: `stop: "cancelled"`. */
  sample(requests: readonly SampleRequest[], signal?: AbortSignal): Promise<readonly Sample[]>;
  release(cacheKey: string): void;
  evaluate(rows: readonly Row[], options?: EvaluateOptions): Promise<readonly TokenOutputs[]>;
  /** Adds d(sum cotangent * output)/d(theta) to the gradient; returns the same outputs as `evaluate`. */
  accumulate(
    rows: readonly Row[],
    cotangents: readonly Cotangents[],
    options?: Pick<EvaluateOptions, "temperature">,
  ): Promise<readonly TokenOutputs[]>;
  /**
   * Steps and clears the gradient of every group. A step alone is the policy's. A gradient that is not finite is an
   * `engine` error, and nothing has stepped.
   */
  update(step: OptimizerStep | GroupSteps): Promise<UpdateResult>;
  /** Drops what was accumulated since the last update. */
  discard(): Promise<void>;
  /** The sampler uses the present weights from now on; kept prefixes are dropped. Returns the policy version. */
  publish(): Promise<number>;
  /**
   * Freezes the present weights as `ref`, until the next snapshot or load. A second copy where training is full, a copy
   * of the adapter with LoRA; never part of LOOP.
   */
  snapshot(): Promise<void>;
  /** Writes config, weights, optimizer moments, step and version so that `load` resumes exactly. */
  save(directory: string): Promise<void>;
  /** Goes on as what was saved; with `fresh` moments, on its weights with an optimizer that has not stepped yet. */
  load(directory: string, options?: LoadOptions): Promise<void>;
  close(): Promise<void>;
}

/** Text to token ids and back. */
export interface Tokenizer {
  readonly vocabularySize: number;
  /** Text to ids. Never produces special tokens, whatever the text contains. */
  encode(text: string): readonly number[];
  decode(ids: readonly number[]): string;
  /** The id of a special token such as `<|task|>`; throws a ConfigError when there is none. */
  special(name: string): number;
}
