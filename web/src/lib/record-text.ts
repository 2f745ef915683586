/** JSON for the eye: indented, but a list of plain numbers stays on one line, and a long one shows its beginning. */
const SHOWN = 24;

export function recordText(value: unknown, indent = ""): string {
  if (Array.isArray(value)) return listText(value, indent);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  if (fields.length === 0) return "{}";
  const more = `${indent}  `;
  const lines = fields.map(
    ([name, field]) => `${more}${JSON.stringify(name)}: ${recordText(field, more)}`,
  );
  return `{\n${lines.join(",\n")}\n${indent}}`;
}

function listText(list: readonly unknown[], indent: string): string {
  if (list.length === 0) return "[]";
  if (list.every((item) => typeof item === "number")) {
    const rest = list.length > SHOWN ? `, … ${list.length.toLocaleString("en")} in all` : "";
    return `[${list.slice(0, SHOWN).join(", ")}${rest}]`;
  }
  const more = `${indent}  `;
  return `[\n${list.map((item) => more + recordText(item, more)).join(",\n")}\n${indent}]`;
}
