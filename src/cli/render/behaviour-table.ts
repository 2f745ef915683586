/** What the agent does before and after, as text: the behaviour analysis of an evaluation (`src/algo/behaviour.ts`). */
import type { Paint } from "../terminal.ts";
import type { ScoreRow } from "./score-table.ts";
import { renderTable } from "./table.ts";
import { compact } from "./text.ts";

/** The evaluation whose behaviour is shown: greedy on test-normal, else the first. */
export function behaviourRow(rows: readonly ScoreRow[]): ScoreRow | undefined {
  return rows.find(({ split, mode }) => split === "test-normal" && mode === "greedy") ?? rows[0];
}

/** Names of what happens at all, before or after. */
export function behaviourNames({ before, after }: ScoreRow): string[] {
  const names = new Set([...Object.keys(before.behaviour), ...Object.keys(after.behaviour)]);
  return [...names].filter((name) => before.behaviour[name] || after.behaviour[name]);
}

/** `docs_calls` -> "docs calls" */
export function behaviourWords(name: string): string {
  return name.replaceAll("_", " ");
}

/** Empty where nothing was scored. */
export function renderBehaviour(rows: readonly ScoreRow[], paint: Paint): string {
  const row = behaviourRow(rows);
  if (row === undefined) return "";
  const value = (score: ScoreRow["before"], name: string) => compact(score.behaviour[name] ?? 0);
  return renderTable(
    [
      { title: `behaviour on ${row.split}, ${row.mode}` },
      { title: "before", align: "right" },
      { title: "after", align: "right" },
    ],
    behaviourNames(row).map((name) => [
      behaviourWords(name),
      value(row.before, name),
      value(row.after, name),
    ]),
    (text) => paint("dim", text),
  );
}
