/**
 * Reads and shows runs. It has a run directory as records, its page (`report.html`), the chart of a comparison, and the
 * number and text formats that pages and the terminal share. Only `writeReport` and `writeEvaluationReport` write
 * files.
 */

export { BEHAVIOUR_MEANINGS } from "./behaviour-meanings.ts";
export { renderComparisonChart } from "./compare-chart.ts";
export {
  formatDifference,
  formatInterval,
  formatMean,
  formatScoreName,
  formatSeeds,
  HEADLINE_SCORES,
  meanCurve,
  rankArms,
  referenceArm,
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
export { writeEvaluationReport } from "./evaluation-page.ts";
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
export { actionText, type CheckResult, describeResult, observationText } from "./rollout-text.ts";
export {
  findBeforeAfterPair,
  findImprovedPair,
  findLastRun,
  type PairCandidate,
  requireRun,
  toPairCandidate,
} from "./run-directory.ts";
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
export { type DecodeToken, loadTokenDecoder } from "./token-text.ts";
export { formatUsage } from "./usage-text.ts";
export { renderResultsChart } from "./worlds-chart.ts";
export { writeReport } from "./write-report.ts";
