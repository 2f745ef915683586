/** Defines what the learning test needs from a server: samples, and an update from them. */

/** The tokens of a sample of the model, with their log-probs. */
export interface SampledTokens {
  readonly tokens: readonly number[];
  /** The log-probs that the sampler reported, in nats. */
  readonly logprobs: readonly number[];
}

export interface Learner {
  readonly what: string;
  /** Returns `count` samples of `tokens` tokens after the prompt, from the current weights. */
  sample(iteration: number, count: number, tokens: number): Promise<readonly SampledTokens[]>;
  /** Makes one optimizer step on the objective with token ratios. Returns numbers to print. */
  update(
    sampled: readonly SampledTokens[],
    advantages: readonly number[],
  ): Promise<Readonly<Record<string, number>>>;
  close(): Promise<void>;
}

/** The size of the tiny model's vocabulary: 256 bytes and eight special tokens. */
export const VOCABULARY = 264;
export const PROMPT: readonly number[] = [...new TextEncoder().encode("Say: ")];

export function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, value) => sum + value, 0) / Math.max(1, numbers.length);
}
