/** AdamW's step as the configuration asks for it. */
import type { OptimizerStep } from "../../spec/index.ts";
import type { Config } from "./config.ts";

/** The constant that everybody adds to AdamW's denominator. */
const EPSILON = 1e-8;

/** Returns the step of a 1-based iteration. The learning rate falls linearly to its final share. */
export function optimizerStep(iteration: number, { optimizer, algo }: Config): OptimizerStep {
  const { finalRate, learningRate, weightDecay, maxGradientNorm } = optimizer;
  const [beta1, beta2] = optimizer.betas;
  const progress = (iteration - 1) / Math.max(algo.iterations - 1, 1);
  const rate = learningRate * (1 + progress * (finalRate - 1));
  return { learningRate: rate, beta1, beta2, epsilon: EPSILON, weightDecay, maxGradientNorm };
}
