/** What the learning test needs of either way to a server: samples, and one update from them. */
export interface SampledTokens {
  readonly tokens: readonly number[];
  /** Of the sampler, nats. */
  readonly logprobs: readonly number[];
}

export interface Learner {
  readonly what: string;
  /** `count` samples of `tokens` tokens after the prompt, under the present weights. */
  sample(iteration: number, count: number, tokens: number): Promise<readonly SampledTokens[]>;
  /** One step on the token-ratio objective. Resolves to numbers to print. */
  update(
    sampled: readonly SampledTokens[],
    advantages: readonly number[],
  ): Promise<Readonly<Record<string, number>>>;
  close(): Promise<void>;
}

/** Ids of the tiny model: bytes, and eight special ones. */
export const VOCABULARY = 264;
export const PROMPT: readonly number[] = [...new TextEncoder().encode("Say: ")];

export function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, value) => sum + value, 0) / Math.max(1, numbers.length);
}
