/** Turns a comparison into text tables. The terminal and the studio show them with their own colours and widths. */
import {
  type Arm,
  armDifference,
  armScore,
  type Comparison,
  computeSpread,
  MIN_SEEDS,
  type PrimaryResult,
  type ScoredArm,
} from "../train/index.ts";
import {
  formatDifference,
  formatMean,
  formatPointInterval,
  formatScoreName,
  formatSeeds,
  MISSING_INTERVAL_NOTE,
  meanCurve,
  rankArms,
  referenceArm,
  takenScores,
} from "./comparison-arms.ts";
import { formatDuration, formatPoints } from "./format.ts";

/** A table of text cells. Columns of numbers are aligned to the right. */
export interface TextTable {
  readonly columns: readonly { readonly title: string; readonly align?: "left" | "right" }[];
  readonly rows: readonly (readonly string[])[];
}

const leftColumn = (title: string) => ({ title });
const rightColumn = (title: string) => ({ title, align: "right" as const });

/** The columns of scores, each with the name of the score and the measure. */
const SCORE_COLUMNS = [
  ["test-normal", "tgc"],
  ["test-normal@T1", "tgc"],
  ["test-normal", "sgc"],
  ["test-challenge", "tgc"],
  ["test-challenge@T1", "tgc"],
  ["test-challenge", "sgc"],
  ["dev", "tgc"],
  ["dev@T1", "tgc"],
] as const;

/**
 * Returns a table with a row for each arm, the best first, and a column for each score that was taken. The last row is
 * the warm start.
 */
export function armScoreTable(comparison: Comparison): TextTable {
  const taken = takenScores(comparison);
  const shown = SCORE_COLUMNS.filter(([on]) => taken.includes(on));
  const scoreCells = (arm: ScoredArm) =>
    shown.map(([on, measure]) => formatMean(armScore(comparison, arm, on, measure)));
  const formatRoundedMean = (values: readonly number[]) =>
    String(Math.round(computeSpread(values).mean));
  const rows = rankArms(comparison).map((arm, i) => [
    String(i + 1),
    arm.name,
    String(arm.runs.length),
    formatRoundedMean(arm.runs.map(({ rollouts }) => rollouts)),
    formatRoundedMean(arm.runs.map(({ updates }) => updates)),
    ...scoreCells(arm),
  ]);
  const starts = { runs: comparison.starts.map(({ seed, before }) => ({ seed, after: before })) };
  const before = [
    "",
    "warm start, before",
    String(starts.runs.length),
    "",
    "",
    ...scoreCells(starts),
  ];
  const numbers = ["runs", "rollouts", "updates", ...scoreTitles(shown)];
  return {
    columns: [leftColumn(""), leftColumn("arm"), ...numbers.map(rightColumn)],
    rows: [...rows, before],
  };
}

/** Returns the titles of columns of scores. A split is named once, by the first of its columns. */
function scoreTitles(
  columns: readonly (readonly [on: string, measure: "tgc" | "sgc"])[],
): string[] {
  let before: string | undefined;
  return columns.map(([on, measure]) => {
    const [split, mode] = on.split("@");
    const words = [
      ...(split === before ? [] : [split]),
      ...(measure === "sgc" ? ["SGC"] : []),
      ...(mode === undefined ? [] : ["T = 1"]),
    ];
    before = split;
    return words.join(", ");
  });
}

/** Returns the tests of the differences that were fixed before the runs were made. */
export function primaryTestTable(primary: readonly PrimaryResult[]): TextTable {
  return {
    columns: [
      leftColumn(""),
      leftColumn("on"),
      ...["seeds", "difference [95%]", "p", "corrected"].map(rightColumn),
    ],
    rows: primary.map(primaryTestCells),
  };
}

/** Returns a row of the tests that were chosen before the runs: arms, score, pairs, difference, p and corrected p. */
export function primaryTestCells(result: PrimaryResult): string[] {
  const { a, b, on, seeds, difference, interval, p, adjusted } = result;
  const whyNotTested =
    seeds.length < MIN_SEEDS ? "too few seeds for a test" : "no test: all pairs differ equally";
  return [
    `${a} − ${b}`,
    formatScoreName(on),
    String(seeds.length),
    difference === undefined ? "" : `${formatPoints(difference)} ${formatPointInterval(interval)}`,
    p === undefined ? whyNotTested : formatPValue(p),
    adjusted === undefined ? "" : formatPValue(adjusted),
  ];
}

