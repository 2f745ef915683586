/**
 * Methods: how an iteration's rollouts become updates. Read `method.ts`, then `loop.ts`; the others differ from it in what
 * their files say. `rollouts/` is how experience is collected, `learning/` what learners share, `sections/` their fields.
 */
export * from "./define-method.ts";
export {
  type Extensions,
  computeExtraRewards,
  applyFilters,
  NO_EXTENSIONS,
  type RewardFunction,
  type RolloutFilter,
  type SamplerInput,
  type TaskSampler,
} from "./extensions.ts";
export { type BatchItem, learnClipped, type LearningPass, type ClippedOptions } from "./learning/clipped.ts";
export {
  measureSamplerGap,
  runEpochs,
  minibatchSize,
  requireFinite,
  type StepOptions,
  type EarlyStop,
  checkSamplerGap,
  takeStep,
} from "./learning/epochs.ts";
export {
  clippedMetrics,
  meanOrZero,
  gradientNormMetric,
  rewardOptions,
  type TokenRatios,
  computeTokenRatios,
} from "./learning/metrics.ts";
export { loop } from "./loop.ts";
export {
  counterMetricNames,
  type Evidence,
  readField,
  computeFiringMetrics,
  MECHANISMS,
  type Mechanism,
} from "./mechanisms/index.ts";
export * from "./method.ts";
export { methods } from "./named.ts";
export { onPolicy } from "./on-policy.ts";
export { loadReference, type ReferencePolicy, snapshotReference } from "./reference.ts";
export * from "./rollouts/collect.ts";
export type { ShapeState } from "./rollouts/collect-shaped.ts";
export { forwardedEngine } from "./rollouts/forwarded-engine.ts";
export { collectGroups, groupAssignments, groupPlan, requireTrainable } from "./rollouts/groups.ts";
export { openJournal, openJournals, type RolloutJournal } from "./rollouts/journal.ts";
export { unjudgedOf } from "./rollouts/judging.ts";
export { isLinear, type ShapedConfig, shapesOf } from "./rollouts/linear.ts";
export {
  type MemoryStore,
  rewriteMessages,
  TEXT_NAMES,
  textSections,
} from "./rollouts/memory/index.ts";
export { NOBODY, type Participants, participantsOf } from "./rollouts/participants.ts";
export { segmentedEngine } from "./rollouts/segmented-engine.ts";
export { shaperOf } from "./rollouts/shaper.ts";
export { collectSolutions, demonstrationRollout } from "./rollouts/solutions.ts";
export { usesTaskTable } from "./rollouts/tasks-conflict.ts";
export * from "./sections/algo.ts";
export { integer, number, scheduled, share } from "./sections/numbers.ts";
export { optimizer } from "./sections/optimizer.ts";
export { schedule as scheduleSection, tasks as tasksSection } from "./sections/tasks.ts";
