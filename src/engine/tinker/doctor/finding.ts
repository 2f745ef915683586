/**
 * What the doctor says of one behaviour of a server: a verdict, the numbers behind it, and what Bowline makes of it.
 *
 * The protocol is described by one company's client, and every server that speaks it differs somewhere. A finding never
 * repeats what a server claims: it was measured on a throw-away model, and its numbers are there to be checked.
 */

/**
 * `ok`: as the hosted service behaves. `deviates`: something else happens, often silently. `unsupported`: the server says
 * that it cannot. `unknown`: not measured, or the numbers fit no known behaviour.
 */
export type Verdict = "ok" | "deviates" | "unsupported" | "unknown";

/** In the order in which they are shown. A name never changes: reports are compared by it. */
export const TOPICS = {
  dialect: "wire dialect",
  forward: "log-probs without a gradient",
  losses: "loss functions",
  "ppo-bounds": "bounds of the ppo loss",
  reduction: "reduction of the loss",
  accumulation: "gradients over several calls",
  "sampler-gap": "sampler against trainer log-probs",
  "trainer-noise": "the same pass twice",
  "logprob-temperature": "temperature of log-probs",
  stop: "stop tokens",
  eos: "end without a stop token",
  seed: "seeds",
  "prompt-logprobs": "log-probs of the prompt",
  "frozen-sampler": "a sampler keeps its weights",
  "sampler-training": "sampling leaves training alone",
  "gradient-clip": "gradient clipping",
  "gradient-norm": "gradient norm",
  "adam-parameters": "optimizer settings of each step",
  "empty-step": "optimizer step without a gradient",
  repeat: "a repeated request",
  "repeat-changed": "a number used for two requests",
  lengths: "tensors of the wrong length",
  "token-range": "tokens outside the vocabulary",
  "not-a-number": "NaN",
  resume: "checkpoint into a new model",
  unload: "unloading a model",
  latency: "latency",
} as const;

export type Topic = keyof typeof TOPICS;

export type Measured = number | string | boolean | null;

export interface Finding {
  readonly topic: Topic;
  readonly verdict: Verdict;
  /** One line with numbers, for people. */
  readonly evidence: string;
  /** The same numbers for programs. Log-probs in nats, times in milliseconds (names end in `Ms`). */
  readonly measured: Readonly<Record<string, Measured>>;
  /** What Bowline does about it. */
  readonly consequence: string;
}

export interface Cost {
  readonly requests: number;
  /** Tokens of prompts that a sampler read. */
  readonly prefillTokens: number;
  readonly sampledTokens: number;
  /** Tokens of forward and forward-backward passes. */
  readonly trainedTokens: number;
  readonly optimizerSteps: number;
}

export interface Report {
  readonly url: string;
  readonly model: string;
  readonly models: readonly string[];
  readonly seconds: number;
  readonly cost: Cost;
  /** One for each topic. */
  readonly findings: readonly Finding[];
}

/** A finding before its topic is known. */
export type Observation = Omit<Finding, "topic">;
