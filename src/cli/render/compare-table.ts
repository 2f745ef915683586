/** A comparison as text: scores over runs, the tests that were fixed beforehand, differences with intervals, curves. */
import {
  differenceText,
  duration,
  HEADLINES,
  headlineName,
  meanCurve,
  meanText,
  percent,
  ranked,
  referenceArm,
  seedsText,
  signedPoints,
} from "../../report/index.ts";
import {
  type Arm,
  armScore,
  type Comparison,
  differenceOf,
  LEAST_SEEDS,
  type PrimaryResult,
  type Scored,
  spreadOf,
} from "../../train/index.ts";
import type { Paint } from "../terminal.ts";
import { type Column, renderTable } from "./table.ts";
import { wrap } from "./text.ts";

interface View {
  readonly paint: Paint;
  readonly columns: number;
}

/** The columns of the table: split and decoding, and which of its numbers. */
const SCORES = [
  ["test-normal", "tgc", "test-normal"],
  ["test-normal@T1", "tgc", "T = 1"],
  ["test-normal", "sgc", "SGC"],
  ["dev", "tgc", "dev"],
  ["dev@T1", "tgc", "T = 1"],
] as const;

export function renderComparison(comparison: Comparison, { paint, columns }: View): string {
  const dim = (text: string) => paint("dim", text);
  const { primary, leftOut } = comparison;
  const width = Math.min(columns, 100) - 2;
  const lines = (text: string) => wrap(text, width).map((line) => `  ${line}`);
  const heading = (title: string, rest: string) => `  ${paint("bold", title)}  ${dim(rest)}`;
  const parts = [
    [scoreTable(comparison, dim, paint)],
    primary.length === 0
      ? []
      : [
          heading("Fixed beforehand", "paired t test over runs of test-normal TGC, points"),
          primaryTable(primary, dim),
        ],
    comparison.arms.length < 2 ? [] : differences(comparison, heading, dim),
    [
      heading("TGC on dev by rollouts spent", "greedy, mean over runs, from 0 to 100%"),
      ...curves(comparison),
    ],
    captions(comparison).flatMap((text) => lines(text).map(dim)),
    leftOut.flatMap(({ recipe, why }) => lines(`left out: ${recipe}: ${why}`)),
  ];
  return parts
    .filter((part) => part.length > 0)
    .map((part) => part.join("\n"))
    .join("\n\n");
}

function captions({ arms, starts, rollouts, primary }: Comparison): string[] {
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

function scoreTable(comparison: Comparison, dim: (text: string) => string, paint: Paint): string {
  const head: Column[] = [
    { title: "" },
    { title: "arm" },
    ...["runs", "rollouts", "updates", ...SCORES.map(([, , title]) => title)].map(
      (title): Column => ({ title, align: "right" }),
    ),
  ];
  const cells = (arm: Scored) =>
    SCORES.map(([on, measure]) => meanText(armScore(comparison, arm, on, measure)));
  const mean = (values: readonly number[]) => String(Math.round(spreadOf(values).mean));
  const rows = ranked(comparison).map((arm, i) => [
    String(i + 1),
    paint("bold", arm.name),
    String(arm.runs.length),
    mean(arm.runs.map(({ rollouts }) => rollouts)),
    mean(arm.runs.map(({ updates }) => updates)),
    ...cells(arm),
  ]);
  const starts = { runs: comparison.starts.map(({ seed, before }) => ({ seed, after: before })) };
  const before = ["", "warm start, before", String(starts.runs.length), "", "", ...cells(starts)];
  return renderTable(head, [...rows, before.map(dim)], dim);
}

function primaryTable(primary: readonly PrimaryResult[], dim: (text: string) => string): string {
  return renderTable(
    [
      { title: "" },
      { title: "on" },
      ...["seeds", "difference [95%]", "p", "corrected"].map(
        (title): Column => ({ title, align: "right" }),
      ),
    ],
    primary.map(({ a, b, on, seeds, difference, interval, p, adjusted }) => [
      `${a} − ${b}`,
      headlineName(on),
      String(seeds.length),
      difference === undefined || interval === undefined
        ? ""
        : `${signedPoints(difference)} [${interval.map(signedPoints).join(", ")}]`,
      p === undefined ? "too few seeds for a test" : pValue(p),
      adjusted === undefined ? "" : pValue(adjusted),
    ]),
    dim,
  );
}

/** Of every arm to LOOP, or to the first. */
function differences(
  comparison: Comparison,
  heading: (title: string, rest: string) => string,
  dim: (text: string) => string,
): string[] {
  const reference = referenceArm(comparison)!;
  const others = ranked(comparison).filter((arm) => arm !== reference);
  const all = others.map((arm) =>
    HEADLINES.map((on) => differenceOf(comparison, arm, reference, on)),
  );
  const single = all.flat().some((one) => one?.over === "scenarios");
  return [
    heading(
      `TGC to ${reference.name}`,
      `points [95% over pairs of runs${single ? "; *: one pair, over its scenarios" : ""}]; exploratory`,
    ),
    renderTable(
      [
        { title: "arm" },
        { title: "pairs", align: "right" },
        ...HEADLINES.map(
          (on): Column => ({ title: on.endsWith("@T1") ? "T = 1" : on, align: "right" }),
        ),
      ],
      others.map((arm, i) => [
        arm.name,
        String(pairsOf(arm, reference)),
        ...all[i]!.map(differenceText),
      ]),
      dim,
    ),
  ];
}

function pairsOf(a: Arm, b: Arm): number {
  const seeds = new Set(b.runs.map(({ seed }) => seed));
  return a.runs.filter(({ seed }) => seeds.has(seed)).length;
}

const BARS = [..."▁▂▃▄▅▆▇█"];

/** One bar for each evaluation within a run, and the numbers at its ends. */
function curves(comparison: Comparison): string[] {
  const arms = ranked(comparison);
  const width = Math.max(...arms.map(({ name }) => name.length));
  return arms.map((arm) => {
    const curve = meanCurve(arm);
    const bars = curve.map(({ value }) => BARS[Math.min(7, Math.floor(value * 8))]).join("");
    const at = curve.map(({ value }) => percent(value).padStart(5)).join(" ");
    const steps = curve.map((point) => Math.round((100 * point.rollouts) / comparison.rollouts));
    return `  ${arm.name.padEnd(width)}  ${bars.padEnd(8)}  ${at}   at ${steps.join(", ")}%`;
  });
}

function pValue(p: number): string {
  return p < 0.001 ? "<0.001" : p.toFixed(3);
}
