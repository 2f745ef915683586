/**
 * Makes the tables of `docs/algorithms/systems.md` from the rows, the notes on mechanisms and the stored results of the
 * check.
 */
import { MECHANISM_NOTES } from "./mechanism-notes.ts";
import { SYSTEMS } from "./rows/index.ts";
import { displayName, formatCommandLine, type System } from "./system.ts";
import type { Verdict } from "./verdict.ts";

const formatLine = (...cells: readonly string[]) => `| ${cells.join(" | ")} |`;

/** Returns the text of the page with its two tables made again. */
export function writeSystemsTables(page: string, verdicts: readonly Verdict[]): string {
  const found = new Map(verdicts.map((verdict) => [verdict.system, verdict]));
  const systems = [
    formatLine("System", "arXiv", "Method and fields", "Mechanisms", "Left out"),
    formatLine(...Array.from({ length: 5 }, () => "---")),
    ...SYSTEMS.map((row) => formatSystem(row, found.get(row.system))),
  ];
  const mechanisms = [
    formatLine("Mechanism", "Fields"),
    formatLine("---", "---"),
    ...Object.entries(MECHANISM_NOTES).map(([name, { fields }]) => formatLine(name, fields)),
  ];
  return replaceTable(replaceTable(page, "System", systems), "Mechanism", mechanisms);
}

function formatSystem(row: System, verdict: Verdict | undefined): string {
  const { arxiv, mechanisms, outside, cannot, idea } = row;
  const missing = [
    idea && `the core of the paper: ${idea}`,
    outside,
    cannot && `it does not work here, because ${cannot}`,
    verdict?.problem && `its mechanisms were not compared: ${verdict.problem}`,
  ]
    .filter(Boolean)
    .join("; ");
  return formatLine(
    displayName(row),
    arxiv,
    `\`${formatCommandLine(row)}\``,
    mechanisms.map((name) => formatMechanism(name, verdict)).join(", "),
    missing || "-",
  );
}

function formatMechanism(name: string, verdict: Verdict | undefined): string {
  const found = verdict?.mechanisms[name];
  return found ? `${name} ${Math.round(100 * found.onDead)}%` : name;
}

/** Returns the page with `table` in place of the table whose first heading is `heading`. */
function replaceTable(page: string, heading: string, table: readonly string[]): string {
  const lines = page.split("\n");
  const start = lines.findIndex((text) => text.startsWith(`| ${heading} |`));
  const end = lines.findIndex((text, i) => i > start && !text.startsWith("|"));
  return [...lines.slice(0, start), ...table, ...lines.slice(end)].join("\n");
}
