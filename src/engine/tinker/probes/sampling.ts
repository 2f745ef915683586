/** What a sampler says of its own tokens, held against the trainer; and the log-probs of a prompt. */
import type { Drawing, Drawn, Outcome, Sampler } from "./lab.ts";
import { exampleOf, maxGap, meanGap } from "./rows.ts";
import { draw, type Subject } from "./subject.ts";

/** The alarm of the training loop: above it, tokens or weights are not what they should be. */
export const GAP_NATS = 0.05;
/** No integer: a server may refuse one where it expects a fraction. */
export const HOT = 2.5;

/** Log-probs of sampled tokens, the sampler's against the trainer's, nats. */
export interface Gap {
  readonly tokens: number;
  readonly mean: number;
  readonly max: number;
}

/** Of four samples. The weights must be those of the sampler. */
export async function sampleGap(
  sampler: Sampler,
  { prompt, trainer }: Pick<Subject, "prompt" | "trainer">,
  temperature = 1,
): Promise<Gap> {
  const drawn = await draw(sampler, { prompt, samples: 4, temperature });
  const written = drawn.sequences.filter(({ tokens }) => tokens.length > 0);
  const rows = written.map(({ tokens }) => exampleOf([...prompt, ...tokens], tokens.length));
  const passes = await trainer.read(rows);
  const sampled = written.flatMap(({ logprobs }) => logprobs);
  const trained = written.flatMap(({ tokens }, k) => passes[k]!.slice(-tokens.length));
  return {
    tokens: sampled.length,
    mean: meanGap(sampled, trained),
    max: maxGap(sampled, trained),
  };
}

export interface TemperatureGaps {
  /** At temperature 1. */
  readonly plain: Gap;
  readonly hot: Gap;
}

export async function temperatureGaps(
  sampler: Sampler,
  subject: Pick<Subject, "prompt" | "trainer">,
): Promise<TemperatureGaps> {
  const plain = await sampleGap(sampler, subject);
  return { plain, hot: await sampleGap(sampler, subject, HOT) };
}

/** Log-probs of samples are those of the untempered distribution, whatever the temperature was. */
export function isUntempered({ plain, hot }: TemperatureGaps): boolean {
  return hot.mean <= Math.max(GAP_NATS, 3 * plain.mean);
}

/** As they came; none where the server gave none. */
export async function promptLogprobs(
  sampler: Sampler,
  prompt: readonly number[],
): Promise<Outcome<readonly number[]>> {
  const drawing: Drawing = {
    prompt,
    maxTokens: 1,
    samples: 1,
    temperature: 1,
    seed: 7,
    promptLogprobs: true,
  };
  const outcome: Outcome<Drawn> = await sampler.sample(drawing);
  return outcome.ok ? { ...outcome, value: outcome.value.promptLogprobs ?? [] } : outcome;
}
