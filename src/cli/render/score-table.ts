/**
 * Shows the scores of a run as tables: task and scenario goal completion before and after training, with 95% intervals.
 */
import {
  type DifficultyScore,
  formatChange,
  formatPercent,
  formatTgc,
  listDifficultyRows,
  listScoreRows,
} from "../../report/index.ts";
import type { Summary } from "../../spec/index.ts";
import type { Paint, Style } from "../terminal.ts";
import { type Column, renderTable } from "./table.ts";
import { wrapText } from "./text.ts";

/**
 * Renders scores before and after training and their change, in percent, then the same by difficulty for greedy
 * decoding.
 */
export function renderScoreTables(
  summary: Pick<Summary, "before" | "after">,
  { paint, columns }: View,
): string {
  const rows = listScoreRows(summary);
  const dim = (text: string) => paint("dim", text);
  const isWide = columns >= MIN_COLUMNS_WITH_POINTS;
  const main = renderTable(
    [{ title: "" }, { title: "decoding" }, ...numberColumns(isWide)],
    rows.map(({ split, mode, before, after }) => [
      split,
      mode,
      ...numberCells([formatTgc(before), formatTgc(after)], before, after, { paint, isWide }),
    ]),
    dim,
  );
  const byDifficulty = renderTable(
    [
      { title: "" },
      { title: "difficulty" },
      { title: "share of tasks", align: "right" },
      ...numberColumns(isWide),
    ],
    listDifficultyRows(rows).map(({ split, level, share, before, after }) => [
      split,
      level,
      `${formatPercent(share)}%`,
      ...numberCells([formatPercent(before.tgc), formatPercent(after.tgc)], before, after, {
        paint,
        isWide,
      }),
    ]),
    dim,
  );
  const tasks = rows
    .filter(({ mode }) => mode === "greedy")
    .map(({ split, after }) => `${after.tasks} in ${split}`);
  const caption = `TGC: share of tasks whose checks all pass, in percent [95% interval]. SGC: share of scenarios whose three tasks all pass. Tasks: ${tasks.join(", ")}. Intervals treat each scenario as one cluster.`;
  const lines = wrapText(caption, Math.min(columns, 100) - 2).map((line) => dim(`  ${line}`));
  return [main, "", byDifficulty, "", ...lines].join("\n");
}

interface View {
  readonly paint: Paint;
  readonly columns: number;
}

/** The number of columns below which there is no room for the changes in points. */
const MIN_COLUMNS_WITH_POINTS = 94;

const CHANGE_STYLES: { readonly [sign: number]: readonly Style[] } = {
  1: ["bold", "green"],
  [-1]: ["bold", "red"],
};

function numberColumns(isWide: boolean): Column[] {
  const titles = isWide
    ? ["TGC before", "after", "points", "SGC before", "after", "points"]
    : ["TGC before", "after", "SGC before", "after"];
  return titles.map((title) => ({ title, align: "right" }));
}

function numberCells(
  tgc: readonly [string, string],
  before: DifficultyScore,
  after: DifficultyScore,
  { paint, isWide }: { readonly paint: Paint; readonly isWide: boolean },
): string[] {
  const pointCells = (from: number, to: number) =>
    isWide
      ? [
          paint(
            CHANGE_STYLES[Math.sign(Math.round((to - from) * 1000))] ?? "dim",
            formatChange(from, to),
          ),
        ]
      : [];
  const sgc = [formatPercent(before.sgc), formatPercent(after.sgc)];
  return [
    ...tgc,
    ...pointCells(before.tgc, after.tgc),
    ...sgc,
    ...pointCells(before.sgc, after.sgc),
  ];
}
