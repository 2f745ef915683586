/**
 * Reads runs and describes them. It has a run directory as records, the tables of its scores, the chart of a comparison,
 * and the number and text formats that pages and the terminal share. Nothing here writes a file.
 */

export { BEHAVIOUR_MEANINGS } from "./behaviour-meanings.ts";
export { renderComparisonChart } from "./compare-chart.ts";
export {
  formatDifference,
  formatInterval,
  formatMean,
  formatScoreName,
  formatSeeds,
  meanCurve,
  rankArms,
  referenceArm,
  takenScores,
} from "./comparison-arms.ts";
export {
  armCurves,
  armDifferenceTable,
  armScoreTable,
  comparisonCaptions,
  primaryTestCells,
  primaryTestTable,
  type TextTable,
} from "./comparison-tables.ts";
export { behaviourTable, describeScore, scoreTable } from "./evaluation-tables.ts";
export { findRollouts, type QueryResult } from "./find-rollouts.ts";
export {
  cutLine,
  formatChange,
  formatCompact,
  formatCount,
  formatDuration,
  formatPercent,
  formatPoints,
  pluralize,
} from "./format.ts";
export { escapeHtml } from "./html.ts";
export { actionText, type CheckResult, describeResult, observationText } from "./rollout-text.ts";
export {
  findBeforeAfterPair,
  findImprovedPair,
  findLastRun,
  type PairCandidate,
  type RunRecord,
  readRun,
  requireRun,
  toPairCandidate,
} from "./run-directory.ts";
export {
  difficultyChangeTable,
  phaseUsageTable,
  scoreChangeTable,
  taskUsageTable,
} from "./run-tables.ts";
export {
  chooseBehaviourRow,
  type DifficultyScore,
  formatBehaviourName,
  formatTgc,
  listBehaviours,
  listDifficultyRows,
  listScoreRows,
  type ScoreRow,
} from "./score-rows.ts";
export { describeSlowestStage } from "./slowest-stage.ts";
export { type DecodeToken, loadTokenDecoder } from "./token-text.ts";
export { formatUsage } from "./usage-text.ts";
export { renderResultsChart } from "./worlds-chart.ts";
