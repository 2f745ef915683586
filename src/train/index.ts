/** The functions and types of training: configuration, the training loop, evaluation, comparisons, run directories. */
export {
  type Arm,
  type ArmSize,
  adjustByHolm,
  armDifference,
  armScore,
  type ComparedRun,
  type CompareEvent,
  type CompareOptions,
  type Comparison,
  checkSizes,
  combineSizes,
  compare,
  comparisonSchema,
  computeShare,
  computeSpread,
  type Estimate,
  type Measure,
  MIN_SEEDS,
  type Outcomes,
  PRIMARY_COMPARISONS,
  PRIMARY_CONDITIONS,
  type PrimaryResult,
  pairedTest,
  type Results,
  readAllResults,
  readResults,
  resultsSchema,
  type ScoredArm,
  SIZE_BOUNDS,
  type SizeCheck,
  type Spread,
  type Start,
  sharesBySeed,
} from "./compare/index.ts";
export {
  activeFields,
  type Config,
  configFields,
  configJsonSchema,
  configLeaves,
  configSection,
  configSections,
  type Patch,
  readDials,
  readGroupSize,
  readStaleness,
} from "./config/config.ts";
export { modelShape } from "./config/model-shape.ts";
export {
  listNamedModules,
  listNamedServers,
  MODULE_FIELDS,
  requireTrustedModules,
} from "./config/module-fields.ts";
export { findPackageMethod, loadMethod, type NamedMethod } from "./config/named-method.ts";
export type { Overrides } from "./config/overrides.ts";
export { loadConfigAndMethod, parseConfig } from "./config/parse-config.ts";
export { resolveNamedWorld, resolveWorld } from "./config/resolve-world.ts";
export { DEFAULT_SCORES } from "./config/score-names.ts";
export { rewardOfConfig } from "./config/stored-reward.ts";
export type { TokenPrices } from "./config/token-prices.ts";
export { diagnoseRun, readMeasurements } from "./diagnosis/index.ts";
export { type EvaluateResult, evaluate } from "./evaluate/evaluate.ts";
export type { EvaluateOptions, EvaluationLimits } from "./evaluate/evaluate-options.ts";
export { type ExportOptions, type ExportResult, exportPolicy } from "./evaluate/export.ts";
export { ALL_DTYPES, EXPORT_FORMATS } from "./evaluate/export-gguf.ts";
export {
  type ExportTracesOptions,
  type ExportTracesResult,
  exportTraces,
} from "./evaluate/export-traces.ts";
export type { HostedOptions } from "./evaluate/hosted/hosted-options.ts";
export type { HostedPrices, HostedTotals } from "./evaluate/hosted/hosted-policy.ts";
export type { LanguageModelLike } from "./evaluate/hosted/language-model.ts";
export {
  createTrainingTraces,
  type TrainingTrace,
  type TrainingTurn,
} from "./evaluate/training-trace.ts";
export { isLimitOfRun } from "./fitting/apply-fitting.ts";
export { formatShare } from "./fitting/contradictions.ts";
export type { FittedValue, Fitting } from "./fitting/fit-limits.ts";
export { findSlowestStage } from "./iterate/collection-watch.ts";
export { optimizerStep } from "./iterate/optimizer-step.ts";
export type { TrainOptions } from "./open/check-request.ts";
export { previewRun, previewRunWith, type RunPreview } from "./open/preview-run.ts";
export { resolveConfigForRun } from "./open/resolve-config-for-run.ts";
export { findPackageScaffold, type MakeScaffold } from "./parts/agent.ts";
export type { EngineRequest } from "./parts/engine-request.ts";
export { createEngine, type MakeEngine, type Makers } from "./parts/makers.ts";
export { type ModelDirectory, openModelDirectory } from "./parts/open-model-directory.ts";
export type { OwnAgent } from "./parts/own-agent.ts";
export type { OwnParts } from "./parts/own-parts.ts";
export { type ConfigForModel, resolveConfigForModel } from "./parts/resolve-config-for-model.ts";
export {
  type Act,
  type ActOptions,
  type EarlierTurn,
  type EpisodeStart,
  type GenerateOptions,
  type Generation,
  type LoadedPolicy,
  type LoadPolicyOptions,
  loadPolicy,
  loadPolicyToContinue,
  loadPolicyWith,
  type PolicySessionOptions,
  type PolicyWithWeights,
  type RecognisedPolicy,
  type ResumablePolicy,
  type ResumeOptions,
  recognisePolicy,
  recognisePolicyWithWeights,
} from "./policy/index.ts";
export { addUsage, costOf, NO_USAGE } from "./run/budget/usage.ts";
export * from "./run/events.ts";
export {
  describesFile,
  factsFileName,
  readStoredFacts,
  writeRolloutFile,
} from "./run/facts-file.ts";
export { openJournal } from "./run/journal.ts";
export { METRIC_GLOSSARY } from "./run/metrics.ts";
export { findRunOwner } from "./run/run-lock.ts";
export type { RunOwner } from "./run/run-owner.ts";
export { RECORD_VERSION, readRunRecord } from "./run/run-record.ts";
export { openRun, type RunStore, readRollouts, readRunConfig } from "./run/run-store.ts";
export { readVersions } from "./run/versions.ts";
export { digestWorldModules } from "./run/world-modules.ts";
export {
  COMPARED_RECIPES,
  type Recipe,
  recipeName,
  recipes,
  settings,
} from "./settings/recipes.ts";
export { type ResolveInput, resolveConfig, resolveConfigAndMethod } from "./settings/resolve.ts";
export type { Setting } from "./settings/setting.ts";
export { hasTunedRate, TUNED_VALUES } from "./settings/tuned-values.ts";
export { train, trainWith } from "./train.ts";
export { encodeConversation } from "./warm/conversations.ts";
export { affectsWarmStart } from "./warm/copy-warm-start.ts";
export { demonstrationTexts } from "./warm/demonstrations.ts";
