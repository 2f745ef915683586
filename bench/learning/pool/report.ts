/**
 * Prints the tables of the study "seventy-two tasks" from its files of results: chosen trials, scores of every arm,
 * differences to LOOP, and the four comparisons that were fixed beforehand.
 *
 * npx tsx bench/learning/pool/report.ts
 */
import { CELLS } from "./arms.ts";
import {
  formatPoolDifferences,
  formatPoolScores,
  formatPoolTests,
  formatPoolTrials,
} from "./pool-tables.ts";
import { readRuns, readTrialFiles } from "./result-files.ts";

const runs = readRuns();
console.log(formatPoolTrials(readTrialFiles()), "\n");
for (const cell of Object.keys(CELLS)) {
  if (runs.some((run) => run.cell === cell))
    console.log(`${cell}\n`, `${formatPoolScores(runs, cell)}\n`);
}
console.log(formatPoolDifferences(runs), "\n");
console.log(formatPoolTests(runs));
