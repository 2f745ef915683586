/**
 * Tables of the study "seventy-two tasks", made from its files of results. A difference between two arms is tested only
 * in the pairs that were fixed beforehand, and only when all five pairs of runs exist.
 */
import { formatPointInterval } from "../../../src/report/comparison-arms.ts";
import { adjustByHolm, computeSpread, pairedTest } from "../../../src/train/index.ts";
import { formatTable } from "../markdown-table.ts";
import {
  formatMeanDifference,
  formatShares,
  pairedDifferences,
  type TableRequest,
} from "../table-cells.ts";
import { ARMS, CELLS, PRIMARY_PAIRS } from "./arms.ts";
import { formatHaste, readHaste } from "./haste-tables.ts";
import {
  finishedTrials,
  type PoolRunFile,
  readRuns,
  readTrialFiles,
  type TrialFile,
} from "./result-files.ts";
import { bestTrial, scoreTrial, TUNING_SEEDS } from "./trials.ts";

/** Seeds that a tested comparison needs. */
const TESTED_PAIRS = 5;
/** The arms with which the column "to LOOP" compares. */
const REFERENCE = "loop";

type Read = (run: PoolRunFile) => number | undefined;

/** What the table of scores shows of a run, as shares from 0 to 1. */
const MEASURES: readonly (readonly [head: string, read: Read])[] = [
  ["unseen tasks, greedy", ({ after }) => after["test-normal"]?.tgc],
  ["T = .3", ({ after }) => after["test-normal@T0.3"]?.tgc],
  ["T = 1", ({ after }) => after["test-normal@T1"]?.tgc],
  ["SGC", ({ after }) => after["test-normal"]?.sgc],
  ["reward, T = 1", ({ after }) => after["test-normal@T1"]?.reward],
  ["best on dev", ({ best }) => best?.test.tgc],
  ["training tasks, greedy", ({ after }) => after["pool"]?.tgc],
];

const percent = (share: number) => (100 * share).toFixed(1);

export function runsOf(runs: readonly PoolRunFile[], cell: string, arm: string): PoolRunFile[] {
  return runs.filter((run) => run.cell === cell && run.arm === arm);
}

/** Makes a table with a row for each arm of a cell and a column for each measure. */
export function formatPoolScores(runs: readonly PoolRunFile[], cell: string): string {
  const rows = Object.entries(ARMS).flatMap(([arm, { label }]) => {
    const own = runsOf(runs, cell, arm);
    if (own.length === 0) return [];
    const meanOf = (read: (run: PoolRunFile) => number) =>
      String(Math.round(computeSpread(own.map(read)).mean));
    const costs = [meanOf(({ updates }) => updates), meanOf(({ seconds }) => seconds)];
    const cells = MEASURES.map(([, read]) => formatShares(own.flatMap((run) => read(run) ?? [])));
    return [[label, String(own.length), ...costs, ...cells]];
  });
  const first = runs.filter((run) => run.cell === cell);
  const starts = [...new Map(first.map((run) => [run.seed, run.before])).values()];
  const before = (name: string, measure: "tgc" | "sgc" | "reward") =>
    formatShares(starts.flatMap((scores) => scores[name]?.[measure] ?? []));
  const start = [
    ...["warm start, before", String(starts.length), "0", ""],
    ...[before("test-normal", "tgc"), ""],
    ...[before("test-normal@T1", "tgc"), before("test-normal", "sgc")],
    ...[before("test-normal@T1", "reward"), "", ""],
  ];
  return formatTable(
    ["arm", "runs", "updates", "seconds", ...MEASURES.map(([head]) => head)],
    [...rows, ...(starts.length > 0 ? [start] : [])],
  );
}

/** Makes a table of differences to LOOP in every cell, in points, with intervals over pairs of runs and no test. */
export function formatPoolDifferences(runs: readonly PoolRunFile[]): string {
  const rows = Object.keys(CELLS).flatMap((cell) =>
    Object.entries(ARMS).flatMap(([arm, { label }]) => {
      const own = runsOf(runs, cell, arm);
      if (arm === REFERENCE || own.length === 0) return [];
      const reference = runsOf(runs, cell, REFERENCE);
      const cells = MEASURES.map(([, read]) =>
        formatMeanDifference(pairedDifferences(reference, own, read)),
      );
      return [[cell, `LOOP − ${label}`, ...cells]];
    }),
  );
  return formatTable(["cell", "points", ...MEASURES.map(([head]) => head)], rows);
}

