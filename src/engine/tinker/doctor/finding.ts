/**
 * A finding of the doctor about one behaviour of a server: a verdict, the numbers behind it, and what Bowline does
 * about it.
 *
 * The protocol is defined by one company's client, and every other server differs somewhere. A finding never repeats
 * what a server claims: it was measured on a throw-away model, and its numbers can be checked.
 */

/**
 * `ok` means that the server behaves like the hosted service. `deviates` means that it does something else, often
 * silently. `unsupported` means that it refuses. `unknown` means that nothing was measured, or the numbers fit no known
 * behaviour.
 */
export type Verdict = "ok" | "deviates" | "unsupported" | "unknown";

/**
 * The topics and their titles, in the order of the report. The names must not change, because reports are compared by
 * them.
 */
export const TOPICS = {
  dialect: "wire dialect",
  forward: "log-probs without a gradient",
  losses: "loss functions",
  "ppo-bounds": "bounds of the ppo loss",
  reduction: "reduction of the loss",
  accumulation: "gradients over several calls",
  "sampler-gap": "sampler against trainer log-probs",
  "trainer-noise": "noise between equal passes",
  "logprob-temperature": "temperature of log-probs",
  stop: "stop tokens",
  eos: "end of a text without a stop token",
  seed: "seeds",
  "prompt-logprobs": "log-probs of the prompt",
  "frozen-sampler": "a sampler keeps its weights",
  "sampler-training": "sampling does not disturb training",
  "gradient-clip": "gradient clipping",
  "gradient-norm": "gradient norm",
  "zero-rate": "optimizer step at learning rate 0",
  "adam-parameters": "optimizer settings of each step",
  "empty-step": "optimizer step without a gradient",
  repeat: "a repeated request",
  "repeat-changed": "a number used for two requests",
  lengths: "tensors of the wrong length",
  "token-range": "tokens outside the vocabulary",
  "not-a-number": "NaN in advantages",
  resume: "checkpoint into a new model",
  unload: "unloading a model",
  latency: "latency",
} as const;

export type Topic = keyof typeof TOPICS;

export type Measured = number | string | boolean | null;

export interface Finding {
  readonly topic: Topic;
  readonly verdict: Verdict;
  /** One line for people, with the numbers. */
  readonly evidence: string;
  /** The same numbers for programs. Log-probs are in nats, times in milliseconds (their names end in `Ms`). */
  readonly measured: Readonly<Record<string, Measured>>;
  /** What Bowline does about this behaviour of the server. */
  readonly consequence: string;
}

export interface Cost {
  readonly requests: number;
  /** The prompt tokens that samplers read. */
  readonly prefillTokens: number;
  readonly sampledTokens: number;
  /** The tokens of forward and forward-backward passes. */
  readonly trainedTokens: number;
  readonly optimizerSteps: number;
}

export interface Report {
  readonly url: string;
  readonly model: string;
  readonly models: readonly string[];
  readonly seconds: number;
  /** True if the diagnosis was stopped. The topics that it had not reached are unknown. */
  readonly stopped?: true;
  readonly cost: Cost;
  /** The findings, one for each topic. */
  readonly findings: readonly Finding[];
}

/** A finding without its topic. */
export type Observation = Omit<Finding, "topic">;
