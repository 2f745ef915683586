/**
 * Renders tables for terminals. Each column is as wide as its widest cell, and the lines below the head show where
 * columns begin and end, so that `fitText` can make a table narrower that is too wide for the terminal.
 */
import { displayWidth, padEnd, padStart } from "./text.ts";

export interface Column {
  readonly title: string;
  readonly align?: "left" | "right";
}

/** Renders a table, indented by two spaces. Cells may contain colour codes. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  dim: (text: string) => string = (text) => text,
): string {
  const widths = columns.map(({ title }, i) =>
    Math.max(1, displayWidth(title), ...rows.map((row) => displayWidth(row[i] ?? ""))),
  );
  const layout = (cells: readonly string[]) =>
    columns
      .map(({ align }, i) => (align === "right" ? padStart : padEnd)(cells[i] ?? "", widths[i]!))
      .join("  ")
      .trimEnd();
  const head = layout(columns.map(({ title }) => (title === "" ? "" : dim(title))));
  const rule = widths.map((width) => "─".repeat(width)).join("  ");
  return [head, dim(rule), ...rows.map(layout)].map((line) => `  ${line}`).join("\n");
}
