/**
 * Lists the kinds of tables about learning. Each kind makes a table in Markdown from the comparisons of a file of
 * results.
 */
import { formatPercent, formatScoreName, primaryTestCells } from "../../src/report/index.ts";
import { armScore, type Comparison, checkSizes, type Results } from "../../src/train/index.ts";
import { ladderTable, measuredTable, methodsTable } from "./arm-tables.ts";
import { beforeAfterTable, headlineTable } from "./before-after-tables.ts";
import { formatTraining } from "./horizon/horizon-tables.ts";
import { formatTable } from "./markdown-table.ts";
import {
  displayArmName,
  formatEstimate,
  requireSingle,
  type TableRequest,
  warmStartsAsArm,
} from "./table-cells.ts";

type MakeTable = (comparisons: readonly Comparison[], request: TableRequest) => string;

export const TABLE_KINDS: { readonly [kind: string]: MakeTable } = {
  methods: (all, request) => methodsTable(requireSingle(all, request), request),
  measured: (all, request) => measuredTable(requireSingle(all, request), request),
  primary: (all, request) => primaryTable(requireSingle(all, request)),
  headline: (all, request) => headlineTable(requireSingle(all, request), request),
  "before-after": (all, request) => beforeAfterTable(requireSingle(all, request), request),
  "by-world": byWorldTable,
  training: formatTraining,
  ladder: (all, request) => ladderTable(requireSingle(all, request), request),
  "a-a": (all, request) => aaTable({ version: 2, comparisons: [...all] }, request),
};

function primaryTable({ primary, world }: Comparison): string {
  if (primary.length === 0) throw new Error(`no comparison was fixed beforehand on ${world.name}`);
  const heads = ["TGC of", "on", "pairs of runs", "points [95%]", "p", "p, corrected"];
  return formatTable(heads, primary.map(primaryTestCells));
}

/** Makes a table with a row for each arm and decoding, and a column for each world, such as `everyday/errands-2`. */
function byWorldTable(comparisons: readonly Comparison[], request: TableRequest): string {
  const names = request.arms ?? [
    ...new Set(comparisons.flatMap(({ arms }) => arms.map(({ name }) => name))),
  ];
  const cell = (comparison: Comparison, name: string, on: string) => {
    const arm = comparison.arms.find((one) => one.name === name);
    return arm ? formatEstimate(armScore(comparison, arm, on)) : "";
  };
  const starts = (["test-normal", "test-normal@T1"] as const).map((on) => [
    `warm start, before, ${formatScoreName(on).split(", ")[1]}`,
    ...comparisons.map((one) => formatEstimate(armScore(one, warmStartsAsArm(one), on))),
  ]);
  const displayNameOf = (name: string) => {
    const arm = comparisons.flatMap(({ arms }) => arms.find((one) => one.name === name) ?? [])[0];
    return arm ? displayArmName(arm) : name;
  };
  const rows = names.flatMap((name) =>
    ["test-normal", "test-normal@T1"].map((on) => [
      `${displayNameOf(name)}, ${formatScoreName(on).split(", ")[1]}`,
      ...comparisons.map((one) => cell(one, name, on)),
    ]),
  );
  const worlds = comparisons.map(({ world }) => `\`${world.name}\``);
  return formatTable(["TGC test-normal", ...worlds], [...rows, ...starts]);
}

function aaTable(results: Results, { file }: TableRequest): string {
  const rows = checkSizes(results, file).map(({ arm, on, runs, pairs, rejected, size }) => [
    `\`${arm}\``,
    formatScoreName(on),
    String(runs),
    String(pairs),
    String(rejected),
    `${formatPercent(size)}%`,
  ]);
  return formatTable(["arm", "score", "runs", "A/A pairs", "rejected", "size"], rows);
}
