/** Compares a sampler's log-probs of its own tokens with the trainer's, and reads the log-probs of a prompt. */
import type { Outcome, SampleResult, Sampler, SampleSettings } from "./probed-model.ts";
import { createExample, maxDifference, meanDifference } from "./rows.ts";
import { type Subject, sampleTokens } from "./subject.ts";

/** The mean gap, in nats, above which the training loop stops: tokens or weights are then wrong. */
export const GAP_NATS = 0.05;
/** A high temperature. It is not an integer, because a server may refuse an integer where it expects a fraction. */
export const HIGH_TEMPERATURE = 2.5;

/** The difference, in nats, between the sampler's and the trainer's log-probs of sampled tokens. */
export interface Gap {
  readonly tokens: number;
  readonly mean: number;
  readonly max: number;
}

/** Measures the gap on four samples. The trainer must have the sampler's weights. */
export async function measureSampleGap(
  sampler: Sampler,
  { prompt, trainer }: Pick<Subject, "prompt" | "trainer">,
  temperature = 1,
): Promise<Gap> {
  const drawn = await sampleTokens(sampler, { prompt, samples: 4, temperature });
  const sequences = drawn.sequences.filter(({ tokens }) => tokens.length > 0);
  const rows = sequences.map(({ tokens }) => createExample([...prompt, ...tokens], tokens.length));
  const passes = await trainer.readLogprobs(rows);
  const sampled = sequences.flatMap(({ logprobs }) => logprobs);
  const trained = sequences.flatMap(({ tokens }, k) => passes[k]!.slice(-tokens.length));
  return {
    tokens: sampled.length,
    mean: meanDifference(sampled, trained),
    max: maxDifference(sampled, trained),
  };
}

export interface TemperatureGaps {
  /** The gap at temperature 1. */
  readonly atOne: Gap;
  readonly atHighTemperature: Gap;
}

export async function measureTemperatureGaps(
  sampler: Sampler,
  subject: Pick<Subject, "prompt" | "trainer">,
): Promise<TemperatureGaps> {
  const atOne = await measureSampleGap(sampler, subject);
  return {
    atOne,
    atHighTemperature: await measureSampleGap(sampler, subject, HIGH_TEMPERATURE),
  };
}

/** Returns whether samples at a high temperature come with the log-probs of the untempered distribution. */
export function areLogprobsUntempered({ atOne, atHighTemperature }: TemperatureGaps): boolean {
  return atHighTemperature.mean <= Math.max(GAP_NATS, 3 * atOne.mean);
}

/** Asks for prompt log-probs and returns them as the server sent them, or an empty list when it sent none. */
export async function samplePromptLogprobs(
  sampler: Sampler,
  prompt: readonly number[],
): Promise<Outcome<readonly number[]>> {
  const drawing: SampleSettings = {
    prompt,
    maxTokens: 1,
    samples: 1,
    temperature: 1,
    seed: 7,
    promptLogprobs: true,
  };
  const outcome: Outcome<SampleResult> = await sampler.sample(drawing);
  return outcome.ok ? { ...outcome, value: outcome.value.promptLogprobs ?? [] } : outcome;
}
