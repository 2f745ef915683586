/**
 * Measures how far a decoding step is from two lower bounds of its time: its matrix products alone, and reading every
 * weight once.
 */
import { benchmarkStepProducts, type ModelConfig } from "../engine/index.ts";
import { countProductWeights } from "./flops.ts";
import { median, roundToThousandths } from "./quantiles.ts";

export interface StepBounds {
  /** The time of the step's matrix products alone, measured in the same run. */
  readonly productsMs: number;
  /** The time of the step divided by the time of its products. */
  readonly overProducts: number;
  /** The size of the weights as a share of what the machine can read from memory during the step. */
  readonly shareOfMemory: number;
}

export interface MeasuredStep {
  readonly batch: number;
  readonly msPerStep: number;
  readonly threads: number;
}

const ROUNDS = 5;

/** Measures the bounds of a step. `memoryGbPerSecond` is the speed at which the same number of threads reads memory. */
export async function measureStepBounds(
  model: ModelConfig,
  { batch, msPerStep, threads }: MeasuredStep,
  memoryGbPerSecond: number,
): Promise<StepBounds> {
  const products = await benchmarkStepProducts(model, batch, threads);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await products.measure());
  await products.close();
  const productsMs = median(times);
  const bytes = 4 * (countProductWeights(model) + model.hiddenSize * model.vocabularySize);
  return {
    productsMs: roundToThousandths(productsMs),
    overProducts: roundToThousandths(msPerStep / productsMs),
    shareOfMemory: roundToThousandths(bytes / (msPerStep * memoryGbPerSecond * 1e6)),
  };
}
