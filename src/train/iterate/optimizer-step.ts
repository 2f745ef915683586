/** The optimizer of an iteration: its rate is a function of the iteration alone. */
import type { OptimizerStep } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";

/** Added to AdamW's denominator, where everybody has it. */
const EPSILON = 1e-8;

/** Of a 1-based iteration. */
export function optimizerStep(
  iteration: number,
  { optimizer, algo }: Pick<Config, "optimizer" | "algo">,
): OptimizerStep {
  const { finalRate, learningRate, weightDecay, maxGradientNorm } = optimizer;
  const [beta1, beta2] = optimizer.betas;
  const progress = (iteration - 1) / Math.max(algo.iterations - 1, 1);
  const rate = learningRate * (1 + progress * (finalRate - 1));
  return { learningRate: rate, beta1, beta2, epsilon: EPSILON, weightDecay, maxGradientNorm };
}
