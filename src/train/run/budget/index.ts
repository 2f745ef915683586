/** Counts tokens and their cost, and stops a run that reaches its ceiling on cost. */
export { createMeteredEngine } from "./metered-engine.ts";
export {
  addPhaseUsage,
  addRolloutUsage,
  addTrainingUsage,
  emptyUsage,
  type RunUsage,
} from "./run-usage.ts";
export { describeSpending, HOW_TO_CONTINUE, openSpending, type Spending } from "./spending.ts";
export { addUsage, costOf, NO_USAGE, type TokenUsage, usageOfRollout } from "./usage.ts";
export { summarizeUsage, usageByTask } from "./usage-summary.ts";
