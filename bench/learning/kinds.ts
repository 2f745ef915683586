/** The tables of learning in Markdown, each a function of the comparisons of a file of results. */
import {
  differenceText,
  HEADLINES,
  headlineName,
  intervalText,
  meanCurve,
  meanText,
  percent,
  ranked,
  referenceArm,
  signedPoints,
} from "../../src/report/index.ts";
import {
  type Arm,
  armScore,
  type Comparison,
  differenceOf,
  type Estimate,
  type Measure,
  type PrimaryResult,
  type Results,
  type Scored,
  sizesOf,
  spreadOf,
} from "../../src/train/index.ts";
import { trainingTable } from "./horizon/view.ts";
import { decimals, table } from "./table.ts";

/** What a marker asks for. */
export interface Asked {
  readonly kind: string;
  /** Names of arms, in the order of the table; default: all, best first. */
  readonly arms?: readonly string[];
  /** Budget and world of the comparison, where the file has several. */
  readonly rollouts?: number;
  readonly world?: string;
  readonly file: string;
}

type Table = (comparisons: readonly Comparison[], asked: Asked) => string;

export const KINDS: { readonly [kind: string]: Table } = {
  methods: (all, asked) => methods(only(all, asked), asked),
  measured: (all, asked) => measured(only(all, asked), asked),
  primary: (all, asked) => primary(only(all, asked)),
  headline: (all, asked) => headline(only(all, asked), asked),
  "before-after": (all, asked) => beforeAfter(only(all, asked), asked),
  "by-world": byWorld,
  training: trainingTable,
  ladder: (all, asked) => ladder(only(all, asked), asked),
  "a-a": (all, asked) => aa({ version: 2, comparisons: [...all] }, asked),
};

/** The comparisons at the budget and on the world that were asked for. */
export function selected({ comparisons }: Results, { rollouts, world }: Asked): Comparison[] {
  return comparisons.filter(
    (one) =>
      (rollouts === undefined || one.rollouts === rollouts) &&
      (world === undefined || one.world.name === world),
  );
}

function only(comparisons: readonly Comparison[], { kind, file }: Asked): Comparison {
  const [first, ...more] = comparisons;
  if (first === undefined) throw new Error(`${file} has no such comparison for a table ${kind}`);
  if (more.length > 0) {
    const there = comparisons.map(({ world, rollouts }) => `on ${world.name} at ${rollouts}`);
    throw new Error(
      `${file} has ${comparisons.length} comparisons (${there.join("; ")}): say which`,
    );
  }
  return first;
}

function armsOf(comparison: Comparison, { arms, file }: Asked, all = ranked(comparison)): Arm[] {
  if (arms === undefined) return all;
  return arms.map((name) => {
    const arm = comparison.arms.find((one) => one.name === name);
    if (arm === undefined) throw new Error(`${file} has no arm ${name}`);
    return arm;
  });
}

/** "79.8 ± 1.8 [79, 81]"; a star where there is one run and the interval is over its scenarios. */
function withInterval(estimate: Estimate | undefined): string {
  if (estimate === undefined) return "";
  return `${meanText(estimate)} ${intervalText(estimate)}${estimate.over === "runs" ? "" : "*"}`;
}

const mean = (values: readonly number[]) => String(Math.round(spreadOf(values).mean));

/** The warm starts, as if they were an arm's runs. */
function before({ starts }: Comparison): Scored {
  return { runs: starts.map(({ seed, before }) => ({ seed, after: before })) };
}

const SCORES: readonly (readonly [on: string, measure: Measure])[] = [
  ["test-normal", "tgc"],
  ["test-normal@T1", "tgc"],
  ["test-normal", "sgc"],
  ["dev", "tgc"],
  ["dev@T1", "tgc"],
];
const SCORE_HEADS = ["test-normal TGC", "T = 1", "SGC", "dev TGC", "T = 1"];

function scoreCells(comparison: Comparison, arm: Scored): string[] {
  return SCORES.map(([on, measure]) => withInterval(armScore(comparison, arm, on, measure)));
}

function methods(comparison: Comparison, asked: Asked): string {
  const rows = armsOf(comparison, asked).map((arm) => [
    nameOf(arm),
    String(arm.runs.length),
    mean(arm.runs.map(({ updates }) => updates)),
    ...scoreCells(comparison, arm),
  ]);
  const starts = before(comparison);
  const start = ["warm start, before", String(starts.runs.length), "0"];
  return table(
    ["method", "runs", "updates", ...SCORE_HEADS],
    [...rows, [...start, ...scoreCells(comparison, starts)]],
  );
}

