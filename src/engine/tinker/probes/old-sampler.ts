/** Whether a sampler stays what it was while the model trains, and leaves training alone. */
import type { SampleResult, Sampler } from "./probed-model.ts";
import { createExample, maxGap } from "./rows.ts";
import { createCurrentSampler, type Subject, sampleTokens } from "./subject.ts";

/** Largest gaps of log-probs, nats. */
export interface OldSamplerGaps {
  /** Of a row, by an update: what the others are held against. */
  readonly change: number;
  /** Of the older sampler to itself after that update; infinity: other tokens. */
  readonly oldAfterUpdate: number;
  /** The same once a newer sampler was made and used. */
  readonly oldAfterNewer: number;
  /** Of the trainer to itself, over uses of the older sampler, before and after the newer one was made. */
  readonly disturbed: number;
  /** The same before the newer one was made. */
  readonly disturbedBySame: number;
}

/** A sampler, an update, the same sampler again; then a newer sampler, and the old one once more. */
export async function measureOldSampler(old: Sampler, subject: Subject): Promise<OldSamplerGaps> {
  const { model, trainer, prompt } = subject;
  const sampleGreedily = async (sampler: Sampler) =>
    (await sampleTokens(sampler, { prompt, temperature: 0 })).sequences[0]!;
  const before = await sampleGreedily(old);
  const row = createExample([...prompt, ...before.tokens], before.tokens.length);
  const atSave = await trainer.averageLogprobs(row);
  await trainer.moveWeights(row, 1);
  const live = await trainer.averageLogprobs(row);
  const after = await sampleGreedily(old);
  const disturbedBySame = maxGap(await trainer.averageLogprobs(row), live);
  const newer = await createCurrentSampler(model);
  await sampleGreedily(newer);
  const oldAfterNewer = await sampleGreedily(old);
  const disturbed = Math.max(disturbedBySame, maxGap(await trainer.averageLogprobs(row), live));
  return {
    change: maxGap(live, atSave),
    oldAfterUpdate: sequenceGap(after, before),
    oldAfterNewer: sequenceGap(oldAfterNewer, before),
    disturbed,
    disturbedBySame,
  };
}

export function isOldSamplerFrozen({
  change,
  oldAfterUpdate,
  oldAfterNewer,
}: OldSamplerGaps): boolean {
  return oldAfterUpdate <= change / 10 && oldAfterNewer <= change / 10;
}

export function isTrainingUndisturbed({ change, disturbed }: OldSamplerGaps): boolean {
  return disturbed <= change / 10;
}

/** Tokens that differ count as far apart. */
function sequenceGap(
  a: SampleResult["sequences"][number],
  b: SampleResult["sequences"][number],
): number {
  return a.tokens.join() === b.tokens.join() ? maxGap(a.logprobs, b.logprobs) : Infinity;
}
