/** The tables of learning in Markdown by their kind, each a function of the comparisons of a file of results. */
import { formatPercent, formatPoints, formatScoreName } from "../../src/report/index.ts";
import {
  armScore,
  type Comparison,
  checkSizes,
  type PrimaryResult,
  type Results,
} from "../../src/train/index.ts";
import { ladder, measured, methods } from "./arm-tables.ts";
import { beforeAfter, headline } from "./before-after-tables.ts";
import { trainingTable } from "./horizon/horizon-tables.ts";
import { table } from "./markdown-table.ts";
import { type Asked, before, nameOf, only, withInterval } from "./table-cells.ts";

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

function primary({ primary, world }: Comparison): string {
  if (primary.length === 0) throw new Error(`nothing was fixed beforehand on ${world.name}`);
  const rows = primary.map((one) => [
    `${one.a} − ${one.b}`,
    formatScoreName(one.on),
    String(one.seeds.length),
    pointsOf(one),
    one.p === undefined ? "too few seeds for a test" : pValue(one.p),
    one.adjusted === undefined ? "" : pValue(one.adjusted),
  ]);
  return table(["TGC of", "on", "pairs of runs", "points [95%]", "p", "p, corrected"], rows);
}

function pointsOf({ difference, interval }: PrimaryResult): string {
  if (difference === undefined || interval === undefined) return "";
  return `${formatPoints(difference)} [${interval.map(formatPoints).join(", ")}]`;
}

function pValue(p: number): string {
  return p < 0.001 ? "<0.001" : p.toFixed(3);
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
    `warm start, before, ${formatScoreName(on).split(", ")[1]}`,
    ...comparisons.map((one) => withInterval(armScore(one, before(one), on))),
  ]);
  const called = (name: string) => {
    const arm = comparisons.flatMap(({ arms }) => arms.find((one) => one.name === name) ?? [])[0];
    return arm ? nameOf(arm) : name;
  };
  const rows = names.flatMap((name) =>
    ["test-normal", "test-normal@T1"].map((on) => [
      `${called(name)}, ${formatScoreName(on).split(", ")[1]}`,
      ...comparisons.map((one) => cell(one, name, on)),
    ]),
  );
  const worlds = comparisons.map(({ world }) => `\`${world.name}\``);
  return table(["TGC test-normal", ...worlds], [...rows, ...starts]);
}

function aa(results: Results, { file }: Asked): string {
  const rows = checkSizes(results, file).map(({ arm, on, runs, pairs, rejected, size }) => [
    `\`${arm}\``,
    formatScoreName(on),
    String(runs),
    String(pairs),
    String(rejected),
    `${formatPercent(size)}%`,
  ]);
  return table(["arm", "score", "runs", "A/A pairs", "rejected", "size"], rows);
}
