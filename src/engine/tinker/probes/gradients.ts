/** How large the gradient of some rows is, relative to that of one: what a loss is summed or averaged over. */
import type { Example } from "./lab.ts";
import { near, sum } from "./rows.ts";
import type { Subject } from "./subject.ts";
import type { Trainer } from "./trainer.ts";

/** How often a scale is measured where passes are noisy. */
const NOISY_TIMES = 5;
/** Two equal measurements differ by less: a norm is read at the same weights, steps change them a little. */
const STEADY: { readonly [ruler in Trainer["ruler"]]: number } = { norm: 0.02, steps: 0.1 };

/** The rows of each call, made from the example at ratio 1. */
export type Calls = (own: Example) => readonly (readonly Example[])[];

/** The scale of the gradient that each of these leaves behind, relative to that of the example alone. */
export async function scales(
  { trainer, example }: Pick<Subject, "trainer" | "example">,
  batches: readonly Calls[],
): Promise<number[]> {
  // Where steps are the ruler, each measurement reads the log-probs of its own start.
  const start = trainer.ruler === "norm" ? await trainer.onPolicy(example) : example;
  const scale = (calls: Calls) =>
    trainer.scaleOf(start, async (own) => {
      for (const call of calls(own)) await trainer.accumulate(call);
    });
  const alone: Calls = (own) => [[own]];
  const units = [await scale(alone), await scale(alone)];
  const times = near(units[0]!, units[1]!, STEADY[trainer.ruler]) ? 1 : NOISY_TIMES;
  while (units.length < times) units.push(await scale(alone));
  const ratios: number[] = [];
  for (const calls of batches) {
    let total = 0;
    for (let i = 0; i < times; i++) total += await scale(calls);
    ratios.push(total / times / (sum(units) / units.length));
  }
  return ratios;
}

/** In one call: 2 where a loss is summed over rows, 1 where it is averaged. */
export const rowTwice: Calls = (own) => [[own, own]];

export const doubledAdvantages: Calls = (own) => [
  [{ ...own, advantages: own.advantages!.map((value) => value * 2) }],
];

/** Whether a policy loss may have weights: some servers refuse them. Leaves no gradient behind. */
export async function takesWeights({
  trainer,
  model,
  example,
}: Pick<Subject, "trainer" | "model" | "example">): Promise<boolean> {
  const own = await trainer.onPolicy(example);
  const taken = await model.pass([weighted(own)], "importance_sampling");
  if (taken.ok) await trainer.clear();
  return taken.ok;
}

/** With weights on its actions only. */
export function weighted(own: Example): Example {
  return { ...own, weights: own.advantages! };
}
