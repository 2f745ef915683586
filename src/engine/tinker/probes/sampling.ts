/** What a sampler says of its own tokens, held against the trainer; and the log-probs of a prompt. */
import type { Outcome, SampleResult, Sampler, SampleSettings } from "./probed-model.ts";
import { createExample, maxGap, meanGap } from "./rows.ts";
import { type Subject, sampleTokens } from "./subject.ts";

/** The alarm of the training loop: above it, tokens or weights are not what they should be. */
export const GAP_NATS = 0.05;
/** No integer: a server may refuse one where it expects a fraction. */
export const HIGH_TEMPERATURE = 2.5;

/** Log-probs of sampled tokens, the sampler's against the trainer's, nats. */
export interface Gap {
  readonly tokens: number;
  readonly mean: number;
  readonly max: number;
}

/** Of four samples. The weights must be those of the sampler. */
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
    mean: meanGap(sampled, trained),
    max: maxGap(sampled, trained),
  };
}

export interface TemperatureGaps {
  /** At temperature 1. */
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

/** Log-probs of samples are those of the untempered distribution, whatever the temperature was. */
export function areLogprobsUntempered({ atOne, atHighTemperature }: TemperatureGaps): boolean {
  return atHighTemperature.mean <= Math.max(GAP_NATS, 3 * atOne.mean);
}

/** As they came; none where the server gave none. */
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
