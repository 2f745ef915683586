/**
 * Methods: how an iteration's rollouts become updates. Read `method.ts` first, then `loop.ts`. The file of each other
 * method says how the method differs. `rollouts/` collects rollouts, `learning/` holds the parts that methods share
 * when they learn, and `sections/` holds the configuration fields.
 */

export * from "./define-method.ts";
export {
  applyFilters,
  computeExtraRewards,
  type Extensions,
  NO_EXTENSIONS,
  type RewardFunction,
  type RolloutFilter,
  type SamplerInput,
  type TaskSampler,
} from "./extensions.ts";
export {
  type BatchItem,
  type ClippedOptions,
  type LearningPass,
  learnClipped,
} from "./learning/clipped.ts";
export {
  type EarlyStop,
  minibatchSize,
  runEpochs,
  type StepOptions,
  takeStep,
} from "./learning/epochs.ts";
export { checkSamplerGap, measureSamplerGap, requireFinite } from "./learning/guards.ts";
export {
  clippedMetrics,
  computeTokenRatios,
  gradientNormMetric,
  meanOrZero,
  rewardOptions,
  type TokenRatios,
} from "./learning/metrics.ts";
export { loop } from "./loop.ts";
export {
  computeFiringMetrics,
  counterMetricNames,
  type Evidence,
  MECHANISMS,
  type Mechanism,
  readField,
} from "./mechanisms/index.ts";
export * from "./method.ts";
export { methods } from "./methods-by-name.ts";
export { onPolicy } from "./on-policy.ts";
export { recordedMethod } from "./recorded.ts";
export { loadReference, type ReferencePolicy, snapshotReference } from "./reference.ts";
export type { ShapeState } from "./rollouts/collect-rollouts.ts";
export { hasTimedOut } from "./rollouts/failures.ts";
export { createForwardingEngine } from "./rollouts/forwarding-engine.ts";
export { collectGroups, groupAssignments, groupPlan, requireTrainable } from "./rollouts/groups.ts";
export { findUnjudgedRollouts } from "./rollouts/judging.ts";
export {
  composeRewritePrompt,
  type MemoryStore,
  TEXT_NAMES,
  textPromptLines,
} from "./rollouts/memory/index.ts";
export {
  isParticipantModule,
  loadParticipants,
  NOBODY,
  type Participants,
} from "./rollouts/participants.ts";
export type { RolloutJournal } from "./rollouts/rollout-journal.ts";
export { createRolloutShaper } from "./rollouts/rollout-shaper.ts";
export * from "./rollouts/run-assignments.ts";
export { createSegmentedEngine } from "./rollouts/segmented-engine.ts";
export { asShapedConfig, hasLinearRollouts, type ShapedConfig } from "./rollouts/shape-config.ts";
export { collectSolutions, rolloutOfDemonstration } from "./rollouts/solutions.ts";
export { usesTaskTable } from "./rollouts/tasks-conflict.ts";
export * from "./sections/algo.ts";
export { integer, number, scheduledNumber, share } from "./sections/numbers.ts";
export { optimizer } from "./sections/optimizer.ts";
export { schedule as scheduleSection, tasks as tasksSection } from "./sections/tasks.ts";
