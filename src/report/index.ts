/**
 * Runs for reading: a run directory as records, its page (`report.html`), the chart of a comparison, and the words that
 * pages and the terminal share. Nothing here writes but `writeReport`.
 */
export {
  differenceText,
  HEADLINES,
  headlineName,
  intervalText,
  meanCurve,
  meanText,
  ranked,
  referenceArm,
  seedsText,
} from "./arms.ts";
export { compareChart } from "./compare-chart.ts";
export {
  armCurves,
  armDifferences,
  armScores,
  comparisonCaptions,
  primaryTests,
  type TextTable,
} from "./comparison-tables.ts";
export { writeEvaluationReport } from "./evaluation-page.ts";
export { behaviourTable, scoreFacts, scoreTable } from "./evaluation-tables.ts";
export { HABIT_MEANINGS } from "./habits.ts";
export { type Check, doneIn, seenAfter, verdict } from "./rollout-text.ts";
export {
  type Attempt,
  attemptOf,
  beforeAfterPair,
  improvedPair,
  lastRun,
} from "./run-directory.ts";
export {
  behaviourNames,
  behaviourRow,
  behaviourWords,
  difficultyRows,
  type LevelScore,
  type ScoreRow,
  scoreRows,
  withInterval,
} from "./score-rows.ts";
export { type TokenText, tokenTextOf } from "./token-text.ts";
export { usageLine } from "./usage-text.ts";
export { compact, count, cut, duration, percent, plural, points, signedPoints } from "./words.ts";
export { resultsChart } from "./worlds-chart.ts";
export { writeReport } from "./write-report.ts";
