/**
 * Benchmarks: what worlds, engines, rollouts and iterations cost on this machine. The command line prints the results,
 * and tests run small versions.
 */
export {
  benchController,
  type ControllerBench,
  type ControllerBenchOptions,
} from "./controller/controller-bench.ts";
export { benchEngine, type EngineBench, type EngineBenchOptions } from "./engine-bench.ts";
export {
  type BenchTraining,
  benchMemory,
  type MemoryBench,
  type MemoryBenchOptions,
  TRAININGS,
} from "./memory-bench.ts";
export { type BasePlan, type ModelPlan, type PlanOptions, planModel } from "./plan-model.ts";
export {
  benchPrefix,
  type PrefixBench,
  type PrefixBenchOptions,
  type PrefixRatios,
  type PrefixSide,
} from "./prefix/prefix-bench.ts";
export type { Quantiles } from "./quantiles.ts";
export {
  benchRollout,
  type RolloutBench,
  type RolloutBenchOptions,
  type RolloutSpeed,
} from "./rollout-bench.ts";
export { MEASURED_COSTS, type MeasuredCost } from "./scale/measured-costs.ts";
export {
  countRolloutTokens,
  type PlanLine,
  planRunCosts,
  type RunPlan,
  type RunSizes,
} from "./scale/plan-run.ts";
export { PUBLISHED_PRICES, type PublishedPrices } from "./scale/published-prices.ts";
export { createModelOfShape, shapeNames } from "./shapes.ts";
export {
  benchTrain,
  type IterationSpeed,
  PHASES as BENCH_PHASES,
  type TrainBench,
  type TrainBenchOptions,
} from "./train-bench.ts";
export {
  benchWorld,
  type PopulationGrowth,
  type WorldBench,
  type WorldBenchOptions,
} from "./world-bench.ts";
