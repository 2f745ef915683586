/**
 * Measures the gradient of several rows relative to that of one, which shows what a loss is summed or averaged over.
 */

import type { Trainer } from "./probe-trainer.ts";
import type { Example } from "./probed-model.ts";
import { isNear, sum } from "./rows.ts";
import type { Subject } from "./subject.ts";

/** How often a scale is measured when passes are noisy. */
const NOISY_REPEATS = 5;
/**
 * The largest relative difference between two measurements of the same scale that counts as free of noise. It is larger
 * for steps, because each step changes the weights a little.
 */
const MAX_STEADY_DIFFERENCE: { readonly [ruler in Trainer["scaleMethod"]]: number } = {
  norm: 0.02,
  steps: 0.1,
};

/** Returns the rows of each call, made from the example at ratio 1. */
export type CallPlan = (own: Example) => readonly (readonly Example[])[];

/** Measures the scale of each plan's gradient, relative to that of the example alone. */
export async function measureScales(
  { trainer, example }: Pick<Subject, "trainer" | "example">,
  plans: readonly CallPlan[],
): Promise<number[]> {
  // When scales are measured by steps, each measurement reads the log-probs at its own start.
  const start =
    trainer.scaleMethod === "norm" ? await trainer.withCurrentLogprobs(example) : example;
  const measureScale = (calls: CallPlan) =>
    trainer.measureGradientScale(start, async (own) => {
      for (const call of calls(own)) await trainer.accumulate(call);
    });
  const exampleAlone: CallPlan = (own) => [[own]];
  const aloneScales = [await measureScale(exampleAlone), await measureScale(exampleAlone)];
  const repeats = isNear(
    aloneScales[0]!,
    aloneScales[1]!,
    MAX_STEADY_DIFFERENCE[trainer.scaleMethod],
  )
    ? 1
    : NOISY_REPEATS;
  while (aloneScales.length < repeats) aloneScales.push(await measureScale(exampleAlone));
  const ratios: number[] = [];
  for (const calls of plans) {
    let total = 0;
    for (let i = 0; i < repeats; i++) total += await measureScale(calls);
    ratios.push(total / repeats / (sum(aloneScales) / aloneScales.length));
  }
  return ratios;
}

/** Sends the row twice in one call: the scale is 2 when a loss is summed over rows and 1 when it is averaged. */
export const sameRowTwice: CallPlan = (own) => [[own, own]];

export const doubleAdvantages: CallPlan = (own) => [
  [{ ...own, advantages: own.advantages!.map((value) => value * 2) }],
];

/** Returns whether the server accepts weights for a policy loss. Leaves no gradient behind. */
export async function acceptsWeights({
  trainer,
  model,
  example,
}: Pick<Subject, "trainer" | "model" | "example">): Promise<boolean> {
  const own = await trainer.withCurrentLogprobs(example);
  const taken = await model.forwardBackward([withActionWeights(own)], "importance_sampling");
  if (taken.ok) await trainer.clearGradient();
  return taken.ok;
}

/** Returns the example with weight 1 on its actions and 0 elsewhere. */
export function withActionWeights(own: Example): Example {
  return { ...own, weights: own.advantages! };
}
