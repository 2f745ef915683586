/** The tables of `docs/algorithms/systems.md`, from the rows, the notes on mechanisms and the kept results. */
import { MECHANISM_NOTES } from "./mechanism-notes.ts";
import { SYSTEMS } from "./rows/index.ts";
import { formatCommandLine, type System } from "./system.ts";
import type { Verdict } from "./verdict.ts";

const line = (...cells: readonly string[]) => `| ${cells.join(" | ")} |`;

/** The page with its two tables written anew. */
export function writeSystemsTables(page: string, verdicts: readonly Verdict[]): string {
  const found = new Map(verdicts.map((verdict) => [verdict.system, verdict]));
  const systems = [
    line(
      "System",
      "arXiv",
      "Method and fields",
      "Mechanisms",
      "Updates",
      "At a limit",
      "Fires",
      "Left out",
    ),
    line(...Array.from({ length: 8 }, () => "---")),
    ...SYSTEMS.map((row) => systemLine(row, found.get(row.system))),
  ];
  const mechanisms = [
    line("Mechanism", "Fields"),
    line("---", "---"),
    ...Object.entries(MECHANISM_NOTES).map(([name, { fields }]) => line(name, fields)),
  ];
  return withTable(withTable(page, "System", systems), "Mechanism", mechanisms);
}

function systemLine(row: System, verdict: Verdict | undefined): string {
  const { system, arxiv, mechanisms, outside, cannot } = row;
  const missing = [outside, cannot && `it does not work here, because ${cannot}`]
    .filter(Boolean)
    .join("; ");
  return line(
    system,
    arxiv,
    `\`${formatCommandLine(row)}\``,
    mechanisms.join(", "),
    ...(verdict ? numbersOf(verdict) : ["-", "-", "-"]),
    missing || "-",
  );
}

function numbersOf({ updates, atLimit, fires }: Verdict): string[] {
  const percent = (share: number) => `${Math.round(100 * share)}%`;
  return [`${updates} of 3`, percent(atLimit), percent(fires)];
}

/** Puts a table in the place of the one whose first heading is this. */
function withTable(page: string, heading: string, table: readonly string[]): string {
  const lines = page.split("\n");
  const start = lines.findIndex((text) => text.startsWith(`| ${heading} |`));
  const end = lines.findIndex((text, i) => i > start && !text.startsWith("|"));
  return [...lines.slice(0, start), ...table, ...lines.slice(end)].join("\n");
}
