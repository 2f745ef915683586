/** Formats results as JSON with one line for each run, so that files are small and differences are easy to see. */
import type { Results } from "./comparison.ts";

/** The names of lists that have one item per line. Any other value that is short enough is written on one line. */
const KEYS_WITH_ITEM_PER_LINE = ["runs", "starts", "primary", "leftOut", "made"];
const WIDTH = 100;

export function formatResults(results: Results): string {
  return `${formatValue(results, "")}\n`;
}

function formatValue(value: unknown, indent: string, name = ""): string {
  const line = JSON.stringify(value);
  if (typeof value !== "object" || value === null) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const isFlat = value.every((item) => typeof item !== "object");
    if (isFlat || value.length === 0) return line;
    const items = value.map((item) =>
      KEYS_WITH_ITEM_PER_LINE.includes(name) ? JSON.stringify(item) : formatValue(item, inner),
    );
    return `[\n${items.map((item) => inner + item).join(",\n")}\n${indent}]`;
  }
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  if (line.length <= WIDTH - indent.length) return line;
  const fields = entries.map(
    ([key, item]) => `${inner}${JSON.stringify(key)}: ${formatValue(item, inner, key)}`,
  );
  return `{\n${fields.join(",\n")}\n${indent}}`;
}
