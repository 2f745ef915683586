/** A comparison as tables of text: what the terminal and the studio both show. Colours and widths are theirs. */
import {
  type Arm,
  armScore,
  type Comparison,
  differenceOf,
  LEAST_SEEDS,
  type PrimaryResult,
  type Scored,
  spreadOf,
} from "../train/index.ts";
import {
  differenceText,
  HEADLINES,
  headlineName,
  meanCurve,
  meanText,
  ranked,
  referenceArm,
  seedsText,
} from "./arms.ts";
import { duration, signedPoints } from "./words.ts";

/** Cells are text; numbers are to stand right. */
export interface TextTable {
  readonly columns: readonly { readonly title: string; readonly align?: "left" | "right" }[];
  readonly rows: readonly (readonly string[])[];
}

const left = (title: string) => ({ title });
const right = (title: string) => ({ title, align: "right" as const });

/** The columns of scores: split and decoding, and which of its numbers. */
const SCORES = [
  ["test-normal", "tgc", "test-normal"],
  ["test-normal@T1", "tgc", "T = 1"],
  ["test-normal", "sgc", "SGC"],
  ["dev", "tgc", "dev"],
  ["dev@T1", "tgc", "T = 1"],
] as const;

/** Arms, best first; the last row is the warm start. */
export function armScores(comparison: Comparison): TextTable {
  const cells = (arm: Scored) =>
    SCORES.map(([on, measure]) => meanText(armScore(comparison, arm, on, measure)));
  const mean = (values: readonly number[]) => String(Math.round(spreadOf(values).mean));
  const rows = ranked(comparison).map((arm, i) => [
    String(i + 1),
    arm.name,
    String(arm.runs.length),
    mean(arm.runs.map(({ rollouts }) => rollouts)),
    mean(arm.runs.map(({ updates }) => updates)),
    ...cells(arm),
  ]);
  const starts = { runs: comparison.starts.map(({ seed, before }) => ({ seed, after: before })) };
  const before = ["", "warm start, before", String(starts.runs.length), "", "", ...cells(starts)];
  const numbers = ["runs", "rollouts", "updates", ...SCORES.map(([, , title]) => title)];
  return {
    columns: [left(""), left("arm"), ...numbers.map(right)],
    rows: [...rows, before],
  };
}

/** The tests that were fixed beforehand. */
export function primaryTests(primary: readonly PrimaryResult[]): TextTable {
  return {
    columns: [left(""), left("on"), ...["seeds", "difference [95%]", "p", "corrected"].map(right)],
    rows: primary.map(({ a, b, on, seeds, difference, interval, p, adjusted }) => [
      `${a} − ${b}`,
      headlineName(on),
      String(seeds.length),
      difference === undefined || interval === undefined
        ? ""
        : `${signedPoints(difference)} [${interval.map(signedPoints).join(", ")}]`,
      p === undefined ? "too few seeds for a test" : pValue(p),
      adjusted === undefined ? "" : pValue(adjusted),
    ]),
  };
}

/** TGC of every arm to LOOP, or to the first; `single`: some interval is over the scenarios of one pair. */
export function armDifferences(
  comparison: Comparison,
): TextTable & { readonly reference: string; readonly single: boolean } {
  const reference = referenceArm(comparison)!;
  const others = ranked(comparison).filter((arm) => arm !== reference);
  const all = others.map((arm) =>
    HEADLINES.map((on) => differenceOf(comparison, arm, reference, on)),
  );
  return {
    reference: reference.name,
    single: all.flat().some((one) => one?.over === "scenarios"),
    columns: [
      left("arm"),
      right("pairs"),
      ...HEADLINES.map((on) => right(on.endsWith("@T1") ? "T = 1" : on)),
    ],
    rows: others.map((arm, i) => [
      arm.name,
      String(pairsOf(arm, reference)),
      ...all[i]!.map(differenceText),
    ]),
  };
}

/** TGC on dev within the runs: a value for each evaluation, and at which percent of the budget it was. */
export function armCurves(comparison: Comparison): readonly {
  readonly name: string;
  readonly values: readonly number[];
  readonly at: readonly number[];
}[] {
  return ranked(comparison).map((arm) => {
    const curve = meanCurve(arm);
    return {
      name: arm.name,
      values: curve.map(({ value }) => value),
      at: curve.map((point) => Math.round((100 * point.rollouts) / comparison.rollouts)),
    };
  });
}

/** What the tables are of, in sentences. */
export function comparisonCaptions({ arms, starts, rollouts, primary }: Comparison): string[] {
  const runs = arms.flatMap((arm) => arm.runs);
  const total = (items: readonly { seconds: number }[]) =>
    duration(items.reduce((sum, { seconds }) => sum + seconds, 0));
  const seeds = seedsText(starts.map(({ seed }) => seed));
  return [
    `Percent, mean ± sample standard deviation over runs; seed${starts.length === 1 ? "" : "s"} ${seeds}, at most ${rollouts} rollouts each, from one warm start a seed.`,
    "TGC of test-normal and dev: tasks whose checks all pass, greedy and sampled at T = 1; SGC: scenarios of test-normal whose tasks all pass, greedy.",
    ...(primary.length > 0
      ? [
          `A difference that was not fixed beforehand has an interval and no test. Fixed ones are tested from ${LEAST_SEEDS} seeds on; corrected: Holm's procedure over all that were fixed.`,
        ]
      : []),
    `${total([...runs, ...starts])} in all, ${total(starts)} of it warm starts.`,
  ];
}

function pairsOf(a: Arm, b: Arm): number {
  const seeds = new Set(b.runs.map(({ seed }) => seed));
  return a.runs.filter(({ seed }) => seeds.has(seed)).length;
}

function pValue(p: number): string {
  return p < 0.001 ? "<0.001" : p.toFixed(3);
}
