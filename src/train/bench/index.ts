/** Measuring: what things cost on this machine. The command line prints it; tests run it small. */

export { benchEngine, type EngineBench, type EngineBenchOptions } from "./engine-bench.ts";
export type { Quantiles } from "./quantiles.ts";
export { benchWorld, type Growth, type WorldBench, type WorldBenchOptions } from "./world-bench.ts";
