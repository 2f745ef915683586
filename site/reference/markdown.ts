/** Helpers for Markdown pages, which the site also compiles as Vue templates. */

/**
 * Escapes what Markdown or Vue would misread: bars, which would end a table cell, and, outside of backticks, tags and
 * expressions.
 */
export function escapeText(plain: string): string {
  return plain
    .split(/(`[^`]*`)/)
    .map((part, i) => (i % 2 ? part : part.replaceAll("<", "&lt;").replaceAll("{{", "{&#8203;{")))
    .join("")
    .replaceAll("|", "\\|")
    .replace(/\s+/g, " ")
    .trim();
}

/** Formats a text as inline code. A bar is escaped, because it would start a new cell in a table. */
export function inlineCode(plain: string): string {
  return `\`${plain.replaceAll("|", "\\|")}\``;
}

/** Formats a table. Its cells must be Markdown already. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`.replace(/ {2,}\|/g, " |");
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

export const codeBlock = (language: string, content: string) =>
  `\`\`\`${language}\n${content.replace(/^\n+|\s+$/g, "")}\n\`\`\``;
