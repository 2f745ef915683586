/** Composes the layers: configuration, the training loop, evaluation, run directories. */
export {
  type Arm,
  type ComparedPair,
  type ComparedRun,
  type CompareEvent,
  type CompareOptions,
  type Comparison,
  compare,
  comparisonSchema,
  type Spread,
  spreadOf,
} from "./compare/index.ts";
export * from "./config.ts";
export { textsOf } from "./demonstrations.ts";
export { type EvaluateOptions, type EvaluateResult, evaluate } from "./evaluate.ts";
export * from "./events.ts";
export { type ExportOptions, type ExportResult, exportPolicy } from "./export.ts";
export { GLOSSARY } from "./metrics.ts";
export type { RolloutNotes } from "./notes.ts";
export { type ModelDirectory, openModelDirectory } from "./open-model-directory.ts";
export type { Parts } from "./parts.ts";
export { COMPARED, type Recipe, recipes } from "./recipes/index.ts";
export { type ConfigField, configFields, parseConfig, resolveConfig } from "./resolve-config.ts";
export { resolveWorld } from "./resolve-world.ts";
export { openRun, type RunStore, readRollouts, readRunConfig } from "./run-store.ts";
export { train, trainWith } from "./train.ts";
export type { TrainOptions } from "./training.ts";
