/**
 * Prints the tables of the study "seventy-two tasks" from its files of results: chosen trials, scores of every arm, and
 * the four comparisons that were fixed beforehand. A comparison is tested only when all five pairs of runs exist.
 *
 * npx tsx bench/learning/pool/report.ts
 */
import { adjustByHolm, pairedTest } from "../../../src/train/index.ts";
import { formatMeanAndSpread, formatTable } from "../markdown-table.ts";
import { ARMS, CELLS, PRIMARY_PAIRS } from "./arms.ts";
import { finishedTrials, type PoolRunFile, readRuns, readTrialFiles } from "./result-files.ts";
import { scoreTrial, TUNING_SEEDS } from "./trials.ts";

const SEEDS = 5;
const runs = readRuns();
const trials = readTrialFiles();
const percent = (share: number) => (100 * share).toFixed(1);
const runsOf = (cell: string, arm: string) =>
  runs.filter((run) => run.cell === cell && run.arm === arm);

const trialRows = Object.entries(ARMS).flatMap(([arm, { label, knob }]) =>
  finishedTrials(arm, trials, TUNING_SEEDS).map((trial) => [
    label,
    String(trial.rate),
    `${knob.field} ${trial.knob}`,
    percent(scoreTrial(trial)),
  ]),
);
console.log(formatTable(["arm", "rate", "knob", "dev, mean of greedy and T = 1"], trialRows));

const MEASURES: readonly (readonly [string, (run: PoolRunFile) => number | undefined])[] = [
  ["TGC", ({ after }) => after["test-normal"]?.tgc],
  ["T = .3", ({ after }) => after["test-normal@T0.3"]?.tgc],
  ["T = 1", ({ after }) => after["test-normal@T1"]?.tgc],
  ["SGC", ({ after }) => after["test-normal"]?.sgc],
  ["reward", ({ after }) => after["test-normal"]?.reward],
  ["best on dev", ({ best }) => best?.test.tgc],
  ["training tasks", ({ after }) => after["pool"]?.tgc],
];
const scoreRows = Object.keys(CELLS).flatMap((cell) =>
  Object.entries(ARMS).flatMap(([arm, { label }]) => {
    const own = runsOf(cell, arm);
    if (own.length === 0) return [];
    const cells = MEASURES.map(([, read]) => {
      const values = own.flatMap((run) => read(run) ?? []);
      return values.length === 0 ? "" : formatMeanAndSpread(values.map((value) => 100 * value));
    });
    const counts = [
      own.length,
      Math.round(own.reduce((sum, run) => sum + run.updates, 0) / own.length),
    ];
    return [[cell, label, ...counts.map(String), ...cells]];
  }),
);
const names = MEASURES.map(([name]) => name);
console.log(formatTable(["cell", "arm", "runs", "updates", ...names], scoreRows));

const tests = PRIMARY_PAIRS.map(([a, b]) => {
  const others = new Map(runsOf("primary", b).map((run) => [run.seed, run]));
  const differences = runsOf("primary", a).flatMap(({ seed, after }) => {
    const other = others.get(seed)?.after["test-normal"];
    return other ? [after["test-normal"]!.tgc - other.tgc] : [];
  });
  const isComplete = differences.length >= SEEDS;
  return { a, b, differences, test: isComplete ? pairedTest(differences) : undefined };
});
const adjusted = adjustByHolm(tests.map(({ test }) => test?.p ?? 1));
const testRows = tests.map(({ a, b, differences, test }, i) => [
  `${ARMS[a]!.label} − ${ARMS[b]!.label}`,
  String(differences.length),
  test ? percent(test.difference) : "",
  test?.interval ? test.interval.map(percent).join(" to ") : "",
  test ? adjusted[i]!.toFixed(3) : "not tested before five pairs",
]);
console.log(formatTable(["TGC of", "pairs", "points", "95%", "p, corrected"], testRows));
