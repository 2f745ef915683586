/** How far a decoding step is from what bounds it: its own matrix products, and reading every weight once. */
import { type ModelConfig, stepProducts } from "../engine/index.ts";
import { productWeights } from "./flops.ts";
import { median, rounded } from "./quantiles.ts";

export interface StepBounds {
  /** Of the step's products measured alone, in the same run. */
  readonly productsMs: number;
  /** The step's time over that of its products. */
  readonly overProducts: number;
  /** Of what the machine reads of memory in the time of a step, the part that the weights are. */
  readonly shareOfMemory: number;
}

export interface MeasuredStep {
  readonly batch: number;
  readonly msPerStep: number;
  readonly threads: number;
}

const ROUNDS = 5;

/** `memoryGbPerSecond`: as fast as so many threads read it. */
export async function stepBounds(
  model: ModelConfig,
  { batch, msPerStep, threads }: MeasuredStep,
  memoryGbPerSecond: number,
): Promise<StepBounds> {
  const products = await stepProducts(model, batch, threads);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await products.measure());
  await products.close();
  const productsMs = median(times);
  const bytes = 4 * (productWeights(model) + model.hiddenSize * model.vocabularySize);
  return {
    productsMs: rounded(productsMs),
    overProducts: rounded(msPerStep / productsMs),
    shareOfMemory: rounded(bytes / (msPerStep * memoryGbPerSecond * 1e6)),
  };
}
