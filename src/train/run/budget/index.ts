/** Tokens counted and priced, and a ceiling on what a run spends. */
export { meteredEngine } from "./metered-engine.ts";
export {
  countPhase,
  countRollouts,
  countTraining,
  freshUsage,
  type RunUsage,
} from "./run-usage.ts";
export { GO_ON, openSpending, type Spending, spentText } from "./spending.ts";
export { addUsage, costOf, NO_USAGE, type TokenUsage, usageOf } from "./usage.ts";
export { perTask, usageSummary } from "./usage-summary.ts";