/** Makes a table with the points that an arm gains or loses when 72 tasks repeat, compared with fresh tasks. */
export function formatPoolRepeating(runs: readonly PoolRunFile[]): string {
  const shown = MEASURES.slice(0, -1);
  const rows = Object.entries(ARMS).flatMap(([arm, { label }]) => {
    const repeating = runsOf(runs, "primary", arm);
    const fresh = runsOf(runs, "fresh", arm);
    const differences = shown.map(([, read]) => pairedDifferences(repeating, fresh, read));
    const pairs = differences[0]!.length;
    return pairs === 0 ? [] : [[label, String(pairs), ...differences.map(formatMeanDifference)]];
  });
  return formatTable(["72 tasks − fresh tasks", "pairs", ...shown.map(([head]) => head)], rows);
}

/** Makes the table of the comparisons that were fixed beforehand: greedy TGC on unseen tasks, primary cell, Holm. */
export function formatPoolTests(runs: readonly PoolRunFile[]): string {
  const [, read] = MEASURES[0]!;
  const tests = PRIMARY_PAIRS.map(([a, b]) => {
    const [own, others] = [runsOf(runs, "primary", a), runsOf(runs, "primary", b)];
    const differences = pairedDifferences(own, others, read);
    const isComplete = differences.length >= TESTED_PAIRS;
    return { a, b, differences, test: isComplete ? pairedTest(differences) : undefined };
  });
  const adjusted = adjustByHolm(tests.map(({ test }) => test?.p ?? 1));
  const rows = tests.map(({ a, b, differences, test }, i) => [
    `${ARMS[a]!.label} − ${ARMS[b]!.label}`,
    String(differences.length),
    ...(test
      ? [
          `${percent(test.difference)} ${formatPointInterval(test.interval)}`,
          test.p?.toFixed(3) ?? "",
          adjusted[i]!.toFixed(3),
        ]
      : ["", "", "not tested before five pairs"]),
  ]);
  return formatTable(["TGC of", "pairs", "points [95%]", "p", "p, corrected"], rows);
}

/** Makes the table of trials, with a star for the values that were chosen. */
export function formatPoolTrials(files: readonly TrialFile[]): string {
  const rows = Object.entries(ARMS).flatMap(([arm, { label, knob }]) => {
    const trials = finishedTrials(arm, files, TUNING_SEEDS);
    const chosen = bestTrial(trials);
    return trials.map((trial) => [
      label,
      String(trial.rate),
      `${knob.field} ${trial.knob}`,
      `${percent(scoreTrial(trial))}${trial === chosen ? " *" : ""}`,
    ]);
  });
  return formatTable(["arm", "rate", "number besides", "dev, mean of greedy and T = 1"], rows);
}

/**
 * The kinds of tables that `../tables.ts` makes from the results of the study. The comment before a table, such as
 * `<!-- table: pool-scores on primary from pool/results -->`, names the kind of the table and, after `on`, the cell.
 */
const POOL_TABLES: { readonly [kind: string]: (request: TableRequest) => string } = {
  "pool-scores": ({ world: cell = "primary" }) => formatPoolScores(readRuns(), cell),
  "pool-differences": () => formatPoolDifferences(readRuns()),
  "pool-repeating": () => formatPoolRepeating(readRuns()),
  "pool-tests": () => formatPoolTests(readRuns()),
  "pool-trials": () => formatPoolTrials(readTrialFiles()),
  "pool-haste": ({ world: cell = "primary" }) => formatHaste(readHaste(), cell),
};

export const isPoolTable = (kind: string) => Object.hasOwn(POOL_TABLES, kind);

/** Makes the table that a marker comment requests. The kind is one for which `isPoolTable` is true. */
export function makePoolTable(request: TableRequest): string {
  return POOL_TABLES[request.kind]!(request);
}
