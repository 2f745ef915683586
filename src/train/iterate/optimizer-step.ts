/** The parameters of AdamW in each iteration. */
import type { OptimizerStep } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";

/** The constant that is added to AdamW's denominator; 1e-8 is the usual one. */
const EPSILON = 1e-8;

/**
 * Returns the optimizer's parameters for an iteration, counted from 1. The learning rate goes linearly from
 * `learningRate` to `learningRate * finalRate`.
 */
export function optimizerStep(iteration: number, { optimizer, algo }: Config): OptimizerStep {
  const { finalRate, learningRate, weightDecay, maxGradientNorm } = optimizer;
  const [beta1, beta2] = optimizer.betas;
  const progress = (iteration - 1) / Math.max(algo.iterations - 1, 1);
  const rate = learningRate * (1 + progress * (finalRate - 1));
  return { learningRate: rate, beta1, beta2, epsilon: EPSILON, weightDecay, maxGradientNorm };
}
