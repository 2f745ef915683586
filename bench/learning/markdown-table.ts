/** Formats tables in Markdown, and cells with mean and spread. */
import { computeSpread } from "../../src/train/index.ts";

/** Formats a table in Markdown from its headings and rows of cells. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const formatLine = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [formatLine(head), formatLine(head.map(() => "---")), ...rows.map(formatLine)].join("\n");
}

/** Formats mean and sample standard deviation over runs as "0.025 ± 0.004"; returns "" without values. */
export function formatMeanAndSpread(values: readonly number[], digits = 3): string {
  if (values.length === 0) return "";
  const { mean, sd } = computeSpread(values);
  return [mean, ...(sd === undefined ? [] : [sd])]
    .map((value) => value.toFixed(digits))
    .join(" ± ");
}
