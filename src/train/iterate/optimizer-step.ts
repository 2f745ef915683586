/** The optimizer of an iteration: its rate is a function of the iteration alone. */
import type { OptimizerStep } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";

/** Of a 1-based iteration. */
export function optimizerStep(
  iteration: number,
  { optimizer, algo }: Pick<Config, "optimizer" | "algo">,
): OptimizerStep {
  const { finalRate, learningRate, ...rest } = optimizer;
  const progress = (iteration - 1) / Math.max(algo.iterations - 1, 1);
  return { ...rest, learningRate: learningRate * (1 + progress * (finalRate - 1)) };
}