/** The method, where the arm is nothing but that; LOOP by the paper's name. */
function nameOf({ name, recipe, method, setting }: Arm): string {
  if (name !== recipe) return name.replace(`${setting}/`, "");
  return method === "loop" ? `LOOP (\`${name}\`)` : `\`${method}\``;
}

/** Both decodings of test-normal, each beside its difference to another arm over pairs of runs; empty where there is none. */
function apartCells(comparison: Comparison, arm: Arm, other: Arm | undefined): string[] {
  return ["test-normal", "test-normal@T1"].flatMap((on) => [
    withInterval(armScore(comparison, arm, on)),
    other ? differenceText(differenceOf(comparison, arm, other, on)) : "",
  ]);
}

const apartHeads = (to: string) =>
  ["test-normal TGC", "T = 1"].flatMap((score) => [score, `to ${to} [95%]`]);

/** Of an algorithm's page: against LOOP, with the mean curve on dev at the rollouts that were spent. */
function measured(comparison: Comparison, asked: Asked): string {
  const loop = referenceArm(comparison);
  const rows = armsOf(comparison, asked).map((arm) => [
    nameOf(arm),
    String(arm.runs.length),
    mean(arm.runs.map(({ updates }) => updates)),
    ...apartCells(comparison, arm, arm === loop ? undefined : loop),
    withInterval(armScore(comparison, arm, "test-normal", "sgc")),
    withInterval(armScore(comparison, arm, "dev")),
    meanCurve(arm)
      .map(({ value }) => Math.round(value * 100))
      .join(" "),
  ]);
  const heads = ["method", "runs", "updates", ...apartHeads("LOOP"), "SGC", "dev TGC"];
  return table([...heads, "curve on dev"], rows);
}

function primary({ primary, world }: Comparison): string {
  if (primary.length === 0) throw new Error(`nothing was fixed beforehand on ${world.name}`);
  const rows = primary.map((one) => [
    `${one.a} − ${one.b}`,
    headlineName(one.on),
    String(one.seeds.length),
    pointsOf(one),
    one.p === undefined ? "too few seeds for a test" : pValue(one.p),
    one.adjusted === undefined ? "" : pValue(one.adjusted),
  ]);
  return table(["TGC of", "on", "pairs of runs", "points [95%]", "p", "p, corrected"], rows);
}

function pointsOf({ difference, interval }: PrimaryResult): string {
  if (difference === undefined || interval === undefined) return "";
  return `${signedPoints(difference)} [${interval.map(signedPoints).join(", ")}]`;
}

function pValue(p: number): string {
  return p < 0.001 ? "<0.001" : p.toFixed(3);
}

/** The first arm that was asked for, and the warm starts of its runs. */
function armAndStarts(comparison: Comparison, asked: Asked) {
  const [arm] = armsOf(comparison, asked);
  if (arm === undefined) throw new Error(`${asked.file} has no arms`);
  const seeds = new Set(arm.runs.map(({ seed }) => seed));
  const starts: Scored = { runs: before(comparison).runs.filter(({ seed }) => seeds.has(seed)) };
  return { arm, starts };
}

/** Of one arm, in three lines: greedy and T = 1 side by side. */
function headline(comparison: Comparison, asked: Asked): string {
  const { arm, starts } = armAndStarts(comparison, asked);
  const rows = (
    [
      ["test-normal", "tgc"],
      ["dev", "tgc"],
      ["test-normal", "sgc"],
    ] as const
  ).map(([split, measure]) => [
    `${measure.toUpperCase()} ${split}`,
    ...[split, `${split}@T1`].flatMap((on) => [
      meanText(armScore(comparison, starts, on, measure)),
      withInterval(armScore(comparison, arm, on, measure)),
    ]),
  ]);
  const heads = ["greedy, before", "after [95%]", "T = 1, before", "after [95%]"];
  return table([`percent, ${arm.runs.length} runs`, ...heads], rows);
}