/**
 * Returns the difference in TGC of every arm from LOOP, or from the first arm. `single` is true when an interval is
 * over the scenarios of one pair of runs.
 */
export function armDifferenceTable(
  comparison: Comparison,
): TextTable & { readonly reference: string; readonly single: boolean } {
  const { reference, others, scores, differences } = compareWithReference(comparison);
  return {
    reference: reference.name,
    single: differences.flat().some((one) => one?.over === "scenarios"),
    columns: [
      leftColumn("arm"),
      rightColumn("pairs"),
      ...scoreTitles(scores.map((on) => [on, "tgc"])).map(rightColumn),
    ],
    rows: others.map((arm, i) => [
      arm.name,
      String(countPairs(arm, reference)),
      ...differences[i]!.map(formatDifference),
    ]),
  };
}

/** Returns the headline scores that were taken, and in them the differences of all other arms from the reference. */
function compareWithReference(comparison: Comparison) {
  const reference = referenceArm(comparison)!;
  const others = rankArms(comparison).filter((arm) => arm !== reference);
  const scores = takenScores(comparison);
  const differences = others.map((arm) =>
    scores.map((on) => armDifference(comparison, arm, reference, on)),
  );
  return { reference, others, scores, differences };
}

/**
 * Returns the learning curve of each arm on dev: a value for each evaluation, and the percentage of the budget used by
 * then. Arms that were not evaluated on dev are left out.
 */
export function armCurves(comparison: Comparison): readonly {
  readonly name: string;
  readonly values: readonly number[];
  readonly at: readonly number[];
}[] {
  return rankArms(comparison).flatMap((arm) => {
    const curve = meanCurve(arm);
    if (curve.length === 0) return [];
    return {
      name: arm.name,
      values: curve.map(({ value }) => value),
      at: curve.map((point) => Math.round((100 * point.rollouts) / comparison.rollouts)),
    };
  });
}

/** Returns the sentences that explain the tables. */
export function comparisonCaptions(comparison: Comparison): string[] {
  const { arms, starts, rollouts, primary } = comparison;
  const runs = arms.flatMap((arm) => arm.runs);
  const formatTotalDuration = (items: readonly { seconds: number }[]) =>
    formatDuration(items.reduce((sum, { seconds }) => sum + seconds, 0));
  const seeds = formatSeeds(starts.map(({ seed }) => seed));
  return [
    `Percent, mean ± sample standard deviation over runs; seed${starts.length === 1 ? "" : "s"} ${seeds}, at most ${rollouts} rollouts each. All runs of a seed start from the same warm start.`,
    "TGC is the share of tasks whose checks all pass, greedy and sampled at T = 1. SGC is the share of scenarios whose tasks all pass, greedy.",
    ...(primary.length > 0
      ? [
          `Only differences that were fixed before the runs are tested, with at least ${MIN_SEEDS} seeds; other differences have an interval but no test. The corrected p-values follow Holm's procedure over all tested differences.`,
        ]
      : []),
    ...(isIntervalMissing(comparison) ? [MISSING_INTERVAL_NOTE] : []),
    `The total time was ${formatTotalDuration([...runs, ...starts])}, of which ${formatTotalDuration(starts)} were warm starts.`,
  ];
}

/** Returns whether a difference that a table shows has no interval. */
function isIntervalMissing(comparison: Comparison): boolean {
  const { arms, primary } = comparison;
  const shown = arms.length > 1 ? compareWithReference(comparison).differences.flat() : [];
  return (
    shown.some((one) => one !== undefined && one.interval === undefined) ||
    primary.some(({ difference, interval }) => difference !== undefined && interval === undefined)
  );
}

function countPairs(a: Arm, b: Arm): number {
  const seeds = new Set(b.runs.map(({ seed }) => seed));
  return a.runs.filter(({ seed }) => seeds.has(seed)).length;
}

function formatPValue(p: number): string {
  return p < 0.001 ? "<0.001" : p.toFixed(3);
}
