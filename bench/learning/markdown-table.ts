/** Tables of learning in Markdown, and a cell that more than one kind of them has. */
import { computeSpread } from "../../src/train/index.ts";

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** "0.025 ± 0.004": mean and sample standard deviation over runs; empty where there is none. */
export function decimals(values: readonly number[]): string {
  if (values.length === 0) return "";
  const { mean, sd } = computeSpread(values);
  return [mean, ...(sd === undefined ? [] : [sd])].map((value) => value.toFixed(3)).join(" ± ");
}
