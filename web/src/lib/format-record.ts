/** Formats a record as indented JSON for reading: a list of numbers is on one line, and a long one is shortened. */
const MAX_SHOWN_NUMBERS = 24;

export function formatRecord(value: unknown, indent = ""): string {
  if (Array.isArray(value)) return formatList(value, indent);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  if (fields.length === 0) return "{}";
  const more = `${indent}  `;
  const lines = fields.map(
    ([name, field]) => `${more}${JSON.stringify(name)}: ${formatRecord(field, more)}`,
  );
  return `{\n${lines.join(",\n")}\n${indent}}`;
}

function formatList(list: readonly unknown[], indent: string): string {
  if (list.length === 0) return "[]";
  if (list.every((item) => typeof item === "number")) {
    const rest =
      list.length > MAX_SHOWN_NUMBERS ? `, … ${list.length.toLocaleString("en")} in all` : "";
    return `[${list.slice(0, MAX_SHOWN_NUMBERS).join(", ")}${rest}]`;
  }
  const more = `${indent}  `;
  return `[\n${list.map((item) => more + formatRecord(item, more)).join(",\n")}\n${indent}]`;
}
