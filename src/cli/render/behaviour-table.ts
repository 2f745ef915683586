/** A table of the agent's behaviour before and after training, as `src/algo/behaviour.ts` measures it. */
import {
  chooseBehaviourRow,
  formatBehaviourName,
  formatCompact,
  listBehaviours,
  type ScoreRow,
} from "../../report/index.ts";
import type { Paint } from "../terminal.ts";
import { renderTable } from "./table.ts";

/** Renders the table, or an empty text where nothing was scored or no behaviour was measured. */
export function renderBehaviourTable(rows: readonly ScoreRow[], paint: Paint): string {
  const row = chooseBehaviourRow(rows);
  const names = row === undefined ? [] : listBehaviours(row);
  if (row === undefined || names.length === 0) return "";
  const value = (score: ScoreRow["before"], name: string) =>
    formatCompact(score.behaviour[name] ?? 0);
  return renderTable(
    [
      { title: `behaviour on ${row.split}, ${row.mode}` },
      { title: "before", align: "right" },
      { title: "after", align: "right" },
    ],
    names.map((name) => [
      formatBehaviourName(name),
      value(row.before, name),
      value(row.after, name),
    ]),
    (text) => paint("dim", text),
  );
}
