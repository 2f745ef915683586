/** Compares providers with the CPU before anything is trained on them, and names the adapters of this machine. */
export { type Adapter, listAdapters } from "./adapter.ts";
export {
  checkProvider,
  describeProblem,
  findProviderProblem,
  readCheck,
  requireTrustedProvider,
} from "./check-provider.ts";
export type { Comparison } from "./compare-with-cpu.ts";
export { findGraphicsAdapters, type GraphicsAdapter } from "./graphics.ts";
export { describeUnusedAdapter, findUnusedAdapter } from "./unused-adapter.ts";
