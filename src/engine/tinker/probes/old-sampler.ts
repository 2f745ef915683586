/** Whether a sampler stays what it was while the model trains, and leaves training alone. */
import type { Drawn, Sampler } from "./lab.ts";
import { exampleOf, maxGap } from "./rows.ts";
import { draw, presentSampler, type Subject } from "./subject.ts";

/** Largest gaps of log-probs, nats. */
export interface OldSampler {
  /** Of a row, by an update: what the others are held against. */
  readonly change: number;
  /** Of the older sampler to itself after that update; infinity: other tokens. */
  readonly oldAgain: number;
  /** The same once a newer sampler was made and used. */
  readonly third: number;
  /** Of the trainer to itself, over uses of the older sampler, before and after the newer one was made. */
  readonly disturbed: number;
  /** The same before the newer one was made. */
  readonly disturbedBySame: number;
}

/** A sampler, an update, the same sampler again; then a newer sampler, and the old one once more. */
export async function measureOldSampler(old: Sampler, subject: Subject): Promise<OldSampler> {
  const { model, trainer, prompt } = subject;
  const greedy = async (sampler: Sampler) =>
    (await draw(sampler, { prompt, temperature: 0 })).sequences[0]!;
  const before = await greedy(old);
  const row = exampleOf([...prompt, ...before.tokens], before.tokens.length);
  const atSave = await trainer.logprobs(row);
  await trainer.train(row, 1);
  const live = await trainer.logprobs(row);
  const after = await greedy(old);
  const disturbedBySame = maxGap(await trainer.logprobs(row), live);
  const newer = await presentSampler(model);
  await greedy(newer);
  const third = await greedy(old);
  const disturbed = Math.max(disturbedBySame, maxGap(await trainer.logprobs(row), live));
  return {
    change: maxGap(live, atSave),
    oldAgain: gapOf(after, before),
    third: gapOf(third, before),
    disturbed,
    disturbedBySame,
  };
}

export function isFrozen({ change, oldAgain, third }: OldSampler): boolean {
  return oldAgain <= change / 10 && third <= change / 10;
}

export function isUndisturbed({ change, disturbed }: OldSampler): boolean {
  return disturbed <= change / 10;
}

/** Tokens that differ count as far apart. */
function gapOf(a: Drawn["sequences"][number], b: Drawn["sequences"][number]): number {
  return a.tokens.join() === b.tokens.join() ? maxGap(a.logprobs, b.logprobs) : Infinity;
}
