/** Text in Markdown that is also a Vue template: tables, and what has to be written otherwise in both. */

/** Ordinary text, as the site shows it: `<run>` is no tag, `|` no new cell. Code between backticks stays as it is. */
export function text(plain: string): string {
  return plain
    .split(/(`[^`]*`)/)
    .map((part, i) => (i % 2 ? part : part.replaceAll("<", "&lt;").replaceAll("{{", "{&#8203;{")))
    .join("")
    .replaceAll("|", "\\|")
    .replace(/\s+/g, " ")
    .trim();
}

/** Code in a line; in a table a bar needs its escape there, too. */
export function code(plain: string): string {
  return `\`${plain.replaceAll("|", "\\|")}\``;
}

/** A table whose cells are Markdown already. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`.replace(/ {2,}\|/g, " |");
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

export const block = (language: string, content: string) =>
  `\`\`\`${language}\n${content.replace(/^\n+|\s+$/g, "")}\n\`\`\``;
