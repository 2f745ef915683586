/** What the agent does before and after, as text: the behaviour analysis of an evaluation (`src/algo/behaviour.ts`). */
import {
  chooseBehaviourRow,
  formatBehaviourName,
  formatCompact,
  listBehaviours,
  type ScoreRow,
} from "../../report/index.ts";
import type { Paint } from "../terminal.ts";
import { renderTable } from "./table.ts";

/** Empty where nothing was scored. */
export function renderBehaviourTable(rows: readonly ScoreRow[], paint: Paint): string {
  const row = chooseBehaviourRow(rows);
  if (row === undefined) return "";
  const value = (score: ScoreRow["before"], name: string) =>
    formatCompact(score.behaviour[name] ?? 0);
  return renderTable(
    [
      { title: `behaviour on ${row.split}, ${row.mode}` },
      { title: "before", align: "right" },
      { title: "after", align: "right" },
    ],
    listBehaviours(row).map((name) => [
      formatBehaviourName(name),
      value(row.before, name),
      value(row.after, name),
    ]),
    (text) => paint("dim", text),
  );
}
