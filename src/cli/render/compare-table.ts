/** A comparison as text: scores with their spread over seeds, who differs from whom, and the curves as bars. */
import { duration, meanCurve, percent, points, ranked, valuesOf } from "../../report/index.ts";
import { type Arm, type Comparison, spreadOf } from "../../train/index.ts";
import type { Paint } from "../terminal.ts";
import { type Column, renderTable } from "./table.ts";
import { wrap } from "./text.ts";

interface View {
  readonly paint: Paint;
  readonly columns: number;
}

/** Below this corrected p-value two recipes are said to differ. */
export const LEVEL = 0.05;

/** The columns of the table: a key of the scores and which of its numbers. */
const SCORES = [
  ["test-normal", "tgc", "TGC"],
  ["test-normal@T1", "tgc", "TGC T=1"],
  ["test-normal", "sgc", "SGC"],
  ["dev", "tgc", "dev TGC"],
  ["dev", "sgc", "dev SGC"],
] as const;

export function renderComparison(comparison: Comparison, { paint, columns }: View): string {
  const dim = (text: string) => paint("dim", text);
  const arms = ranked(comparison);
  const { seeds, rollouts, warmStart, leftOut } = comparison;
  const caption = [
    `Percent, mean ± sample standard deviation over ${seeds.length === 1 ? "one seed" : `seeds ${seeds.join(", ")}`}; ${rollouts} rollouts each, from one warm start a seed.`,
    "TGC: tasks of test-normal whose checks all pass, greedy; SGC: scenarios whose three tasks all pass.",
    `Significance: TGC, ${comparison.test}. + row is better than column at ${LEVEL}, − worse, · neither.`,
    `${duration(comparison.seconds)} in all, ${duration(warmStart.seconds.reduce((sum, s) => sum + s, 0))} of it warm starts.`,
  ];
  return [
    scoreTable(arms, dim, paint),
    "",
    matrix(comparison, arms, dim),
    "",
    `  ${paint("bold", "TGC on dev by rollouts spent")}  ${dim("greedy, mean over seeds, from 0 to 100%")}`,
    ...curves(arms, comparison),
    "",
    ...caption.flatMap((line) => wrap(line, Math.min(columns, 100) - 2)).map((l) => dim(`  ${l}`)),
    ...leftOut.flatMap(({ recipe, why }) =>
      wrap(`left out: ${recipe}: ${why}`, Math.min(columns, 100) - 2).map((l) => `  ${l}`),
    ),
  ].join("\n");
}

function scoreTable(arms: readonly Arm[], dim: (text: string) => string, paint: Paint): string {
  const head: Column[] = [
    { title: "" },
    { title: "recipe" },
    { title: "rollouts", align: "right" },
    { title: "updates", align: "right" },
    ...SCORES.map(([, , title]): Column => ({ title, align: "right" })),
  ];
  const cells = (arm: Arm, when: "before" | "after") =>
    SCORES.map(([key, number]) => withSpread(valuesOf(arm, when, key, number)));
  const first = arms[0]!;
  const rows = arms.map((arm, i) => [
    String(i + 1),
    paint("bold", arm.recipe),
    String(Math.round(spreadOf(arm.runs.map(({ rollouts }) => rollouts)).mean)),
    String(Math.round(spreadOf(arm.runs.map(({ updates }) => updates)).mean)),
    ...cells(arm, "after"),
  ]);
  const before = ["", "warm start, before", "", "", ...cells(first, "before")];
  return renderTable(head, [...rows, before.map((text) => dim(text))], dim);
}

/** Rows and columns in the order of the ranking, columns by number. */
function matrix(
  { pairs }: Comparison,
  arms: readonly Arm[],
  dim: (text: string) => string,
): string {
  const names = arms.map(({ recipe }) => recipe);
  const width = String(names.length).length;
  const mark = (a: string, b: string) => {
    if (a === b) return " ";
    const pair = pairs.find((one) => (one.a === a && one.b === b) || (one.a === b && one.b === a));
    if (pair === undefined || pair.adjusted >= LEVEL) return "·";
    return pair.difference > 0 === (pair.a === a) ? "+" : "−";
  };
  const best = names[0]!;
  const rows = names.map((a, i) => {
    const pair = pairs.find(
      (one) => (one.a === a && one.b === best) || (one.a === best && one.b === a),
    );
    const behind = pair ? (pair.a === a ? pair.difference : -pair.difference) : 0;
    return [
      String(i + 1),
      a,
      names.map((b) => mark(a, b).padStart(width)).join(" "),
      i === 0 ? "" : points(0, behind),
      pair && i > 0 ? pValue(pair.p) : "",
      pair && i > 0 ? pValue(pair.adjusted) : "",
    ];
  });
  const numbers = names.map((_, i) => String(i + 1).padStart(width)).join(" ");
  return renderTable(
    [
      { title: "" },
      { title: "recipe" },
      { title: numbers },
      { title: "to the best", align: "right" },
      { title: "p", align: "right" },
      { title: "corrected", align: "right" },
    ],
    rows,
    dim,
  );
}

const BARS = [..."▁▂▃▄▅▆▇█"];

/** One bar for each evaluation within a run, and the numbers at its ends. */
function curves(arms: readonly Arm[], { rollouts }: Comparison): string[] {
  const width = Math.max(...arms.map(({ recipe }) => recipe.length));
  return arms.map((arm) => {
    const curve = meanCurve(arm);
    const bars = curve.map(({ value }) => BARS[Math.min(7, Math.floor(value * 8))]).join("");
    const at = curve.map(({ value }) => percent(value).padStart(5)).join(" ");
    const steps = curve.map((point) => Math.round((100 * point.rollouts) / rollouts));
    return `  ${arm.recipe.padEnd(width)}  ${bars.padEnd(8)}  ${at}   at ${steps.join(", ")}%`;
  });
}

function withSpread(values: readonly number[]): string {
  if (values.length === 0) return "";
  const { mean, sd } = spreadOf(values);
  return sd === undefined ? percent(mean) : `${percent(mean)} ± ${percent(sd)}`;
}

function pValue(p: number): string {
  return p < 0.001 ? "<0.001" : p.toFixed(3);
}
