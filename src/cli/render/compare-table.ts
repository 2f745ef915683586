/**
 * Shows a comparison as text: scores over runs, tests that were fixed beforehand, differences with intervals, and
 * curves.
 */
import {
  armCurves,
  armDifferenceTable,
  armScoreTable,
  comparisonCaptions,
  formatPercent,
  primaryTestTable,
} from "../../report/index.ts";
import type { Comparison } from "../../train/index.ts";
import type { Paint } from "../terminal.ts";
import { renderTable } from "./table.ts";
import { wrapText } from "./text.ts";

interface View {
  readonly paint: Paint;
  readonly columns: number;
}

export function renderComparison(comparison: Comparison, { paint, columns }: View): string {
  const dim = (text: string) => paint("dim", text);
  const { primary, leftOut } = comparison;
  const width = Math.min(columns, 100) - 2;
  const lines = (text: string) => wrapText(text, width).map((line) => `  ${line}`);
  const heading = (title: string, rest: string) => `  ${paint("bold", title)}  ${dim(rest)}`;
  const tests = primaryTestTable(primary);
  const parts = [
    [renderScoreTable(comparison, dim, paint)],
    primary.length === 0
      ? []
      : [
          heading(
            "Fixed beforehand",
            "paired t tests over runs; differences in test-normal TGC, in points",
          ),
          renderTable(tests.columns, tests.rows, dim),
        ],
    comparison.arms.length < 2 ? [] : renderDifferences(comparison, heading, dim),
    renderCurves(comparison, heading),
    comparisonCaptions(comparison).flatMap((text) => lines(text).map(dim)),
    leftOut.flatMap(({ recipe, why }) => lines(`left out: ${recipe}: ${why}`)),
  ];
  return parts
    .filter((part) => part.length > 0)
    .map((part) => part.join("\n"))
    .join("\n\n");
}

function renderScoreTable(
  comparison: Comparison,
  dim: (text: string) => string,
  paint: Paint,
): string {
  const { columns, rows } = armScoreTable(comparison);
  const arms = rows
    .slice(0, -1)
    .map(([rank = "", name = "", ...cells]) => [rank, paint("bold", name), ...cells]);
  return renderTable(columns, [...arms, rows.at(-1)!.map(dim)], dim);
}

/** Renders the difference of every arm to LOOP, or to the first arm where LOOP is not compared. */
function renderDifferences(
  comparison: Comparison,
  heading: (title: string, rest: string) => string,
  dim: (text: string) => string,
): string[] {
  const { reference, single, columns, rows } = armDifferenceTable(comparison);
  return [
    heading(
      `TGC compared with ${reference}`,
      `points [95% interval over pairs of runs${single ? "; *: over scenarios, as there is one pair" : ""}]; exploratory`,
    ),
    renderTable(columns, rows, dim),
  ];
}

const BAR_CHARACTERS = [..."▁▂▃▄▅▆▇█"];

/**
 * Renders each arm's curve as one bar for each evaluation during a run, with the values and when they were measured.
 * Renders nothing when dev was not evaluated.
 */
function renderCurves(
  comparison: Comparison,
  heading: (title: string, rest: string) => string,
): string[] {
  const all = armCurves(comparison);
  if (all.length === 0) return [];
  const width = Math.max(...all.map(({ name }) => name.length));
  const rows = all.map(({ name, values, at }) => {
    const bars = values.map((value) => BAR_CHARACTERS[Math.min(7, Math.floor(value * 8))]).join("");
    const shares = values.map((value) => formatPercent(value).padStart(5)).join(" ");
    return `  ${name.padEnd(width)}  ${bars.padEnd(8)}  ${shares}   at ${at.join(", ")}%`;
  });
  return [
    heading("TGC on dev by rollouts spent", "greedy, mean over runs; a full bar is 100%"),
    ...rows,
  ];
}
