/** Measures whether a sampler keeps its weights while the model trains, and whether using it disturbs training. */
import type { SampleResult, Sampler } from "./probed-model.ts";
import { createExample, maxDifference } from "./rows.ts";
import { createCurrentSampler, type Subject, sampleTokens } from "./subject.ts";

/** The largest differences between log-probs, in nats. */
export interface OldSamplerGaps {
  /** How much an update changed a row's log-probs; the other differences are compared with this one. */
  readonly change: number;
  /** How much the older sampler's log-probs changed after that update; infinity when it sampled other tokens. */
  readonly oldAfterUpdate: number;
  /** How much the older sampler's log-probs had changed after a newer sampler was made and used. */
  readonly oldAfterNewer: number;
  /**
   * How much the trainer's log-probs changed when the older sampler was used, before or after the newer one was made.
   */
  readonly disturbed: number;
  /** How much the trainer's log-probs changed when the older sampler was used before the newer one was made. */
  readonly disturbedBySame: number;
}

/** Uses the sampler before and after an update, then makes a newer sampler and uses the old one a third time. */
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
  const disturbedBySame = maxDifference(await trainer.averageLogprobs(row), live);
  const newer = await createCurrentSampler(model);
  await sampleGreedily(newer);
  const oldAfterNewer = await sampleGreedily(old);
  const disturbed = Math.max(
    disturbedBySame,
    maxDifference(await trainer.averageLogprobs(row), live),
  );
  return {
    change: maxDifference(live, atSave),
    oldAfterUpdate: sequenceDifference(after, before),
    oldAfterNewer: sequenceDifference(oldAfterNewer, before),
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

/** Returns the largest difference of log-probs, or infinity when the tokens differ. */
function sequenceDifference(
  a: SampleResult["sequences"][number],
  b: SampleResult["sequences"][number],
): number {
  return a.tokens.join() === b.tokens.join() ? maxDifference(a.logprobs, b.logprobs) : Infinity;
}