/** Of one arm, each run against its own warm start. */
function beforeAfter(comparison: Comparison, asked: Asked): string {
  const { arm, starts } = armAndStarts(comparison, asked);
  const row = (name: string, of: Comparison, on: string, measure: Measure) => [
    name,
    meanText(armScore(of, starts, on, measure)),
    withInterval(armScore(of, arm, on, measure)),
    differenceText(differenceOf(of, arm, starts, on, measure)),
  ];
  const levels = [...new Set(comparison.splits["test-normal"]?.difficulty ?? [])].sort();
  return table(
    [`percent, ${arm.runs.length} runs`, "before", "after [95%]", "points [95%]"],
    [
      ...HEADLINES.map((on) => row(`TGC ${headlineName(on)}`, comparison, on, "tgc")),
      ...HEADLINES.map((on) => row(`SGC ${headlineName(on)}`, comparison, on, "sgc")),
      ...levels.map((level) => {
        const part = atDifficulty(comparison, "test-normal", level);
        const name = `TGC test-normal, greedy, difficulty ${level} (${percent(part.share)}% of tasks)`;
        const score = (scored: Scored) => armScore(comparison, part.of(scored), part.on);
        return [
          name,
          meanText(score(starts)),
          meanText(score(arm)),
          differenceText(differenceOf(comparison, part.of(arm), part.of(starts), part.on)),
        ];
      }),
    ],
  );
}

/** The scenarios of one difficulty, as scores of their own. */
function atDifficulty({ splits }: Comparison, on: string, level: number) {
  const { difficulty } = splits[on]!;
  const kept = difficulty.map((one) => one === level);
  return {
    on,
    share: kept.filter(Boolean).length / difficulty.length,
    of: ({ runs }: Scored): Scored => ({
      runs: runs.map(({ seed, after }) => ({
        seed,
        after: { [on]: (after[on] ?? []).filter((_, i) => kept[i]) },
      })),
    }),
  };
}

/** A row an arm and decoding, a column a world: `everyday/errands-1` to `-6` are six horizons. */
function byWorld(comparisons: readonly Comparison[], asked: Asked): string {
  const names = asked.arms ?? [
    ...new Set(comparisons.flatMap(({ arms }) => arms.map(({ name }) => name))),
  ];
  const cell = (comparison: Comparison, name: string, on: string) => {
    const arm = comparison.arms.find((one) => one.name === name);
    return arm ? withInterval(armScore(comparison, arm, on)) : "";
  };
  const starts = (["test-normal", "test-normal@T1"] as const).map((on) => [
    `warm start, before, ${headlineName(on).split(", ")[1]}`,
    ...comparisons.map((one) => withInterval(armScore(one, before(one), on))),
  ]);
  const called = (name: string) => {
    const arm = comparisons.flatMap(({ arms }) => arms.find((one) => one.name === name) ?? [])[0];
    return arm ? nameOf(arm) : name;
  };
  const rows = names.flatMap((name) =>
    ["test-normal", "test-normal@T1"].map((on) => [
      `${called(name)}, ${headlineName(on).split(", ")[1]}`,
      ...comparisons.map((one) => cell(one, name, on)),
    ]),
  );
  const worlds = comparisons.map(({ world }) => `\`${world.name}\``);
  return table(["TGC test-normal", ...worlds], [...rows, ...starts]);
}

/** Rungs in the order of the file or of the marker, each against the one before it. */
function ladder(comparison: Comparison, asked: Asked): string {
  const rungs = armsOf(comparison, asked, comparison.arms);
  const rows = rungs.map((arm, i) => [
    nameOf(arm),
    String(arm.runs.length),
    mean(arm.runs.map(({ updates }) => updates)),
    surprise(arm),
    ...apartCells(comparison, arm, rungs[i - 1]),
  ]);
  return table(["rung", "runs", "updates", "nats a token", ...apartHeads("the rung before")], rows);
}

/** Of what was sampled in the second half of training, mean and spread over runs: an estimate of the policy's entropy. */
function surprise({ runs }: Arm): string {
  const halves = runs.flatMap(({ training }) => {
    const nats = (training["entropy/sampled"] ?? []).filter((value) => value !== null);
    return nats.length > 0 ? [spreadOf(nats.slice(nats.length / 2)).mean] : [];
  });
  return decimals(halves);
}

function aa(results: Results, { file }: Asked): string {
  const rows = sizesOf(results, file).map(({ arm, on, runs, pairs, rejected, size }) => [
    `\`${arm}\``,
    headlineName(on),
    String(runs),
    String(pairs),
    String(rejected),
    `${percent(size)}%`,
  ]);
  return table(["arm", "score", "runs", "A/A pairs", "rejected", "size"], rows);
}
